import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import type { Scope } from '../../../src/auth/scope.js';
import { type Developer, type Json, unique } from '../../support/actors.js';
import { type Door, doors, type Input } from '../../support/doors.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectRefusal, expectSuccess } from '../../support/refusals.js';
import { type Service, startService } from '../../support/service.js';

type IssuedKey = Json & { key: string; maskedKey: string; scopes: string[]; expiresAt: string };

const day = 24 * 60 * 60 * 1000;
const logged: string[] = [];

let service: Service;
beforeAll(async () => {
  service = await startService({}, pino({ level: 'trace' }, { write: (line) => void logged.push(line) }));
});
afterAll(() => service.close());

const create = (door: Door, input: Input, bearer: string | null) =>
  service.doors.call<IssuedKey>(
    door,
    'createApiKey',
    { name: 'Build server', scopes: ['APP_READ'], ...input },
    bearer,
  );
const scopes = (...names: string[]) => names as Scope[];
const keysOf = ({ id }: Developer) => service.sql('select from api_keys where developer_id = $1', [id]);

/** A key whose life ends in so many days. */
async function aKeyWithDaysLeft(developer: Developer, days: number): Promise<{ key: string; end: string }> {
  const { id, key } = await service.anIssuedKey(developer);
  const end = new Date(Date.now() + days * day).toISOString();
  await service.sql('update api_keys set expires_at = $2 where id = $1', [id, end]);
  return { key, end };
}

/** The checksum by its definition, bit by bit: CRC-32 (IEEE), in base62, six characters. */
function checksum(text: string): string {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let written = '';
  for (let place = 0; place < 6; place += 1) {
    written = digits[rest % 62] + written;
    rest = Math.floor(rest / 62);
  }
  return written;
}

