import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { createApp } from '../../../src/app.js';
import { loadConfig } from '../../../src/config.js';
import { SecretCipher } from '../../../src/db/secrets.js';
import { keysOf } from '../../../src/db/secrets-key.js';
import { secretsAt } from '../../../src/modules/webhooks/webhook-secret.service.js';
import { startWorkerProcess } from '../../startup/gateway.js';
import { buildOnce } from '../../support/database.js';
import { until } from '../../support/mail-server.js';
import { type Service, startService } from '../../support/service.js';
import { startReceiver, verified } from './receiver.js';
import type { IssuedJson } from './webhooks.js';

// It may have to build first.
beforeAll(buildOnce, 120_000);

const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of running.splice(0)) await part.close();
});

const aKey = () => randomBytes(32).toString('base64');
const silent = pino({ level: 'silent' });
const aService = async (settings: Record<string, string> = {}) => {
  const service = await startService(settings);
  running.push(service);
  return service;
};
const anEndpoint = async (service: Service, url = 'https://hooks.example/') => {
  const ada = await service.anUnverifiedDeveloper();
  return { ada, ...(await service.client.must<IssuedJson>('createWebhookEndpoint', { url }, ada.token)) };
};
/** A worker beside the service, with keys of its own. */
const startWorker = async (service: Service, settings: Record<string, string>, options = {}) => {
  const { databaseUrl, url: publicUrl } = service;
  const config = loadConfig({ WORKER: 'inline', RATE_LIMITS: 'off', ...settings });
  const worker = await createApp(config, { databaseUrl, publicUrl, log: silent, ...options });
  running.unshift(worker);
  return worker;
};
const stored = (service: Service) =>
  service.sql<{ id: string; signing_secret: string; former_secret: string | null; updated_at: Date }>(
    'select id, signing_secret, former_secret, updated_at from webhook_endpoints order by id',
  );
const keyIdsOf = async (service: Service) =>
  new Set(
    (await stored(service))
      .flatMap((row) => [row.signing_secret, row.former_secret])
      .flatMap((secret) => secret?.split('.')[2] ?? []),
  );

/** Every row of every table, as text. */
async function wholeDatabase(service: Service): Promise<string> {
  const tables = await service.sql<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => service.sql<{ row: string }>(`select t::text as row from ${name} t`)),
  );
  return rows.flatMap((each) => each.map(({ row }) => row)).join('\n');
}

describe('webhook secrets in the database (D126)', () => {
  it('are in no table, before and after a rotation', async () => {
    const service = await aService({ WORKER: 'inline' });
    const { ada, id, secret } = await anEndpoint(service);
    const rotated = await service.client.must<IssuedJson>('rotateWebhookSecret', { id }, ada.token);
    await service.client.must('testWebhookEndpoint', { id }, ada.token);
    const dump = await wholeDatabase(service);
    expect(dump).toContain(id);
    for (const each of [secret, rotated.secret]) expect(dump).not.toContain(each.replace('whsec_', ''));
    expect(dump).not.toContain('whsec_');
    const [row] = await stored(service);
    expect(row?.signing_secret).toMatch(/^enc\.v1\.[0-9a-f]{8}\.[\w-]+$/);
    expect(row?.former_secret).toMatch(/^enc\.v1\./);
  });

  it('that an earlier version stored unencrypted are encrypted by the first worker, and still sign', async () => {
    const key = { SECRETS_KEY: aKey() };
    const receiver = await startReceiver();
    running.push(receiver);
    const webhooks = { allowedHosts: [receiver.host] };
    const service = await startService({ WORKER: 'off', ...key }, undefined, { webhooks });
    running.unshift(service);
    const address = receiver.address();
    const { ada, id } = await anEndpoint(service, address.url);
    const [old, former] = [1, 2].map(() => `whsec_${randomBytes(32).toString('base64')}`);
    await service.sql(
      "update webhook_endpoints set signing_secret = $1, former_secret = $2, former_secret_until = now() + interval '1 hour', updated_at = '2025-01-01'",
      [old, former],
    );
    await startWorker(service, key, { webhooks });
    const row = await until(async () => {
      const [each] = await stored(service);
      return each?.signing_secret.startsWith('enc.') && each;
    });
    expect(row.former_secret).toMatch(/^enc\./);
    expect(row.updated_at.toISOString()).toContain('2025-01-01');
    await service.client.must('testWebhookEndpoint', { id }, ada.token);
    const message = await until(() => address.inbox()[0]);
    expect(verified(old!, message).type).toBe('webhook.test');
    expect(verified(former!, message).type).toBe('webhook.test');
  });

  it('are encrypted again after a key rotation, in batches, and then do not need the former key', async () => {
    const [former, next] = [aKey(), aKey()];
    const service = await aService({ SECRETS_KEY: former });
    const { ada, id } = await anEndpoint(service);
    await service.client.must('rotateWebhookSecret', { id }, ada.token);
    // More than a batch; as they were before there was a key.
    await service.sql(
      `insert into webhook_endpoints (id, developer_id, url, events, signing_secret, created_at, updated_at)
       select gen_random_uuid(), developer_id, url, events, 'whsec_' || n, created_at, updated_at
       from webhook_endpoints, generate_series(1, 450) n`,
    );
    await startWorker(service, { SECRETS_KEY: `${next},${former}` });
    const [nextId] = new SecretCipher([Buffer.from(next, 'base64')]).keyIds;
    await until(async () => {
      const ids = await keyIdsOf(service);
      return ids.size === 1 && ids.has(nextId!);
    });
    expect(await stored(service)).toHaveLength(451);
    await startWorker(service, { SECRETS_KEY: next });
    await expect(startWorker(service, { SECRETS_KEY: former })).rejects.toThrow('SECRETS_KEY is not right');
  });

  it('cannot be moved to another endpoint', async () => {
    const key = aKey();
    const service = await aService({ SECRETS_KEY: key });
    await anEndpoint(service);
    await anEndpoint(service);
    const [one, other] = await stored(service);
    const known = new SecretCipher([Buffer.from(key, 'base64')]);
    const secretsOf = (id: string, signingSecret: string) =>
      secretsAt(known, { id, signingSecret, formerSecret: null, formerSecretUntil: null }, new Date());
    expect(secretsOf(one!.id, one!.signing_secret)).toEqual([expect.stringMatching(/^whsec_/)]);
    expect(() => secretsOf(other!.id, one!.signing_secret)).toThrow();
    const cipher = new SecretCipher([randomBytes(32)]);
    const place = { table: 't', id: '1', column: 'a' };
    const value = cipher.encrypt('secret', place);
    expect(cipher.decrypt(value, place)).toBe('secret');
    expect(cipher.encrypt('secret', place)).not.toBe(value);
    for (const elsewhere of [{ table: 'u' }, { id: '2' }, { column: 'b' }])
      expect(() => cipher.decrypt(value, { ...place, ...elsewhere })).toThrow();
    expect(() => cipher.decrypt(`${value.slice(0, -4)}AAAA`, place)).toThrow();
  });
});

