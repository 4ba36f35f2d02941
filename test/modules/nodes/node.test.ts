import { beforeAll, describe, expect, it } from '@jest/globals';
import { isInterfaceType } from 'graphql';
import { buildGraphQLSchema } from '../../../src/graphql/schema.js';
import { nodeIdOf } from '../../../src/operations/node-id.js';
import { beforeTests } from '../../support/before-tests.js';
import { unknownId } from '../../support/matchers.js';
import { expectError } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { type Callers, gatherObjects, type NodeObject } from './objects.js';

let callers: Callers;
let objects: Record<string, NodeObject>;
const service = beforeTests(sharedService);
beforeAll(async () => {
  ({ callers, objects } = await gatherObjects(service));
});

const node = (id: string, bearer: string | null) =>
  service.client.call<{ __typename: string; id: string; nodeId: string }>('graphql', 'node', { id }, bearer);
const bearerOf = (name: keyof Callers) => callers[name];
const everybody: (keyof Callers)[] = ['owner', 'author', 'stranger', 'administrator', 'narrowKey', 'nobody'];

type Refusals = Partial<Record<keyof Callers, string>>;
const owned: Refusals = {
  author: 'DEVELOPER_NOT_REGISTERED',
  stranger: 'NOT_FOUND',
  nobody: 'UNAUTHENTICATED',
};
const scoped: Refusals = { ...owned, narrowKey: 'INSUFFICIENT_SCOPE' };
const secret: Refusals = { ...owned, administrator: 'DEVELOPER_NOT_REGISTERED' };
const scopedSecret: Refusals = { ...scoped, ...secret };
const desk: Refusals = {
  owner: 'FORBIDDEN',
  author: 'FORBIDDEN',
  stranger: 'FORBIDDEN',
  narrowKey: 'FORBIDDEN',
  nobody: 'UNAUTHENTICATED',
};
/** The refusals of those who do not see an object of each type. */
const table: Record<string, Refusals> = {
  App: scoped,
  AppVersion: scoped,
  ReviewMessage: scoped,
  Submission: scoped,
  TimelineEntry: scoped,
  PublicApp: {},
  PublicDeveloper: {},
  Developer: owned,
  Rating: {},
  ApiKey: secret,
  WebhookEndpoint: scopedSecret,
  WebhookDelivery: scopedSecret,
  WebhookAttempt: scopedSecret,
  Event: secret,
  AuditEvent: desk,
  ReviewQueueItem: desk,
};

