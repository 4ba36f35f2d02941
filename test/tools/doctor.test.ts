import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as newId } from 'uuid';
import { startEmbeddedDatabase } from '../../src/embedded-postgres/embedded.js';
import type { CheckResult } from '../../src/process/doctor/check-result.js';
import { examine } from '../../src/process/doctor/examine.js';
import { checkNode } from '../../src/process/doctor/machine.js';
import { startCommand } from '../startup/command.js';
import { query } from '../startup/stage.js';
import {
  buildOnce,
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../support/database.js';
import { aFolder } from '../support/folder.js';
import { MailServer } from '../support/mail-server.js';
import { startTestProvider } from '../support/oidc-provider.js';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  await buildOnce();
  database = await createTestDatabase();
  folder = await aFolder('doctor ');
  // Under root the database's own user has to pass through.
  await chmod(folder, 0o755);
});
afterAll(async () => {
  await database.drop();
});

/** Runs the checks with these settings, and returns the findings of some areas. */
async function findingsWith(settings: Record<string, string>, ...areas: string[]): Promise<string[]> {
  const checks = await examine({ DATABASE_URL: database.url, DATA_DIR: folder, ...settings });
  for (const { status, cure } of checks) expect(cure === null).toBe(status === 'OK');
  return checks
    .filter(({ area }) => areas.includes(area))
    .map(({ area, status, message, cure }) => `${status} ${area}: ${message}${cure ? ` → ${cure}` : ''}`);
}
const matching = (...patterns: (string | RegExp)[]) =>
  patterns.map((pattern) => expect.stringMatching(pattern));