describe('a gateway or worker with another key (D126)', () => {
  it('does not start, and reports that SECRETS_KEY is not right', async () => {
    const [right, wrong] = [aKey(), aKey()];
    const service = await aService({ SECRETS_KEY: right });
    await anEndpoint(service);
    const worker = startWorkerProcess({
      DATABASE_URL: service.databaseUrl,
      PUBLIC_URL: service.url,
      SECRETS_KEY: wrong,
    });
    expect(await worker.ended).toBe(1);
    expect(worker.output()).toMatch(/^SECRETS_KEY is not right: [^\n]+\n$/);
    expect(worker.output()).not.toContain(wrong);
    const production = { NODE_ENV: 'production', DATABASE_URL: service.databaseUrl, PUBLIC_URL: service.url };
    const without = startWorkerProcess(production);
    expect(await without.ended).toBe(1);
    expect(without.output()).toContain('SECRETS_KEY is not right');
    await expect(startWorker(service, { SECRETS_KEY: wrong })).rejects.toThrow('SECRETS_KEY is not right');
    const fine = await startWorker(service, { SECRETS_KEY: `${wrong},${right}` });
    expect(fine).toBeDefined();
  });

  it('leaves deliveries for later when the key has changed, and continues', async () => {
    const receiver = await startReceiver();
    running.push(receiver);
    const address = receiver.address();
    const webhooks = { allowedHosts: [receiver.host] };
    const [its, another] = [aKey(), aKey()];
    const service = await startService({ SECRETS_KEY: another }, undefined, { webhooks });
    running.unshift(service);
    await startWorker(service, { SECRETS_KEY: its }, { webhooks });
    const { ada, id, secret } = await anEndpoint(service, address.url);
    await service.client.must('testWebhookEndpoint', { id }, ada.token);
    const output = await until(
      async () =>
        (
          await service.sql<{ output: { message: string } }>(
            "select output from pgboss.job where name = 'webhook-deliveries' and state = 'retry'",
          )
        )[0]?.output,
    );
    expect(output.message).toContain('SECRETS_KEY does not hold the key');
    expect(address.inbox()).toHaveLength(0);
    await running.shift()?.close();
    await startWorker(service, { SECRETS_KEY: `${another},${its}` }, { webhooks });
    const message = await until(async () => {
      await service.sql("update pgboss.job set start_after = now() where state = 'retry'");
      return address.inbox()[0];
    });
    expect(verified(secret, message).type).toBe('webhook.test');
  });
});

describe('without SECRETS_KEY (D126)', () => {
  it('a key is created once and stored in DATA_DIR, by however many processes', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-secrets-'));
    running.push({ close: () => rm(dataDir, { recursive: true }) });
    const config = loadConfig({ DATA_DIR: join(dataDir, 'new') });
    const made = await Promise.all(Array.from({ length: 8 }, () => keysOf(config, silent)));
    expect(new Set(made.map(([key]) => key?.toString('base64'))).size).toBe(1);
    expect(made[0]?.[0]).toHaveLength(32);
    expect((await stat(join(dataDir, 'new', 'secrets-key'))).mode & 0o777).toBe(0o600);
    expect(await keysOf(config, silent)).toEqual(made[0]);
  });

  it('production with a database of its own starts, stores them as before, and warns', async () => {
    const log: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line) => void log.push(line) });
    const production = {
      NODE_ENV: 'production',
      OIDC_ISSUER: 'https://id.example',
      DATABASE_URL: 'postgres://x/y',
    };
    expect(await keysOf(loadConfig(production), logger)).toEqual([]);
    expect(log.join('')).toContain('SECRETS_KEY is not set');
    const place = { table: 't', id: '1', column: 'a' };
    expect(new SecretCipher([]).decrypt(new SecretCipher([]).encrypt('whsec_x', place), place)).toBe(
      'whsec_x',
    );
  });
});