describe.each(doors)('createApiKey over %s', (door) => {
  it('answers the new key, whole, with its record (D3, D11, D12)', async () => {
    const { token } = await service.aDeveloper();
    const asked = Date.now();
    const outcome = await create(door, { name: ' Build server ', scopes: ['APP_READ', 'APP_CREATE'] }, token);
    expectSuccess(outcome, 201);
    expect(outcome.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'Build server',
      scopes: ['APP_READ', 'APP_CREATE'],
      key: expect.stringMatching(/^mkt_[0-9A-Za-z]{38}$/),
      maskedKey: expect.stringMatching(/^mkt_[0-9A-Za-z]{4}…[0-9A-Za-z]{4}$/),
      status: 'ACTIVE',
      expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
      lastUsedAt: null,
      revokedAt: null,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const life = Date.parse(outcome.data.expiresAt) - asked;
    expect(life).toBeGreaterThanOrEqual(90 * day);
    expect(life).toBeLessThan(90 * day + 60_000);
  });

  it('makes a key that ends in its own checksum and is masked by its ends (D11)', async () => {
    const { token } = await service.aDeveloper();
    const { key, maskedKey } = (await create(door, {}, token)).data;
    expect(key.slice(36)).toBe(checksum(key.slice(0, 36)));
    expect(maskedKey).toBe(`${key.slice(0, 8)}…${key.slice(-4)}`);
  });

  it('makes a key that works, for what its scopes allow (D10)', async () => {
    const { token } = await service.aDeveloper();
    const { key } = (await create(door, { scopes: ['APP_READ'] }, token)).data;
    expectSuccess(await service.doors.call(door, 'myApps', {}, key));
    const refused = await service.doors.call(
      door,
      'createApp',
      { name: 'x', description: 'x', category: 'OTHER', environment: 'staging' },
      key,
    );
    expectRefusal(refused, 'INSUFFICIENT_SCOPE');
    expect(refused.message).toContain('APP_CREATE');
    expect(refused.message).toContain('APP_READ');
  });

  it('stores and logs nothing of a key but its mask and its hash (D11)', async () => {
    const developer = await service.aDeveloper();
    const { key } = (await create(door, {}, developer.token)).data;
    await service.doors.call('rest', 'me', {}, key);
    await service.doors.call('rest', 'me', {}, `${key.slice(0, -1)}!`);
    const tables = await service.sql<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['public.api_keys', 'pgboss.job']));
    const stored = [];
    for (const { name } of tables) {
      const rows = await service.sql<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`);
      stored.push(...rows.map(({ row }) => row));
    }
    const everything = [...stored, ...logged].join('\n');
    expect(everything).toContain(`${key.slice(0, 8)}…${key.slice(-4)}`);
    for (let from = 0; from + 9 <= key.length; from += 1) {
      const part = key.slice(from, from + 9);
      expect(everything).not.toContain(part);
      expect(everything).not.toContain(Buffer.from(part).toString('hex'));
    }
  });

  it('drops duplicate scopes (D11)', async () => {
    const { token } = await service.aDeveloper();
    const doubled = ['APP_READ', 'APP_CREATE', 'APP_READ'];
    const outcome = await create(door, { scopes: doubled }, token);
    expectSuccess(outcome, 201);
    expect(outcome.data.scopes).toEqual(['APP_READ', 'APP_CREATE']);
  });

  it.each([1, 365])('makes a key for %i days (D12)', async (expiresInDays) => {
    const { token } = await service.aDeveloper();
    const outcome = await create(door, { expiresInDays }, token);
    expectSuccess(outcome, 201);
    const life = Date.parse(outcome.data.expiresAt) - Date.parse(String(outcome.data.createdAt));
    expect(Math.abs(life - expiresInDays * day)).toBeLessThan(10_000);
  });

  it.each([
    [0, 'too_small'],
    [-1, 'too_small'],
    [366, 'too_big'],
    [2 ** 31 - 1, 'too_big'],
  ])('refuses a life of %d days (D12)', async (expiresInDays, problem) => {
    const { token } = await service.aDeveloper();
    expectRefusal(await create(door, { expiresInDays }, token), 'VALIDATION_FAILED', [
      `expiresInDays: ${problem}`,
    ]);
  });

  it('takes null for expiresInDays as if it were absent (D20)', async () => {
    const { token } = await service.aDeveloper();
    const outcome = await create(door, { expiresInDays: null }, token);
    expectSuccess(outcome, 201);
    expect(Date.parse(outcome.data.expiresAt)).toBeGreaterThan(Date.now() + 89 * day);
  });

  it('lists every problem at once and makes nothing (D7, D12, D23)', async () => {
    const developer = await service.aDeveloper();
    const before = await keysOf(developer);
    const told = await notificationsOf(service, developer.id);
    const outcome = await create(
      door,
      { name: 'x'.repeat(101), scopes: [], expiresInDays: 366 },
      developer.token,
    );
    expectRefusal(outcome, 'VALIDATION_FAILED', [
      'name: too_long',
      'scopes: too_few',
      'expiresInDays: too_big',
    ]);
    expect(await keysOf(developer)).toHaveLength(before.length);
    expect(await notificationsOf(service, developer.id)).toEqual(told);
  });

  it('takes a name of 100 characters, and refuses an empty one (D23)', async () => {
    const { token } = await service.aDeveloper();
    expectSuccess(await create(door, { name: '🦊'.repeat(100) }, token), 201);
    expectRefusal(await create(door, { name: '🦊'.repeat(101) }, token), 'VALIDATION_FAILED', [
      'name: too_long',
    ]);
    expectRefusal(await create(door, { name: ' \t ' }, token), 'VALIDATION_FAILED', ['name: too_short']);
    expectRefusal(await create(door, { name: 'a\nb' }, token), 'VALIDATION_FAILED', [
      'name: invalid_characters',
    ]);
  });

  it('has the developer told of every new key, in the same transaction (D33)', async () => {
    const developer = await service.aDeveloper();
    const { id } = (await create(door, {}, developer.token)).data;
    expect((await notificationsOf(service, developer.id)).at(-1)).toEqual({
      kind: 'key.created',
      developerId: developer.id,
      keyId: id,
    });
  });

  it('needs a verified developer, by account token (D13)', async () => {
    const developer = await service.anUnverifiedDeveloper();
    expectRefusal(await create(door, {}, developer.token), 'DEVELOPER_NOT_VERIFIED');
    expect(await notificationsOf(service, developer.id)).toEqual([]);
    expect(await keysOf(developer)).toHaveLength(0);
  });

  it('needs a verified developer, by key, each time (D13)', async () => {
    const developer = await service.aDeveloper();
    expectSuccess(await create(door, {}, developer.key), 201);
    const act = { id: developer.id, reason: 'Papers expired.' };
    await service.doors.must('unverifyDeveloper', act, await service.admin());
    expectRefusal(await create(door, { scopes: [] }, developer.key), 'DEVELOPER_NOT_VERIFIED');
    await service.doors.must('verifyDeveloper', { id: developer.id }, await service.admin());
    expectSuccess(await create(door, {}, developer.key), 201);
  });

  it('refuses a suspended developer, by token and by key (D13)', async () => {
    const developer = await service.aDeveloper();
    const act = { id: developer.id, reason: 'Spam.' };
    await service.doors.must('suspendDeveloper', act, await service.admin());
    expectRefusal(await create(door, {}, developer.token), 'DEVELOPER_SUSPENDED');
    expectRefusal(await create(door, {}, developer.key), 'DEVELOPER_SUSPENDED');
  });

  it('refuses an account that has not registered, and nobody at all (D9)', async () => {
    expectRefusal(
      await create(door, {}, await service.token(unique('stranger'))),
      'DEVELOPER_NOT_REGISTERED',
    );
    expectRefusal(await create(door, { scopes: [] }, null), 'UNAUTHENTICATED');
  });
});

describe.each(doors)('createApiKey by an existing key over %s', (door) => {
  it('makes a child of the scopes that its parent holds (D9)', async () => {
    const developer = await service.aDeveloper();
    const parent = await service.aKey(developer, scopes('APP_READ', 'APP_CREATE'));
    expectSuccess(await create(door, { scopes: ['APP_CREATE'] }, parent), 201);
    expectSuccess(await create(door, { scopes: ['APP_CREATE', 'APP_READ', 'APP_CREATE'] }, parent), 201);
  });

  it('refuses a scope that the parent does not hold, and makes nothing (D9)', async () => {
    const developer = await service.aDeveloper();
    const parent = await service.aKey(developer, scopes('APP_READ'));
    const before = await keysOf(developer);
    const outcome = await create(door, { scopes: ['APP_READ', 'APP_DELETE'] }, parent);
    expectRefusal(outcome, 'INSUFFICIENT_SCOPE');
    expect(outcome.message).toContain('APP_DELETE');
    expect(await keysOf(developer)).toHaveLength(before.length);
  });

  it('looks at the input before the scopes (D7)', async () => {
    const developer = await service.aDeveloper();
    const { key } = await aKeyWithDaysLeft(developer, 10);
    await service.sql("update api_keys set scopes = '{APP_READ}' where developer_id = $1", [developer.id]);
    expectRefusal(await create(door, { name: '', scopes: ['APP_DELETE'] }, key), 'VALIDATION_FAILED', [
      'name: too_short',
    ]);
    expectRefusal(
      await create(door, { expiresInDays: 11, scopes: ['APP_DELETE'] }, key),
      'VALIDATION_FAILED',
      ['expiresInDays: too_big'],
    );
  });

  it('gives a child its wish when the parent lives longer (D9)', async () => {
    const { key } = await aKeyWithDaysLeft(await service.aDeveloper(), 10);
    const { expiresAt } = (await create(door, { expiresInDays: 3 }, key)).data;
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 3 * day)).toBeLessThan(60_000);
  });

  it('refuses a longer life than the parent key has (D9)', async () => {
    const { key } = await aKeyWithDaysLeft(await service.aDeveloper(), 2.5);
    const outcome = await create(door, { expiresInDays: 4 }, key);
    expectRefusal(outcome, 'VALIDATION_FAILED', ['expiresInDays: too_big']);
    expect(outcome.details[0]?.message).toContain('3');
  });

  it("takes the parent's remaining days rounded up, and cuts them to the parent's end (D9)", async () => {
    const { key, end } = await aKeyWithDaysLeft(await service.aDeveloper(), 2.5);
    const outcome = await create(door, { expiresInDays: 3 }, key);
    expectSuccess(outcome, 201);
    expect(outcome.data.expiresAt).toBe(end);
  });

  it("cuts the usual life to the parent's end when none is wished for (D9)", async () => {
    const { key, end } = await aKeyWithDaysLeft(await service.aDeveloper(), 2.5);
    expect((await create(door, {}, key)).data.expiresAt).toBe(end);
    expect((await create(door, { expiresInDays: null }, key)).data.expiresAt).toBe(end);
  });

  it('gives the usual 90 days when the parent lives longer (D9, D12)', async () => {
    const { key } = await aKeyWithDaysLeft(await service.aDeveloper(), 300);
    const { expiresAt } = (await create(door, {}, key)).data;
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 90 * day)).toBeLessThan(60_000);
  });

  it('refuses more than the maximum even under a parent that lives longer (D12)', async () => {
    const { key } = await aKeyWithDaysLeft(await service.aDeveloper(), 500);
    expectRefusal(await create(door, { expiresInDays: 366 }, key), 'VALIDATION_FAILED', [
      'expiresInDays: too_big',
    ]);
  });

  it('refuses a parent that is expired or revoked (D9)', async () => {
    const developer = await service.aDeveloper();
    expectRefusal(await create(door, {}, await service.anExpiredKey(developer)), 'API_KEY_EXPIRED');
    expectRefusal(await create(door, {}, await service.aRevokedKey(developer)), 'API_KEY_REVOKED');
  });
});

describe('createApiKey over rest alone', () => {
  it('names every field that is missing or of the wrong type (D7)', async () => {
    const { token } = await service.aDeveloper();
    const post = (body: unknown) =>
      service.doors.request('POST', '/api/dev/api-keys', { bearer: token, body });
    const problems = async (body: unknown) =>
      ((await (await post(body)).json()) as { error: { details: { field: string; code: string }[] } }).error
        .details;
    expect(await problems({})).toMatchObject([
      { field: 'name', code: 'required' },
      { field: 'scopes', code: 'required' },
    ]);
    const wrong = { name: 1, scopes: ['APP_READ', 'app_read', 'ADMIN'], expiresInDays: 1.5 };
    expect(await problems(wrong)).toMatchObject([
      { field: 'name', code: 'invalid_type' },
      { field: 'scopes.1', code: 'invalid_value' },
      { field: 'scopes.2', code: 'invalid_value' },
      { field: 'expiresInDays', code: 'invalid_type' },
    ]);
    expect(await problems({ name: 'x', scopes: 'APP_READ', expiresInDays: '30' })).toMatchObject([
      { field: 'scopes', code: 'invalid_type' },
      { field: 'expiresInDays', code: 'invalid_type' },
    ]);
  });

  it('says once by how much a life without end is too long (D12)', async () => {
    const { token } = await service.aDeveloper();
    const outcome = await create('rest', { expiresInDays: 1e300 }, token);
    expect(outcome.details).toEqual([
      { field: 'expiresInDays', code: 'too_big', message: 'expiresInDays must be at most 365.' },
    ]);
  });

  it('sets aside what a new key publishes, the key itself too, and refuses what nobody knows (D4)', async () => {
    const { token } = await service.aDeveloper();
    const body = { name: 'x', scopes: ['APP_READ'], key: 'mkt_mine', maskedKey: 'm', status: 'REVOKED' };
    const response = await service.doors.request('POST', '/api/dev/api-keys', { bearer: token, body });
    expect(response.status).toBe(201);
    expect(response.headers.get('x-ignored-fields')).toBe('key, maskedKey, status');
    expect(await response.json()).toMatchObject({ status: 'ACTIVE', key: expect.not.stringMatching('mine') });
    expectRefusal(await create('rest', { expiresInDay: 3 }, token), 'VALIDATION_FAILED', [
      'expiresInDay: unknown_field',
    ]);
  });
});

describe('createApiKey with other settings', () => {
  it('gives the configured life and refuses more than the configured maximum (D12)', async () => {
    const other = await startService({ KEY_DEFAULT_DAYS: '7', KEY_MAX_DAYS: '400' });
    try {
      const { token } = await other.aDeveloper();
      const ask = (input: Input) =>
        other.doors.call<IssuedKey>(
          'rest',
          'createApiKey',
          { name: 'x', scopes: ['APP_READ'], ...input },
          token,
        );
      const { expiresAt } = (await ask({})).data;
      expect(Math.abs(Date.parse(expiresAt) - Date.now() - 7 * day)).toBeLessThan(60_000);
      expectSuccess(await ask({ expiresInDays: 400 }), 201);
      expectRefusal(await ask({ expiresInDays: 401 }), 'VALIDATION_FAILED', ['expiresInDays: too_big']);
    } finally {
      await other.close();
    }
  });
});
