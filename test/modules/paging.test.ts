import { beforeAll, describe, expect, it } from '@jest/globals';
import { type OperationName, operations } from '../../src/contract.js';
import { type ConnectionJson, type Developer, type Json, unique } from '../support/actors.js';
import type { Input } from '../support/api-client.js';
import { duringTests } from '../support/before-tests.js';
import { unknownId } from '../support/matchers.js';
import { expectError, expectSuccess } from '../support/outcomes.js';
import { startService } from '../support/service.js';

let ada: Developer;
let admin: string;
const ids: Record<string, string> = {};
const service = duringTests(startService);
const must = (name: OperationName, input: Input, bearer: string) =>
  service.client.must<Json>(name, input, bearer);

/** Makes five items at least in every list. */
beforeAll(async () => {
  [ada, admin] = [await service.aDeveloper(), await service.admin()];
  const app = await service.anApp(ada, 'APPROVED');
  const endpoint = await must('createWebhookEndpoint', { url: 'https://ada.example/hook' }, ada.token);
  const adminEndpoint = await must('createAdminWebhook', { url: 'https://desk.example/hook' }, admin);
  const reported = await service.aRating(app);
  for (let count = 0; count < 5; count += 1) {
    const reporter = await service.token(unique('reporter'));
    await service.anUnverifiedDeveloper();
    await service.aKey(ada);
    await service.anApp(ada, 'PENDING');
    const { slug } = await service.anApp(ada, 'APPROVED');
    await must('reportApp', { slug, reason: 'SPAM' }, reporter);
    await must('hideRating', { id: (await service.aRating(app)).id, reason: 'Spam.' }, admin);
    for (const { id } of [reported, await service.aRating(app)])
      await must('reportRating', { id, reason: 'Spam.' }, reporter);
    await must('messageDeveloper', { id: app.id, text: 'Hello.' }, admin);
    const { id } = await must('createAppVersion', { appId: app.id, description: 'Better.' }, ada.token);
    await must('submitAppVersion', { id }, ada.token);
    await must('discardAppVersion', { id }, ada.token);
    await must('testWebhookEndpoint', { id: endpoint.id }, ada.token);
    await must('testAdminWebhook', { id: adminEndpoint.id }, admin);
  }
  Object.assign(ids, { app: app.id, slug: app.slug, reported: reported.id });
  Object.assign(ids, { endpoint: endpoint.id, adminEndpoint: adminEndpoint.id });
  // They have two times, so that many are in the order of their ids.
  for (const [table, ...columns] of [
    ['apps', 'created_at', 'updated_at'],
    ['app_versions', 'created_at'],
    ['submissions', 'created_at', 'queued_at', 'ended_at'],
    ['developers', 'created_at'],
    ['ratings', 'created_at', 'hidden_at'],
    ['review_messages', 'created_at'],
    ['webhook_deliveries', 'created_at'],
  ] as const) {
    const rounded = columns.map(
      (column) => `${column} = date_trunc('hour', ${column}) + half * interval '1 s'`,
    );
    const halves = `select id, row_number() over (order by id) % 2 as half from ${table}`;
    await service.sql(`update ${table} t set ${rounded.join()} from (${halves}) h where h.id = t.id`);
  }
});

/** Every list of the contract that has cursors: who reads it, and with which other input. */
const lists: [name: OperationName, by: 'developer' | 'administrator', input?: () => Input][] = [
  ['adminApps', 'administrator'],
  ['adminApps', 'administrator', () => ({ sort: 'OLDEST' })],
  ['adminApps', 'administrator', () => ({ sort: 'UPDATED' })],
  ['adminWebhookDeliveries', 'administrator', () => ({ endpointId: ids.adminEndpoint })],
  ['appRatings', 'developer', () => ({ slug: ids.slug })],
  ['appReports', 'administrator'],
  ['apps', 'developer'],
  ['auditLog', 'administrator'],
  ['decisions', 'administrator'],
  ['developers', 'administrator'],
  ['developers', 'administrator', () => ({ sort: 'OLDEST' })],
  ['events', 'developer'],
  ['hiddenRatings', 'administrator'],
  ['reportedRatings', 'administrator'],
  ['reviewQueue', 'administrator'],
  ['webhookDeliveries', 'developer', () => ({ endpointId: ids.endpoint })],
];

/** Fields that are lists with cursors, which can be read from both ends. */
const fields: [type: string, field: string, id: () => string, by: 'developer' | 'administrator'][] = [
  ['App', 'messages', () => ids.app!, 'developer'],
  ['App', 'ratings', () => ids.app!, 'administrator'],
  ['App', 'submissions', () => ids.app!, 'developer'],
  ['App', 'timeline', () => ids.app!, 'developer'],
  ['App', 'versions', () => ids.app!, 'developer'],
  ['Developer', 'apiKeys', () => ada.id, 'developer'],
  ['Developer', 'apps', () => ada.id, 'administrator'],
  ['Rating', 'reports', () => ids.reported!, 'administrator'],
  ['WebhookEndpoint', 'deliveries', () => ids.endpoint!, 'developer'],
];

