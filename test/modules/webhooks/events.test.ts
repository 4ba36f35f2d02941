import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { v7 as newId } from 'uuid';
import type { ConnectionJson, Developer } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { connectTo } from '../../support/database.js';
import { anId, aTime } from '../../support/matchers.js';
import { expectError } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

interface EventJson {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

const service = beforeTests(sharedService);

const events = (developer: Developer, after: string | null = null, first = 100) =>
  service.client.must<ConnectionJson<EventJson>>('events', { after, first }, developer.token);
const types = (page: ConnectionJson<EventJson>) => page.edges.map(({ node }) => node.type);

const insert = `insert into audit_events (id, created_at, kind, actor_kind, developer_id, data, request_id)
  values ($1, now(), 'app.featured', 'system', $2, '{}', 'test')`;

/** A transaction that records an event and commits later. */
async function writer(developerId: string) {
  const client = await connectTo(service.databaseUrl);
  const id = newId();
  return {
    id,
    async record() {
      await client.query('begin');
      await client.query(insert, [id, developerId]);
    },
    async commit() {
      await client.query('commit');
      await client.end();
    },
  };
}

describe('events', () => {
  it('lists the same events as webhooks, in order, and nothing else (D37)', async () => {
    const ada = await service.aDeveloper({ companyName: 'Engines' });
    const app = await service.anApp(ada, 'REJECTED');
    await service.client.must('updateApp', { id: app.id, description: 'Another one.' }, ada.token);
    const page = await events(ada);
    expect(types(page)).toEqual(['developer.verified', 'key.created', 'app.submitted', 'app.rejected']);
    expect(page.totalCount).toBe(4);
    expect(page.edges.at(-1)?.node).toEqual({
      id: anId,
      type: 'app.rejected',
      timestamp: aTime,
      data: {
        developer: { id: ada.id, name: 'Ada', companyName: 'Engines', websiteUrl: null },
        app: { id: app.id, slug: app.slug, name: app.name },
        reasons: [{ code: 'INCOMPLETE', field: 'description', message: 'It says too little.' }],
        guidance: 'Say what it does.',
      },
    });
    expect(JSON.stringify(page)).not.toMatch(/the-administrator|@example\.com|accountUserId/);
  });

  it("is the caller's own (D37)", async () => {
    const [ada, bob] = [await service.aDeveloper(), await service.aDeveloper()];
    await service.anApp(ada, 'PENDING');
    expect(types(await events(bob))).toEqual(['developer.verified', 'key.created']);
  });

  it('continues after a cursor; an empty page returns the same cursor (D37)', async () => {
    const ada = await service.aDeveloper();
    const first = await events(ada, null, 1);
    expect([types(first), first.pageInfo.hasNextPage]).toEqual([['developer.verified'], true]);
    const second = await events(ada, first.pageInfo.endCursor, 1);
    expect([types(second), second.pageInfo.hasNextPage]).toEqual([['key.created'], false]);
    const { endCursor } = second.pageInfo;
    const empty = await events(ada, endCursor);
    expect([empty.edges, empty.pageInfo.endCursor]).toEqual([[], endCursor]);
    await service.anApp(ada, 'PENDING');
    expect(types(await events(ada, endCursor))).toEqual(['app.submitted']);
  });

  it.each(['nonsense', 'ZXZlbnQgLTE', 'ZXZlbnQgMQ==', 'ZXZlbnQgMDE=', 'x'.repeat(501)])(
    'refuses %s as a cursor (D7)',
    async (after) => {
      const ada = await service.anUnverifiedDeveloper();
      const outcome = await service.client.call('graphql', 'events', { after }, ada.token);
      expectError(outcome, 'VALIDATION_FAILED', [
        `after: ${after.length > 500 ? 'too_long' : 'invalid_cursor'}`,
      ]);
    },
  );

  it('shows no event before an earlier one that is not committed yet (D37)', async () => {
    const ada = await service.anUnverifiedDeveloper();
    const [slow, quick] = [await writer(ada.id), await writer(ada.id)];
    await slow.record();
    const done = quick.record().then(() => quick.commit());
    await delay(200);
    const early = await events(ada);
    await slow.commit();
    await done;
    const late = await events(ada, early.pageInfo.endCursor);
    expect([...early.edges, ...late.edges].map(({ node }) => node.id)).toEqual([slow.id, quick.id]);
  });

  it('loses and repeats nothing, with fifty concurrent writers and one poller (D37)', async () => {
    const ada = await service.anUnverifiedDeveloper();
    const writers = await Promise.all(Array.from({ length: 50 }, () => writer(ada.id)));
    const write = async ({ record, commit }: (typeof writers)[number], index: number) => {
      await delay((index * 7) % 50);
      await record();
      await delay((index * 13) % 17);
      await commit();
    };
    let writing = true;
    const written = Promise.all(writers.map(write)).then(() => {
      writing = false;
    });
    const seen: string[] = [];
    let [cursor, polls, last]: [string | null, number, boolean] = [null, 0, false];
    while (!last) {
      last = !writing;
      const page: ConnectionJson<EventJson> = await events(ada, cursor, 7);
      seen.push(...page.edges.map(({ node }) => node.id));
      cursor = page.pageInfo.endCursor;
      polls += 1;
      last &&= !page.pageInfo.hasNextPage;
    }
    await written;
    expect(seen).toHaveLength(50);
    expect(new Set(seen)).toEqual(new Set(writers.map(({ id }) => id)));
    expect(polls).toBeGreaterThan(8);
  });

  it('lists each of fifty concurrent API calls once (D37)', async () => {
    const ada = await service.aDeveloper();
    const keys = await Promise.all(Array.from({ length: 50 }, () => service.anIssuedKey(ada)));
    const told = (await events(ada)).edges.slice(2).map(({ node }) => node.data.keyId);
    expect(told.toSorted()).toEqual(keys.map(({ id }) => id).toSorted());
  });
});
