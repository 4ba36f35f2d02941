import { beforeAll, describe, expect, it } from '@jest/globals';
import { aListing, type ConnectionJson, type Developer, type Json } from '../../support/actors.js';
import { duringTests } from '../../support/before-tests.js';
import { connectTo } from '../../support/database.js';
import { anId, aTime, unknownId } from '../../support/matchers.js';
import { expectError } from '../../support/outcomes.js';
import { startService } from '../../support/service.js';

type Line = Json & { kind: string; at: string; requestId: string; actorAccount: string | null };
type Page = ConnectionJson<Line>;

let admin: string;
let ada: Developer;
let eve: Developer;
let app: Json;
let issued: Json & { key: string };
const service = duringTests(startService);
beforeAll(async () => {
  admin = await service.admin();
  [ada, eve] = [await service.aDeveloper(), await service.aDeveloper()];
  issued = await service.anIssuedKey(ada);
  app = await service.client.must<Json>('createApp', aListing(), issued.key);
  await service.client.request('POST', `/api/dev/apps/${app.id}/submit`, {
    bearer: issued.key,
    headers: { 'x-request-id': 'the-submission' },
  });
  await service.administer('approveApp', { id: app.id, revision: 1, note: 'Fine.' });
  await service.client.must('revokeApiKey', { id: issued.id }, ada.token);
});

const read = (input: object = {}, bearer: string | null = admin) =>
  service.client.call<Page>('graphql', 'auditLog', { ...input }, bearer);
const linesOf = async (input: object) => (await read(input)).data.edges.map(({ node }) => node);
const kindsOf = async (input: object) => (await linesOf(input)).map(({ kind }) => kind);