type Page = ConnectionJson<unknown>;
const cursorsOf = ({ edges }: Page) => edges.map(({ cursor }) => cursor);
const bearerOf = (by: 'developer' | 'administrator') => (by === 'developer' ? ada.token : admin);

/** Reads page after page, in one of the directions, and expects the same items in the same order as in the whole list. */
async function expectSamePages(read: (page: Input) => Promise<Page>, isBackwards = false): Promise<void> {
  const whole = cursorsOf(await read({ first: 100 }));
  expect(whole.length).toBeGreaterThan(4);
  // Most cursors are a time and an id: lists are sorted by both, in the same direction.
  const places = whole.map((cursor) => Buffer.from(cursor, 'base64url').toString());
  if (places[0]!.includes('Z '))
    expect([places.toSorted(), places.toSorted().toReversed()]).toContainEqual(places);
  const seen: string[] = [];
  for (let place: string | null = null, more = true; more; ) {
    const page: Page = await read(isBackwards ? { last: 2, before: place } : { first: 2, after: place });
    const { startCursor, endCursor, ...has } = page.pageInfo;
    const cursors = cursorsOf(page);
    expect([page.totalCount, startCursor, endCursor]).toEqual([whole.length, cursors[0], cursors.at(-1)]);
    const isLater = place !== null;
    more = isBackwards ? has.hasPreviousPage : has.hasNextPage;
    expect(isBackwards ? has.hasNextPage : has.hasPreviousPage).toBe(isLater);
    if (isBackwards) seen.unshift(...cursors);
    else seen.push(...cursors);
    place = isBackwards ? startCursor : endCursor;
    expect(more).toBe(seen.length < whole.length);
  }
  expect(seen).toEqual(whole);
}

it('every list with cursors is in the table', () => {
  const named = operations.filter(([, { input }]) => 'after' in input.shape).map(([name]) => name);
  expect(named.toSorted()).toEqual([...new Set(lists.map(([name]) => name))].toSorted());
});

describe.each(lists)('%s for a %s', (name, by, input = () => ({})) => {
  const read = (page: Input) =>
    service.client.call<Page>('graphql', name, { ...input(), ...page }, bearerOf(by));

  it('has pages of each item once, in the order of the whole list, ties included (D28)', async () => {
    await expectSamePages(async (page) => expectSuccess(await read(page)));
  });

  it('has no items after the last one', async () => {
    const { pageInfo, totalCount } = (await read({ first: 100 })).data;
    const rest = expectSuccess(await read({ after: pageInfo.endCursor }));
    expect([rest.edges, rest.totalCount, rest.pageInfo.hasNextPage]).toEqual([[], totalCount, false]);
  });

  it('begins with the first item if the cursor is empty or null (D16)', async () => {
    const { data } = await read({ first: 3 });
    for (const after of ['', null]) expect((await read({ first: 3, after })).data).toEqual(data);
  });

  it.each([
    ['garbage', 'garbage'],
    ['no id', btoa('2026-01-01T00:00:00.000Z ')],
    ['no time', btoa(`never ${unknownId}`)],
    ['a time in words', btoa(`1 January 2026 ${unknownId}`)],
    ['something added', btoa(`2026-01-01T00:00:00.000Z ${unknownId} x`)],
    ['a year before Christ', btoa(`-000001-01-01T00:00:00.000Z ${unknownId}`)],
    ['a year beyond all', btoa(`+275760-09-13T00:00:00.000Z ${unknownId}`)],
    ['SQL', btoa("2026-01-01T00:00:00.000Z ' or true --")],
  ])('refuses a forged cursor: %s (D7)', async (_, after) => {
    const cursor = after.replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_');
    expectError(await read({ after: cursor }), 'VALIDATION_FAILED', ['after: invalid_cursor']);
  });

  it('refuses a cursor that is too long (D7)', async () => {
    const longest = name === 'apps' ? 1000 : 500;
    expectError(await read({ after: 'x'.repeat(longest + 1) }), 'VALIDATION_FAILED', ['after: too_long']);
  });
});

describe.each(fields)('%s.%s', (type, field, id, by) => {
  const read = async (page: Input) => {
    const { node } = await service.client.queryData<{ node: Record<string, Page> }>(
      `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) { node(id: $id) { ... on ${type} {
        ${field}(first: $first, after: $after, last: $last, before: $before) {
          totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor } } } } }`,
      { id: id(), ...page },
      bearerOf(by),
    );
    return node[field]!;
  };

  it('has the same items in pages from the start (D28)', async () => {
    await expectSamePages(read);
  });

  it('has the same items in pages from the end (D117)', async () => {
    await expectSamePages(read, true);
  });
});
