import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { apis } from '../../support/api-client.js';
import { duringTests } from '../../support/before-tests.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { startService } from '../../support/service.js';
import { creatingKeys, dayMs } from './family.js';

const logged: string[] = [];

const service = duringTests(() =>
  startService({}, pino({ level: 'trace' }, { write: (line) => void logged.push(line) })),
);

const create = creatingKeys(service);

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

describe.each(apis)('createApiKey over %s', (api) => {
  it('returns the whole new key with its record (D3, D11, D12)', async () => {
    const { token } = await service.aDeveloper();
    const asked = Date.now();
    const data = expectSuccess(
      await create(api, { name: ' Build server ', scopes: ['APP_READ', 'APP_CREATE'] }, token),
      201,
    );
    expect(data).toEqual({
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
    const life = Date.parse(data.expiresAt) - asked;
    expect(life).toBeGreaterThanOrEqual(90 * dayMs);
    expect(life).toBeLessThan(90 * dayMs + 60_000);
  });

  it('creates a key that ends with its checksum, and masks all but its ends (D11)', async () => {
    const { token } = await service.aDeveloper();
    const { key, maskedKey } = (await create(api, {}, token)).data;
    expect(key.slice(36)).toBe(checksum(key.slice(0, 36)));
    expect(maskedKey).toBe(`${key.slice(0, 8)}…${key.slice(-4)}`);
  });

  it('creates a key that works within its scopes (D10)', async () => {
    const { token } = await service.aDeveloper();
    const { key } = (await create(api, { scopes: ['APP_READ'] }, token)).data;
    expectSuccess(await service.client.call(api, 'myApps', {}, key));
    const refused = await service.client.call(
      api,
      'createApp',
      { name: 'x', description: 'x', category: 'OTHER', environment: 'staging' },
      key,
    );
    expectError(refused, 'INSUFFICIENT_SCOPE');
    expect(refused.message).toContain('APP_CREATE');
    expect(refused.message).toContain('APP_READ');
  });

  it('stores and logs only the mask and the hash of a key (D11)', async () => {
    const developer = await service.aDeveloper();
    const { key } = (await create(api, {}, developer.token)).data;
    await service.client.call('rest', 'me', {}, key);
    await service.client.call('rest', 'me', {}, `${key.slice(0, -1)}!`);
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
    const data = expectSuccess(await create(api, { scopes: doubled }, token), 201);
    expect(data.scopes).toEqual(['APP_READ', 'APP_CREATE']);
  });

  it('notifies the developer of every new key, in the same transaction (D33)', async () => {
    const developer = await service.aDeveloper();
    const { id } = (await create(api, {}, developer.token)).data;
    expect((await notificationsOf(service, developer.id)).at(-1)).toEqual({
      kind: 'key.created',
      developerId: developer.id,
      keyId: id,
    });
  });
});