describe('auditLog', () => {
  it('tells who did what, when, what was before and after, and in which request (D38)', async () => {
    const [approval] = await linesOf({ kind: 'app.approved' });
    expect(approval).toEqual({
      id: anId,
      at: aTime,
      kind: 'app.approved',
      actorKind: 'ADMINISTRATOR',
      actorAccount: 'the-administrator',
      actorKeyId: null,
      developerId: ada.id,
      appId: app.id,
      keyId: null,
      before: { status: 'PENDING' },
      after: { status: 'APPROVED' },
      data: { note: 'Fine.' },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('is filtered by actor, kind, app, developer, key and request, and by several at once (D95)', async () => {
    expect(await kindsOf({ actor: 'the-administrator' })).toEqual([
      'app.approved',
      'developer.verified',
      'developer.verified',
    ]);
    expect(await kindsOf({ actor: issued.id })).toEqual(['app.submitted', 'app.created']);
    expect(await kindsOf({ actor: issued.id.toUpperCase() })).toHaveLength(2);
    expect(await kindsOf({ actor: 'unknownId' })).toEqual([]);
    expect(await kindsOf({ appId: app.id })).toEqual(['app.approved', 'app.submitted', 'app.created']);
    expect(await kindsOf({ developerId: eve.id })).toEqual([
      'key.created',
      'developer.verified',
      'developer.registered',
    ]);
    expect(await kindsOf({ keyId: issued.id })).toEqual(['key.revoked', 'key.created']);
    expect(await kindsOf({ requestId: 'the-submission' })).toEqual(['app.submitted']);
    expect(await kindsOf({ developerId: ada.id, kind: 'key.created' })).toHaveLength(2);
    expect(await kindsOf({ developerId: unknownId })).toEqual([]);
    expect(await kindsOf({ developerId: 'no-uuid' })).toEqual([]);
  });

  it('finds a rotated key under both of its ids (D90, D95)', async () => {
    const { id } = await service.anIssuedKey(eve);
    const { id: next } = await service.client.must<Json>('rotateApiKey', { id }, eve.token);
    expect(await kindsOf({ keyId: id })).toEqual(['key.rotated', 'key.created']);
    expect(await kindsOf({ keyId: next })).toEqual(['key.rotated']);
  });

  it('is cut by time: from a moment on, and before another (D95)', async () => {
    const all = (await linesOf({ developerId: ada.id })).map(({ at }) => at);
    const [newest = '', oldest = ''] = [all[0], all.at(-1)];
    expect(await linesOf({ developerId: ada.id, from: oldest, to: newest })).toHaveLength(
      all.filter((at) => at < newest).length,
    );
    expect(await linesOf({ to: '2000-01-01T00:00:00Z' })).toEqual([]);
    expect(await linesOf({ from: '2000-01-01T01:00:00+01:00', developerId: ada.id })).toHaveLength(
      all.length,
    );
    expectError(await read({ from: 'yesterday', to: '2000-01-01' }), 'VALIDATION_FAILED', [
      'from: invalid_time',
      'to: invalid_time',
    ]);
  });

  it('comes in pages, newest first, each line once while more are written (D95)', async () => {
    const seen: Line[] = [];
    let after: string | null | undefined;
    let total = 0;
    do {
      const { data } = await read({ first: 4, ...(after && { after }) });
      seen.push(...data.edges.map(({ node }) => node));
      total ||= data.totalCount;
      after = data.pageInfo.hasNextPage ? data.pageInfo.endCursor : undefined;
      await service.anIssuedKey(eve);
    } while (after);
    expect(seen).toHaveLength(total);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(total);
    expect(seen.map(({ at }) => at)).toEqual(
      seen
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    );
    expectError(await read({ after: 'nonsense' }), 'VALIDATION_FAILED', ['after: invalid_cursor']);
  });

  it('has an index for every filter (D95)', async () => {
    const planner = await connectTo(service.databaseUrl);
    await planner.query('set enable_seqscan = off; set enable_sort = off');
    for (const condition of [
      "actor_account = 'x' or actor_key = '01890000-0000-7000-8000-000000000000'",
      "kind = 'x'",
      "app_id = '01890000-0000-7000-8000-000000000000'",
      "developer_id = '01890000-0000-7000-8000-000000000000'",
      "data->>'keyId' = 'x' or data->>'formerKeyId' = 'x'",
      "request_id = 'x'",
      'created_at >= now()',
    ]) {
      const { rows } = await planner.query<{ 'QUERY PLAN': string }>(
        `explain select id from audit_events where ${condition}`,
      );
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Cond/);
    }
    await planner.end();
  });
});

describe('the kind of an event as an enum', () => {
  it('is shown beside the string, and is a filter (D150)', async () => {
    const { auditLog } = await service.client.queryData<{
      auditLog: ConnectionJson<{ kind: string; eventKind: string }>;
    }>(
      'query ($id: ID!) { auditLog(filter: { eventKind: APP_APPROVED, appId: $id }) { edges { node { kind eventKind } } } }',
      { id: app.id },
      admin,
    );
    expect(auditLog.edges).toEqual([{ node: { kind: 'app.approved', eventKind: 'APP_APPROVED' } }]);
    const { myApp } = await service.client.queryData<{ myApp: { timeline: { edges: object[] } } }>(
      'query ($id: ID!) { myApp(id: $id) { timeline { edges { node { kind eventKind } } } } }',
      { id: app.id },
      ada.token,
    );
    expect(myApp.timeline.edges).toContainEqual({
      node: { kind: 'app.submitted', eventKind: 'APP_SUBMITTED' },
    });
  });

  it('exists for every event of the log (D150)', async () => {
    const { auditLog } = await service.client.queryData<{
      auditLog: ConnectionJson<{ kind: string; eventKind: string }>;
    }>('{ auditLog(first: 100) { edges { node { kind eventKind } } } }', {}, admin);
    expect(auditLog.edges.length).toBeGreaterThan(5);
    for (const { node } of auditLog.edges)
      expect(node.eventKind).toBe(node.kind.toUpperCase().replaceAll(/[.-]/g, '_'));
  });
});

describe('the names in the audit log', () => {
  it('are those of the app and the developer as they are now, in two more queries for a page (D194)', async () => {
    const gone = await service.client.must<Json>('createApp', aListing({ name: 'Gone' }), eve.token);
    await service.client.must('deleteApp', { id: gone.id }, eve.token);
    const query = `query ($filter: AuditLogFilter) {
      auditLog(filter: $filter, first: 100) { edges { node { kind app { id name } developer { id name } } } }
    }`;
    const named = async (filter: object) => {
      const { auditLog } = await service.client.queryData<{ auditLog: ConnectionJson }>(
        query,
        { filter },
        admin,
      );
      return auditLog.edges.map(({ node }) => node);
    };
    const [approved] = await named({ appId: app.id, kind: 'app.approved' });
    expect(approved).toMatchObject({ app: { id: app.id, name: app.name }, developer: { id: ada.id } });
    expect(await named({ appId: gone.id })).toMatchObject([
      { kind: 'app.deleted', app: null, developer: { id: eve.id } },
      { kind: 'app.created', app: null, developer: { id: eve.id } },
    ]);
  });
});
