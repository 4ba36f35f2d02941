import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.js';
import { operations } from '../../src/contract.js';
import { openWorker } from '../../src/process/open-worker.js';
import { type AppJson, aListing, type Developer, type Json, unique } from '../support/actors.js';
import { notificationsOf } from '../support/notifications.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let ada: Developer;
beforeAll(async () => {
  service = await startService({ DATABASE_POOL: '60', TRUST_PROXY: 'loopback' });
  ada = await service.aDeveloper();
});
afterAll(() => service.close());

interface Request {
  path: string;
  body?: unknown;
  bearer: string | null;
}
interface Answered {
  status: number;
  code: string | null;
  json: Record<string, never> & { error?: { message: string; details: unknown[] } };
  text: string;
  headers: Headers;
}

const post = async (
  { path, body, bearer }: Request,
  key: string | null,
  { headers = {}, at = service }: { headers?: Record<string, string>; at?: Service } = {},
): Promise<Answered> => {
  const response = await at.doors.request('POST', path, {
    bearer,
    ...(body !== undefined && { body }),
    headers: { ...(key !== null && { 'idempotency-key': key }), ...headers },
  });
  const text = await response.text();
  const json = JSON.parse(text);
  return { status: response.status, code: json.error?.code ?? null, json, text, headers: response.headers };
};
const count = async (text: string, values: unknown[]) =>
  (await service.sql<{ count: number }>(`select count(*)::int as count ${text}`, values))[0]!.count;

/** Each POST of the contract: a request that is right, and how often it has taken effect. */
interface Case {
  row: string;
  make: () => Promise<{ request: Request; effects: () => Promise<number> }>;
}
const cases: Case[] = [
  {
    row: 'POST /api/dev/register',
    make: async () => {
      const accountUserId = unique('account');
      const body = { accountUserId, name: 'Ada', email: `${accountUserId}@example.com` };
      return {
        request: { path: '/api/dev/register', body, bearer: await service.token(accountUserId) },
        effects: () => count('from developers where account_user_id = $1', [accountUserId]),
      };
    },
  },
  {
    row: 'POST /api/dev/api-keys',
    make: async () => {
      const name = unique('key');
      const body = { name, scopes: ['APP_READ'] };
      return {
        request: { path: '/api/dev/api-keys', body, bearer: ada.token },
        effects: () => count('from api_keys where name = $1', [name]),
      };
    },
  },
  {
    row: 'POST /api/dev/apps',
    make: async () => {
      const name = unique('App');
      return {
        request: { path: '/api/dev/apps', body: aListing({ name }), bearer: ada.key },
        effects: () => count('from apps where name = $1', [name]),
      };
    },
  },
  {
    row: 'POST /api/dev/apps/:id/submit',
    make: async () => {
      const { id } = await service.anApp(ada);
      return {
        request: { path: `/api/dev/apps/${id}/submit`, bearer: ada.key },
        effects: () => count("from audit_events where app_id = $1 and kind = 'app.submitted'", [id]),
      };
    },
  },
  {
    row: 'POST /api/apps/:slug/install',
    make: async () => {
      const { id, slug } = await service.anApp(ada, 'APPROVED');
      return {
        request: { path: `/api/apps/${slug}/install`, bearer: null },
        effects: () => count('from installations where app_id = $1', [id]),
      };
    },
  },
];
const repeatable = cases.filter(({ row }) => row !== 'POST /api/dev/api-keys');

