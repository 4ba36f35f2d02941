import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type GraphQLObjectType, type GraphQLSchema, type OperationDefinitionNode, parse } from 'graphql';
import type { OperationName } from '../../src/contract.js';
import { charactersPerPoint, costOf } from '../../src/graphql/cost.js';
import { costExceptions } from '../../src/graphql/cost-exceptions.js';
import { greatestItems } from '../../src/graphql/list-lengths.js';
import { buildGraphQLSchema } from '../../src/graphql/schema.js';
import type { Developer, Json, VersionJson } from '../support/actors.js';
import { type Input, selection } from '../support/api-client.js';
import { type Service, startService } from '../support/service.js';
import {
  aConflict,
  aLongDeveloper,
  aRejection,
  createLongApp,
  longest,
  reject,
  text,
  url,
} from './largest-data.js';

let schema: GraphQLSchema;
let service: Service;
let ada: Developer;
let admin: string;
beforeAll(async () => {
  schema = await buildGraphQLSchema();
  service = await startService({ ASSET_CHECKS: 'off' });
  ada = await aLongDeveloper(service);
  admin = await service.admin();
});
afterAll(() => service.close());

/** All fields of what a root field returns, or of a field of an app. */
const allOf = (type: string, field: string) =>
  selection((schema.getType(type) as GraphQLObjectType).getFields()[field]!.type);

/** Returns the cost of a document, in characters, and the length of the response. */
async function measure(document: string, bearer: string): Promise<{ paid: number; length: number }> {
  const parsed = parse(document);
  const operation = parsed.definitions[0] as OperationDefinitionNode;
  const paid = charactersPerPoint * costOf({ schema, document: parsed, operation, variables: {} });
  const response = await service.client.request('POST', '/graphql', { bearer, body: { query: document } });
  const body = await response.text();
  expect(body).not.toContain('"errors"');
  return { paid, length: body.length };
}

describe('the length of a list', () => {
  it('is at least that of the longest lists there are (D356)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    const { id: versionId } = await service.client.must<VersionJson>(
      'createAppVersion',
      { appId: app.id },
      ada.token,
    );
    const action = 'allowedActions { action }';
    // The sum, as an administrator sees it who is the developer.
    const lengths: Record<string, number> = {};
    for (const bearer of [ada.token, admin]) {
      const found = await service.client.graphql(
        `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on App { ${action} } ... on AppVersion { ${action} } ... on Developer { ${action} } } }`,
        { ids: [app.id, versionId, ada.id] },
        bearer,
      );
      const nodes = found.data?.nodes as unknown as { __typename: string; allowedActions: unknown[] }[];
      expect(nodes).toHaveLength(3);
      for (const { __typename, allowedActions } of nodes)
        lengths[__typename] = (lengths[__typename] ?? 0) + allowedActions.length;
    }
    for (const [type, length] of Object.entries(lengths))
      expect([type, greatestItems(type, 'allowedActions')]).toEqual([type, length]);
  });
});