describe('node', () => {
  it('finds every type that implements Node (D151)', async () => {
    const schema = await buildGraphQLSchema();
    const type = schema.getType('Node');
    if (!isInterfaceType(type)) throw new Error('Node is not an interface');
    const names = schema.getPossibleTypes(type).map(({ name }) => name);
    expect(names.toSorted()).toEqual(Object.keys(table).toSorted());
    expect(Object.keys(objects).toSorted()).toEqual(Object.keys(table).toSorted());
  });

  const cases = Object.entries(table).flatMap(([type, refused]) =>
    everybody.map((who) => ({ type, who, expected: refused[who] ?? 'the object' })),
  );
  it.each(cases)('by the nodeId of $type, $who gets $expected (D151)', async ({ type, who, expected }) => {
    const { id, nodeId } = objects[type]!;
    const outcome = await node(nodeId, bearerOf(who));
    if (expected === 'the object') expect(outcome.data).toEqual({ __typename: type, id, nodeId });
    else {
      expectError(outcome, expected as 'NOT_FOUND');
      const missing = await node(nodeIdOf(type, unknownId), bearerOf(who));
      expect({ code: missing.code, message: missing.message }).toEqual({
        code: outcome.code,
        message: outcome.message,
      });
    }
  });

  const views: [string, Partial<Record<keyof Callers, string>>, string | null][] = [
    ['App', { owner: 'App', administrator: 'App' }, 'PublicApp'],
    [
      'Developer',
      { owner: 'Developer', administrator: 'Developer', narrowKey: 'Developer' },
      'PublicDeveloper',
    ],
    ['Rating', {}, 'Rating'],
    ['AppVersion', { owner: 'AppVersion', administrator: 'AppVersion' }, null],
    ['Event', { owner: 'Event', narrowKey: 'Event', administrator: 'AuditEvent' }, null],
    ['ApiKey', { owner: 'ApiKey', narrowKey: 'ApiKey' }, null],
    ['ReviewQueueItem', { administrator: 'ReviewQueueItem', owner: 'Submission' }, null],
  ];
  it.each(views)(
    'by the plain id of %s returns the fullest form that the caller may read (D151)',
    async (type, forms, others) => {
      const { id } = objects[type]!;
      for (const who of everybody) {
        const expected = forms[who] ?? others;
        const outcome = await node(id, bearerOf(who));
        if (expected === null) {
          const missing = await node(unknownId, bearerOf(who));
          expectError(outcome, 'NOT_FOUND');
          expect(outcome.message).toBe(missing.message);
        } else expect([who, outcome.data.__typename, outcome.data.id]).toEqual([who, expected, id]);
      }
    },
  );

  it('gives a nodeId that differs between the two forms of an app, and the same id (D151)', async () => {
    const [full, shown] = [await node(objects.App!.id, callers.owner), await node(objects.App!.id, null)];
    expect(full.data.id).toBe(shown.data.id);
    expect(full.data.nodeId).not.toBe(shown.data.nodeId);
    expect((await node(full.data.nodeId, callers.owner)).data).toEqual(full.data);
    expect((await node(shown.data.nodeId, callers.owner)).data).toEqual(shown.data);
  });

  it.each([
    '',
    'nonsense',
    'App',
    nodeIdOf('Nothing', unknownId),
    nodeIdOf('Node', unknownId),
    nodeIdOf('IssuedApiKey', unknownId),
    nodeIdOf('constructor', unknownId),
    nodeIdOf('App', 'not-an-id'),
    `${nodeIdOf('PublicApp', unknownId)}=`,
    'x'.repeat(10_000),
  ])('is null with NOT_FOUND for "%s", and the rest of the document is answered (D151)', async (id) => {
    const { data, errors } = await service.client.graphql(
      'query ($id: ID!) { node(id: $id) { id } categories { count } }',
      { id },
    );
    expect(data).toEqual({ node: null, categories: expect.any(Array) });
    expect(errors).toMatchObject([{ path: ['node'], extensions: { code: 'NOT_FOUND' } }]);
  });

  it('reports a credential that is dead where the form depends on the caller (D151)', async () => {
    expect((await node(objects.PublicApp!.nodeId, 'garbage')).data).toMatchObject({
      __typename: 'PublicApp',
    });
    expect((await node(objects.App!.id, 'garbage')).code).toBe('INVALID_TOKEN');
  });

  it.each(['garbage', 'mkt_garbage'])(
    'tells "%s" nothing about which plain ids exist (D151)',
    async (bearer) => {
      const missing = await node(unknownId, bearer);
      for (const type of ['App', 'AppVersion', 'Submission', 'ApiKey', 'AuditEvent', 'WebhookEndpoint']) {
        const { code, message } = await node(objects[type]!.id, bearer);
        expect([type, code, message]).toEqual([type, missing.code, missing.message]);
      }
    },
  );

  it('shows a hidden rating to its author and to administrators only (D77, D151)', async () => {
    const { id, nodeId } = objects.Rating!;
    await service.client.must('hideRating', { id, reason: 'Spam.' }, callers.administrator);
    for (const who of everybody) {
      const { code, data } = await node(nodeId, bearerOf(who));
      expect([who, code ?? data.__typename]).toEqual([
        who,
        who === 'author' || who === 'administrator' ? 'Rating' : 'NOT_FOUND',
      ]);
    }
    await service.client.must('unhideRating', { id }, callers.administrator);
  });
});