describe('an Idempotency-Key', () => {
  it('is taken by every POST of the contract', () => {
    const posts = operations.flatMap(([, { rest = '' }]) => (rest.startsWith('POST') ? [rest] : []));
    expect(cases.map(({ row }) => row).sort()).toEqual(posts.sort());
  });

  it.each(repeatable)('replays the first answer of $row, byte for byte (D35)', async ({ make }) => {
    const { request, effects } = await make();
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

  it.each(cases)('lets one of fifty at once do $row, and tells the others so (D35)', async ({ make }) => {
    const { request, effects } = await make();
    const key = unique('key');
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(request, key)));
    expect(await effects()).toBe(1);
    const successes = answers.filter(({ code }) => code === null);
    expect(new Set(successes.map(({ text }) => text)).size).toBe(1);
    expect(successes.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1);
    for (const { code, status } of answers.filter((answer) => answer.code))
      expect({ code, status }).toEqual({ code: 'IDEMPOTENCY_CONFLICT', status: 409 });
  });

  it('is a conflict while the first request is still being served, and then replayed (D35)', async () => {
    const request = { path: '/api/dev/apps', body: aListing(), bearer: ada.key };
    const key = unique('key');
    const gate = new pg.Client({ connectionString: service.databaseUrl });
    await gate.connect();
    await gate.query('begin; lock table apps in share mode');
    const first = post(request, key);
    try {
      const waiting = "from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      while ((await count(waiting, [])) === 0) await new Promise((resolve) => setImmediate(resolve));
      const second = await post(request, key);
      expect(second).toMatchObject({ status: 409, code: 'IDEMPOTENCY_CONFLICT' });
      expect(second.json.error?.details).toMatchObject([{ code: 'in_progress' }]);
    } finally {
      await gate.end();
    }
    expect((await first).status).toBe(201);
    expect((await post(request, key)).text).toBe((await first).text);
  });

  it('of a key creation shows no secret again, keeps none, and names the key made (D35)', async () => {
    const body = { name: unique('key'), scopes: ['APP_READ'] };
    const request = { path: '/api/dev/api-keys', body, bearer: ada.token };
    const key = unique('key');
    const made = (await post(request, key)).json as unknown as Json & { key: string; maskedKey: string };
    const again = await post(request, key);
    expect(again).toMatchObject({ status: 409, code: 'IDEMPOTENCY_CONFLICT' });
    expect(again.json.error?.message).toContain(made.maskedKey);
    expect(again.json.error?.message).toContain(made.id);
    expect(again.text).not.toContain(made.key.slice(8, -4));
    const kept = await service.sql<{ row: string }>('select to_jsonb(k)::text as row from kept_answers k');
    expect(kept.map(({ row }) => row).join()).not.toContain(made.key.slice(8, -4));
  });

  it('with another body is a conflict; at another path, of another caller, or without one it is another matter (D35)', async () => {
    const key = unique('key');
    const to = (path: string, bearer: string, name = 'One') =>
      post({ path, body: aListing({ name }), bearer }, key);
    expect((await to('/api/dev/apps', ada.key)).status).toBe(201);
    const other = await to('/api/dev/apps', ada.key, 'Two');
    expect(other).toMatchObject({ status: 409, code: 'IDEMPOTENCY_CONFLICT' });
    expect(other.json.error?.details).toMatchObject([{ field: 'Idempotency-Key', code: 'other_body' }]);
    const eve = await service.aDeveloper();
    expect((await to('/api/dev/apps', eve.key)).headers.has('idempotent-replayed')).toBe(false);
    const [first, second] = [await service.anApp(ada), await service.anApp(ada)];
    for (const { id } of [first, second]) {
      const { status, headers } = await post({ path: `/api/dev/apps/${id}/submit`, bearer: ada.key }, key);
      expect({ status, replayed: headers.has('idempotent-replayed') }).toEqual({
        status: 200,
        replayed: false,
      });
    }
  });

  it('belongs to the developer across their keys (D35)', async () => {
    const request = { path: '/api/dev/apps', body: aListing(), bearer: ada.key };
    const key = unique('key');
    const first = await post(request, key);
    const second = await post({ ...request, bearer: await service.aKey(ada) }, key);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  it('of anyone belongs to the address (D35)', async () => {
    const { slug } = await service.anApp(ada, 'APPROVED');
    const key = unique('key');
    const from = (address: string) =>
      post({ path: `/api/apps/${slug}/install`, bearer: null }, key, {
        headers: { 'x-forwarded-for': address },
      });
    const replayed = [];
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.1'])
      replayed.push((await from(address)).headers.has('idempotent-replayed'));
    expect(replayed).toEqual([false, false, true]);
  });

  it('keeps no refusal: what was mended is done (D35)', async () => {
    const key = unique('key');
    const request = { path: '/api/dev/apps', bearer: ada.key };
    expect((await post({ ...request, body: {} }, key)).code).toBe('VALIDATION_FAILED');
    const { id } = await service.anApp(ada, 'PENDING');
    const submit = { path: `/api/dev/apps/${id}/submit`, bearer: ada.key };
    expect((await post(submit, key)).code).toBe('INVALID_TRANSITION');
    await service.doors.must('withdrawApp', { id }, ada.token);
    expect((await post(submit, key)).status).toBe(200);
    expect((await post({ ...request, body: aListing() }, key)).status).toBe(201);
  });

  it('is let in like any other: a dead key, a missing scope and a suspended developer replay nothing (D7, D35)', async () => {
    const developer = await service.aDeveloper();
    const { id, key: bearer } = await service.anIssuedKey(developer);
    const request = { path: '/api/dev/apps', body: aListing() };
    const key = unique('key');
    expect((await post({ ...request, bearer }, key)).status).toBe(201);
    await service.doors.must('revokeApiKey', { id }, developer.token);
    expect((await post({ ...request, bearer }, key)).code).toBe('API_KEY_REVOKED');
    expect((await post({ ...request, bearer: null }, key)).code).toBe('UNAUTHENTICATED');
    const narrow = await service.aKey(developer, ['APP_READ' as never]);
    expect((await post({ ...request, bearer: narrow }, key)).code).toBe('INSUFFICIENT_SCOPE');
    await service.doors.must(
      'suspendDeveloper',
      { id: developer.id, reason: 'Spam.' },
      await service.admin(),
    );
    expect((await post({ ...request, bearer: developer.key }, key)).code).toBe('DEVELOPER_SUSPENDED');
  });

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(256)],
    ['not ASCII', 'sch\u00f6n'],
  ])('that is %s is refused by name, with every other problem, after 401 (D7, D35)', async (_, key) => {
    const request = { path: '/api/dev/apps', body: { ...aListing(), name: '' } };
    expect((await post({ ...request, bearer: null }, key)).code).toBe('UNAUTHENTICATED');
    const { code, json } = await post({ ...request, bearer: ada.key }, key);
    expect(code).toBe('VALIDATION_FAILED');
    expect(json.error?.details).toMatchObject([{ field: 'name' }, { field: 'Idempotency-Key' }]);
  });

  it('takes 255 printable characters, and none at all (D35)', async () => {
    const request = { path: '/api/dev/apps', body: aListing(), bearer: ada.key };
    const key = `~ "${'x'.repeat(252)}`;
    expect((await post(request, key)).status).toBe(201);
    expect((await post(request, key)).headers.get('idempotent-replayed')).toBe('true');
    const plain = [
      (await post(request, null)).json,
      (await post(request, null)).json,
    ] as unknown as AppJson[];
    expect(plain[0]?.id).not.toBe(plain[1]?.id);
  });

  it('commits the change and its record together, or neither (D35)', async () => {
    const name = unique('App');
    const request = { path: '/api/dev/apps', body: aListing({ name }), bearer: ada.key };
    const key = unique('key');
    const told = await notificationsOf(service, ada.id);
    await service.sql(
      `alter table kept_answers add constraint broken check (body not like '%${name}%') not valid`,
    );
    expect((await post(request, key)).code).toBe('INTERNAL');
    await service.sql('alter table kept_answers drop constraint broken');
    expect(await count('from apps where name = $1', [name])).toBe(0);
    expect(await notificationsOf(service, ada.id)).toEqual(told);
    expect((await post(request, key)).status).toBe(201);
  });

  it('outlives a restart and is known to every node (D35)', async () => {
    const node = await startService({}, undefined, { databaseVia: async () => service.databaseUrl });
    try {
      const request = { path: '/api/dev/apps', body: aListing(), bearer: ada.key };
      const key = unique('key');
      const first = await post(request, key);
      const elsewhere = await post(request, key, { at: node });
      expect(elsewhere.text).toBe(first.text);
      expect(elsewhere.headers.get('idempotent-replayed')).toBe('true');
    } finally {
      await node.close();
    }
  });

  it('is forgotten after 24 hours, and then removed by the worker (D35)', async () => {
    const request = { path: '/api/dev/apps', body: aListing(), bearer: ada.key };
    const key = unique('key');
    const age = (interval: string) =>
      service.sql(`update kept_answers set created_at = created_at - interval '${interval}'`);
    await post(request, key);
    await age('23 hours 59 minutes');
    expect((await post(request, key)).headers.has('idempotent-replayed')).toBe(true);
    await age('1 minute');
    expect((await post(request, key)).headers.has('idempotent-replayed')).toBe(false);
    expect((await post(request, key)).headers.has('idempotent-replayed')).toBe(true);
    const close = await openWorker(loadConfig({ DATABASE_URL: service.databaseUrl }), {
      databaseUrl: service.databaseUrl,
      publicUrl: service.url,
      log: pino({ level: 'silent' }),
    });
    await close();
    expect(await count('from kept_answers', [])).toBe(1);
  });
});
