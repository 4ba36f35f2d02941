import { describe, expect, it } from '@jest/globals';
import { operations } from '../../src/contract.js';
import { aListing, atOnce, type Json, unique } from '../support/actors.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { connectTo } from '../support/database.js';
import { until } from '../support/mail-server.js';
import { startService } from '../support/service.js';
import { countRows, type PostRequest, postWithKey } from './post-with-key.js';

const service = duringTests(() => startService({ DATABASE_POOL: '80' }));
const ada = beforeTests(() => service.aDeveloper());

const post = (request: PostRequest, key: string | null) => postWithKey(service, request, key);
const count = (from: string, values: unknown[] = []) => countRows(service, from, values);

/** A valid request to each POST of the contract, and the number of times that it had an effect. */
interface Case {
  route: string;
  create: () => Promise<{ request: PostRequest; effects: () => Promise<number> }>;
}
const cases: Case[] = [
  {
    route: 'POST /api/dev/register',
    create: async () => {
      const accountUserId = unique('account');
      const body = { accountUserId, name: 'Ada', email: `${accountUserId}@example.com` };
      return {
        request: { path: '/api/dev/register', body, bearer: await service.token(accountUserId) },
        effects: () => count('from developers where account_user_id = $1', [accountUserId]),
      };
    },
  },
  {
    route: 'POST /api/dev/api-keys',
    create: async () => {
      const name = unique('key');
      const body = { name, scopes: ['APP_READ'] };
      return {
        request: { path: '/api/dev/api-keys', body, bearer: ada.token },
        effects: () => count('from api_keys where name = $1', [name]),
      };
    },
  },
  {
    route: 'POST /api/dev/apps',
    create: async () => {
      const name = unique('App');
      return {
        request: { path: '/api/dev/apps', body: aListing({ name }), bearer: ada.key },
        effects: () => count('from apps where name = $1', [name]),
      };
    },
  },
  {
    route: 'POST /api/dev/apps/:id/submit',
    create: async () => {
      const { id } = await service.anApp(ada);
      return {
        request: { path: `/api/dev/apps/${id}/submit`, bearer: ada.key },
        effects: () => count("from audit_events where app_id = $1 and kind = 'app.submitted'", [id]),
      };
    },
  },
  {
    route: 'POST /api/apps/:slug/install',
    create: async () => {
      const { id, slug } = await service.anApp(ada, 'APPROVED');
      return {
        request: { path: `/api/apps/${slug}/install`, bearer: null },
        effects: () => count('from installations where app_id = $1', [id]),
      };
    },
  },
];
const repeatable = cases.filter(({ route }) => route !== 'POST /api/dev/api-keys');

describe('an Idempotency-Key', () => {
  it('is accepted by every POST of the contract', () => {
    const posts = operations.flatMap(([, { rest = '' }]) => (rest.startsWith('POST') ? [rest] : []));
    expect(cases.map(({ route }) => route).sort()).toEqual(posts.sort());
  });

  it.each(repeatable)('replays the first response of $route, byte for byte (D35)', async ({ create }) => {
    const { request, effects } = await create();
    const key = unique('key');
    const first = await post(request, key);
    const second = await post(request, key);
    expect(first.code).toBeNull();
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect({ status: second.status, text: second.text }).toEqual({ status: first.status, text: first.text });
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    for (const header of ['etag', 'content-type', 'content-length', 'cache-control', 'x-ignored-fields'])
      expect([header, second.headers.get(header)]).toEqual([header, first.headers.get(header)]);
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await effects()).toBe(1);
  });

  it.each(cases)(
    'makes one of fifty concurrent requests to $route take effect, and rejects the others (D35)',
    async ({ create }) => {
      const { request, effects } = await create();
      const key = unique('key');
      const responses = await atOnce(50, () => post(request, key));
      expect(await effects()).toBe(1);
      const successes = responses.filter(({ code }) => code === null);
      expect(new Set(successes.map(({ text }) => text)).size).toBe(1);
      expect(successes.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1);
      for (const { code, status } of responses.filter((response) => response.code))
        expect({ code, status }).toEqual({ code: 'IDEMPOTENCY_CONFLICT', status: 409 });
    },
  );

  it('is a conflict while the first request is running, and is replayed after it (D35)', async () => {
    const request = { path: '/api/dev/apps', body: aListing(), bearer: ada.key };
    const key = unique('key');
    const gate = await connectTo(service.databaseUrl);
    await gate.query('begin; lock table apps in share mode');
    const first = post(request, key);
    try {
      const waiting = "from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await until(async () => (await count(waiting)) > 0, 'the first request does not wait for the lock');
      const second = await post(request, key);
      expect(second).toMatchObject({ status: 409, code: 'IDEMPOTENCY_CONFLICT' });
      expect(second.json.error?.details).toMatchObject([{ code: 'in_progress' }]);
    } finally {
      await gate.end();
    }
    expect((await first).status).toBe(201);
    expect((await post(request, key)).text).toBe((await first).text);
  });

  it('does not store or repeat the secret of an API key, and names the key that was created (D35)', async () => {
    const body = { name: unique('key'), scopes: ['APP_READ'] };
    const request = { path: '/api/dev/api-keys', body, bearer: ada.token };
    const key = unique('key');
    const created = (await post(request, key)).json as unknown as Json & { key: string; maskedKey: string };
    const again = await post(request, key);
    expect(again).toMatchObject({ status: 409, code: 'IDEMPOTENCY_CONFLICT' });
    expect(again.json.error?.message).toContain(created.maskedKey);
    expect(again.json.error?.message).toContain(created.id);
    expect(again.text).not.toContain(created.key.slice(8, -4));
    const stored = await service.sql<{ row: string }>(
      'select to_jsonb(k)::text as row from stored_responses k',
    );
    expect(stored.map(({ row }) => row).join()).not.toContain(created.key.slice(8, -4));
  });
});