describe('npm run doctor', () => {
  test('finds everything in order in development, and reports it as JSON (D181)', async () => {
    const settings = { DATABASE_URL: database.url, DATA_DIR: folder };
    const { code, stdout, stderr } = await startCommand('doctor', settings, '--json').ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: CheckResult[] };
    expect(ok).toBe(true);
    expect(checks.map(({ area, status, message }) => `${status} ${area}: ${message}`)).toEqual(
      matching(
        /^OK node: \d+\.\d+\.\d+ /,
        'OK settings: valid; development, with DATABASE_URL',
        /^OK database: PostgreSQL \d+\S*, database test_\w+ on \S+:\d+$/,
        'OK database: extension pg_trgm is available',
        /^OK database: max_connections is \d+: enough for \d+ gateways and workers of 32 connections$/,
        /^OK database: the clocks .* differ by \d+ ms$/,
        /^\w+ database: a query takes \d+\.\d ms$/,
        /^OK database: all \d+ migrations have run$/,
        'OK identity: the built-in issuer',
        'OK mail: no SMTP_URL: mails are shown at /dev/mailbox',
        'OK webhooks: endpoints: 0, disabled: 0, failing: 0',
        'OK jobs: jobs that wait for more than 5 minutes: 0',
        /^\w+ disk: \d+\.\d GB are free for DATA_DIR /,
      ),
    );
  });

  test('writes lines for people, each with its cure, and a summary', async () => {
    const { code, stdout } = await startCommand('doctor', { DATA_DIR: folder, PORT: 'many' }).ended;
    expect(code).toBe(1);
    expect(stdout).toMatch(/^OK {4}node {6}\d+/);
    expect(stdout).toContain('FAIL  settings  PORT must be a whole number, 0 or more (it is "many")\n');
    expect(stdout).toContain('→ Correct the environment variable');
    expect(stdout).toMatch(/\n1 failed, 0 warnings, 1 in order\n$/);
  });

  test('explains itself, and rejects unknown options', async () => {
    expect(await startCommand('doctor', {}, '--help').ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('npm run doctor'),
    });
    expect(await startCommand('doctor', {}, '--jsn').ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Try --help.'),
    });
  });

  test('reports all invalid settings, and names that are almost those of settings (D181)', async () => {
    const settings = {
      PORT: 'many',
      SEED: 'some',
      DATABSE_URL: 'postgres://x',
      oidc_issuer: 'https://id.example',
      HOME: '/root',
      HOSTNAME: 'here',
      PATH: '/bin',
    };
    expect(await findingsWith(settings, 'settings', 'database')).toEqual(
      matching(
        /^FAIL settings: PORT must be .* → Correct the environment variable/,
        /^FAIL settings: SEED must be /,
        /^WARN settings: DATABSE_URL is not a setting .* → If you mean DATABASE_URL, rename it\.$/,
        /^WARN settings: oidc_issuer is not a setting .* → If you mean OIDC_ISSUER, rename it\.$/,
      ),
    );
  });

  test('warns about an empty database, and fails without one, without showing its password', async () => {
    const empty = await createEmptyDatabase();
    const findings = await findingsWith({ DATABASE_URL: empty.url }, 'database', 'webhooks');
    await empty.drop();
    expect(findings.at(-1)).toMatch(/^WARN database: the database has no tables yet → The next gateway/);
    const missing = { DATABASE_URL: 'postgres://someone:secret@127.0.0.1:1/shop' };
    expect(await findingsWith(missing, 'database')).toEqual(
      matching(
        /^FAIL database: (?!.*secret)The database shop on 127.0.0.1:1 cannot be used .* → Check DATABASE_URL/,
      ),
    );
  });

  test('warns about replicas that cannot be used, without showing their passwords (D249)', async () => {
    const settings = { DATABASE_REPLICA_URLS: `${database.url},postgres://someone:secret@127.0.0.1:1/shop` };
    const findings = await findingsWith(settings, 'database');
    expect(findings.filter((finding) => finding.includes('the replica'))).toEqual(
      matching(
        /^OK database: the replica on \S+ is the primary at present, so it is not used as a replica$/,
        /^WARN database: (?!.*secret)the replica on 127.0.0.1:1 cannot be used .*: reads go to the primary → Check/,
      ),
    );
  });

  test('reports pending migrations, and those of a newer release', async () => {
    await using old = await createTestDatabase();
    const settings = { DATABASE_URL: old.url };
    await query(old.url, "update schema_migrations set name = '9999-later' where name = '0100-baseline'");
    expect((await findingsWith(settings, 'database')).at(-1)).toMatch(
      /^WARN database: pending migrations: 0100-baseline → /,
    );
    await query(old.url, "insert into schema_migrations (name) values ('0100-baseline')");
    expect((await findingsWith(settings, 'database')).at(-1)).toMatch(
      /^WARN database: a newer release has migrated the database \(9999-later\) → /,
    );
  });

  test('checks the identity provider, and when the role of an administrator was last seen (D181)', async () => {
    const provider = await startTestProvider();
    const own = await createTestDatabase();
    const settings = { DATABASE_URL: own.url, OIDC_ISSUER: provider.issuer, OIDC_ADMIN_ROLE: 'boss' };
    expect(await findingsWith(settings, 'identity')).toEqual(
      matching(
        /^WARN identity: no administrator has acted yet.* → Check that .* have boss in the claim roles /,
        /^OK identity: .*: discovery document loaded, keys: \d+$/,
      ),
    );
    await query(
      own.url,
      `insert into audit_events (id, created_at, kind, actor_kind, actor_account, data, request_id)
       values ('${newId()}', now(), 'developer.verified', 'administrator', 'root', '{}', 'request')`,
    );
    provider.setLine('cut');
    expect(await findingsWith(settings, 'identity')).toEqual(
      matching(
        /^OK identity: an administrator last acted on \d{4}-\d\d-\d\d/,
        /^FAIL identity: http:\S+ cannot be used \(fetch failed: .*\) → Check OIDC_ISSUER/,
      ),
    );
    await provider.close();
    await own.drop();
  });

  test('connects to the mail server, and checks its encryption and the sender', async () => {
    const server = await MailServer.start();
    const plain = { SMTP_URL: server.url, MAIL_FROM: 'Shop <shop@example.com>' };
    expect(await findingsWith(plain, 'mail')).toEqual(
      matching(
        /^WARN mail: 127.0.0.1:\d+: connected, but not encrypted .* → Use smtps/,
        'OK mail: sender Shop <shop@example.com>',
      ),
    );
    await server.stop();
    const stopped = { SMTP_URL: server.url.replace('//', '//user:secret@') };
    expect(await findingsWith(stopped, 'mail')).toEqual(
      matching(
        /^FAIL mail: (?!.*secret)127.0.0.1:\d+ cannot be used \(.*ECONNREFUSED.* → Check SMTP_URL/,
        /^WARN mail: sender Marketplace <marketplace@localhost>.* → Set MAIL_FROM/,
      ),
    );
  });

  test('reports failing webhooks and jobs that nobody runs', async () => {
    await using own = await createTestDatabase();
    const developer = newId();
    await query(
      own.url,
      `insert into developers (id, account_user_id, name, email, status, created_at, updated_at)
         values ('${developer}', 'ada', 'Ada', 'ada@example.com', 'UNVERIFIED', now(), now());
       insert into webhook_endpoints (id, developer_id, url, events, signing_secret, failing_since, created_at, updated_at)
         values ('${newId()}', '${developer}', 'https://ada.example', '{}', 'whsec_x', now(), now(), now());
       insert into pgboss.job (id, name, state, start_after)
         values ('${newId()}', 'notifications', 'created', now() - interval '1 hour')`,
    );
    expect(await findingsWith({ DATABASE_URL: own.url }, 'webhooks', 'jobs')).toEqual(
      matching(
        '^WARN webhooks: endpoints: 1, disabled: 0, failing: 1 → ',
        '^WARN jobs: jobs that wait for more than 5 minutes: 1, .* → Start a worker',
      ),
    );
  });

  test('warns about risky settings of production', async () => {
    const settings = {
      NODE_ENV: 'production',
      OIDC_ISSUER: 'http://127.0.0.1:1',
      RATE_LIMITS: 'off',
      CORS_ORIGINS: '*',
    };
    expect((await findingsWith(settings, 'settings', 'mail')).slice(1)).toEqual(
      matching(
        'SECRETS_KEY is not set',
        'PUBLIC_URL is not set',
        'RATE_LIMITS is off',
        /CORS_ORIGINS is \*/,
        'WARN mail: SMTP_URL is not set',
      ),
    );
  });

  test('checks an embedded database without disturbing its gateway, or starts it for the check (D181)', async () => {
    const dataDir = join(folder, 'embedded');
    const embedded = { DATABASE_URL: '', DATA_DIR: dataDir };
    expect(await findingsWith(embedded, 'database')).toEqual(
      matching('^OK database: none yet in DATA_DIR .*: the first start creates it$'),
    );
    const running = await startEmbeddedDatabase({ dataDir, durable: false });
    const { port } = new URL(running.url);
    expect((await findingsWith(embedded, 'database'))[0]).toMatch(
      new RegExp(`^OK database: PostgreSQL .* on 127.0.0.1:${port}, used by a running gateway$`),
    );
    expect(await query(running.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await running.stop();
    expect((await findingsWith(embedded, 'database'))[0]).toMatch(/, started for this check$/);
    await writeFile(join(dataDir, 'postgres/postgresql.conf'), 'nonsense = 1');
    expect(await findingsWith(embedded, 'database')).toEqual(
      matching(/^FAIL database: The embedded PostgreSQL did not start.*nonsense.* → Read .*postgres\.log/s),
    );
  });

  test('fails if DATA_DIR is not possible', async () => {
    await writeFile(join(folder, 'file'), '');
    const settings = { DATABASE_URL: '', DATA_DIR: join(folder, 'file/below') };
    expect(await findingsWith(settings, 'disk')).toEqual(
      matching(/^FAIL disk: .*ENOTDIR.* → Choose another/),
    );
  });

  test('accepts only a Node that the service runs on', () => {
    expect(checkNode('22.19.0').status).toBe('OK');
    expect(checkNode('24.0.0').status).toBe('OK');
    expect(checkNode('22.9.0').status).toBe('FAIL');
    expect(checkNode('20.20.2').status).toBe('FAIL');
  });
});