describe('the largest response', () => {
  /** What it takes to make the response of each exception as large as it can be. */
  const largest: Record<string, () => Promise<[document: string, bearer: string]>> = {
    'AuditEvent.data': async () => {
      await aRejection(service, ada);
      return [`{ auditLog(first: 1) ${allOf('Query', 'auditLog')} }`, admin];
    },
    'Event.data': async () => {
      const eve = await service.aDeveloper();
      await aRejection(service, eve);
      return ['{ events(first: 4) { edges { node { type data } } } }', eve.token];
    },
    'WebhookDelivery.requestBody': async () => {
      const { id } = await service.client.must<Json>(
        'createWebhookEndpoint',
        { url: 'https://ada.example/' },
        ada.token,
      );
      await service.client.must('testWebhookEndpoint', { id }, ada.token);
      await aRejection(service, ada);
      const data = 'select data from audit_events order by created_at desc, id desc limit 1';
      await service.sql(
        `update webhook_deliveries set request_body = jsonb_build_object('type', 'app.rejected', 'data', (${data}))::text where endpoint_id = $1`,
        [id],
      );
      return [
        `{ webhookDeliveries(endpointId: "${id}", first: 1) { edges { node { requestBody } } } }`,
        ada.token,
      ];
    },
    'WebhookDelivery.attempts': async () => {
      const { id } = await service.client.must<Json>('createWebhookEndpoint', { url: url('w') }, ada.token);
      const delivery = await service.client.must<Json>('testWebhookEndpoint', { id }, ada.token);
      await service.sql(
        `insert into webhook_attempts (id, created_at, delivery_id, number, url, request_headers, response_status, response_body, error, duration_ms)
           select gen_random_uuid(), now(), $1, n, $2, jsonb_build_object('webhook-signature', repeat('s', 900)), 500, repeat('x', 4096), repeat('e', 300), 1000
           from generate_series(1, 50) n`,
        [delivery.id, url('w')],
      );
      return [
        `{ webhookDeliveries(endpointId: "${id}", first: 1) ${allOf('Query', 'webhookDeliveries')} }`,
        ada.token,
      ];
    },
    'Rejection.reasons': async () => {
      const id = await aRejection(service, ada);
      return [`{ myApp(id: "${id}") { rejection ${allOf('App', 'rejection')} } }`, ada.token];
    },
    'TimelineEntry.reasons': async () => {
      const id = await aRejection(service, ada);
      return [
        `{ myApp(id: "${id}") { timeline(last: 1) { edges { node { message reasons ${allOf('TimelineEntry', 'reasons')} } } } } }`,
        ada.token,
      ];
    },
    'Query.myApps': async () => {
      const missing = 200 - (await service.client.must<Json[]>('myApps', {}, ada.token)).length;
      for (let n = 0; n < missing; n += 1) await createLongApp(service, ada.token);
      return [`{ myApps ${allOf('Query', 'myApps')} }`, ada.token];
    },
    'ReviewQueueItem.app': async () => {
      await aConflict(service, ada);
      return [
        `{ reviewQueue(first: 1) { edges { node { app ${allOf('ReviewQueueItem', 'app')} } } } }`,
        admin,
      ];
    },
    'ReviewQueueItem.version': async () => {
      await aConflict(service, ada);
      const version = allOf('ReviewQueueItem', 'version');
      return [`{ reviewQueue(first: 1) { edges { node { version ${version} } } } }`, admin];
    },
    'Submission.app': async () => {
      await aConflict(service, ada);
      return [`{ decisions(first: 1) { edges { node { app ${allOf('Submission', 'app')} } } } }`, admin];
    },
    'Submission.version': async () => {
      const { version } = await aConflict(service, ada);
      await reject(service, 'rejectAppVersion', version, 3);
      return [
        `{ decisions(first: 1) { edges { node { version ${allOf('Submission', 'version')} } } } }`,
        admin,
      ];
    },
  };

  it('is measured for every exception, which has a reason (D356)', () => {
    expect(Object.keys(largest).sort()).toEqual(Object.keys(costExceptions).sort());
    for (const { counts, most, why } of Object.values(costExceptions)) {
      expect(counts).toBeLessThan(most);
      expect(why).toMatch(/^[A-Z].{20,}\.$/);
    }
  });

  it.each(Object.entries(costExceptions))(
    'with %s costs less than it is long, by no more than the exception says (D356)',
    async (name, { counts, most }) => {
      const [document, bearer] = await largest[name]!();
      const { paid, length } = await measure(document, bearer);
      expect(length).toBeGreaterThan(paid);
      expect(length).toBeLessThanOrEqual((paid * most) / counts);
    },
  );

  it.each<[string, () => Promise<[document: string, bearer: string]>]>([
    [
      'versions with changes and conflicts in every field',
      async () => {
        const { app } = await aConflict(service, ada);
        return [`{ myApp(id: "${app.id}") { versions(first: 1) ${allOf('App', 'versions')} } }`, ada.token];
      },
    ],
    [
      'submissions, each with its app and version',
      async () => {
        const { app } = await aConflict(service, ada);
        return [
          `{ myApp(id: "${app.id}") { submissions(first: 2) ${allOf('App', 'submissions')} } }`,
          ada.token,
        ];
      },
    ],
    [
      'timelines of edits of every field',
      async () => {
        const { id } = await createLongApp(service, ada.token);
        for (const letter of ['b', 'c', 'd', 'e'])
          await service.client.must(
            'updateApp',
            { id, ...longest(letter), category: letter < 'd' ? 'FINANCE' : 'OTHER' },
            ada.token,
          );
        return [`{ myApp(id: "${id}") { timeline(last: 4) ${allOf('App', 'timeline')} } }`, ada.token];
      },
    ],
    [
      'what was done with a key',
      async () => {
        const eve = await aLongDeveloper(service);
        const { id: keyId, key } = await service.anIssuedKey(eve);
        const app = await createLongApp(service, key);
        const { id } = await service.client.must<Json>('createWebhookEndpoint', { url: url('a') }, key);
        const edits: [OperationName, Input][] = [
          ['updateApp', { id: app.id, ...longest('b') }],
          [
            'updateMe',
            {
              name: text('b', 100),
              companyName: text('b', 120),
              bio: text('b', 2_000),
              websiteUrl: url('b'),
            },
          ],
          ['updateWebhookEndpoint', { id, url: url('b'), description: text('b', 200) }],
        ];
        for (const [name, input] of edits) {
          await service.client.must(name, input, key);
          await service.sql(
            `insert into audit_events (id, created_at, kind, developer_id, app_id, data, actor_kind, actor_key, before, after, request_id)
             select gen_random_uuid(), created_at, kind, developer_id, app_id, data, actor_kind, actor_key, before, after, request_id
             from (select * from audit_events where actor_key = $1 order by created_at desc, id desc limit 1) e,
               generate_series(1, 99)`,
            [keyId],
          );
        }
        return [`{ keyChanges(keyId: "${keyId}") ${allOf('Query', 'keyChanges')} }`, eve.token];
      },
    ],
  ])('of %s costs at least its length (D356)', async (_, prepare) => {
    const [document, bearer] = await prepare();
    const { paid, length } = await measure(document, bearer);
    expect(length).toBeLessThanOrEqual(paid);
    // Not by far: a cost that is too high rejects documents that do no harm.
    expect(length).toBeGreaterThan(paid / 4);
  });
});
