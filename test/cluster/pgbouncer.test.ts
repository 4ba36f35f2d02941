import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { requireExternalDatabase } from '../../src/db/external.js';
import { type Developer, unique } from '../support/actors.js';
import { apis } from '../support/api-client.js';
import { createEmptyDatabase } from '../support/database.js';
import { startService } from '../support/service.js';
import { words } from '../support/words.js';
import { startGateway } from './support/gateways.js';
import {
  freePorts,
  makeFolder,
  type RunningProgram,
  serverAccount,
  startProgram,
} from './support/processes.js';
import { pathOf } from './support/programs.js';

/**
 * Far fewer connections to PostgreSQL than the gateways open to PgBouncer. They are used in turn, so that each transaction
 * has another one than the transaction before.
 */
const poolSize = 6;
let pgbouncer: RunningProgram;
let port = 0;

beforeAll(async () => {
  [port = 0] = await freePorts(1);
  const { hostname, port: serverPort, username, password } = new URL(process.env.TEST_CLUSTER_URL ?? '');
  const account = await serverAccount();
  const folder = await makeFolder('pgbouncer', account, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    readFileSync('ops/pgbouncer.ini', 'utf8')
      // Every test has a database of its own.
      .replace(
        'marketplace = host=127.0.0.1 port=5432 dbname=marketplace',
        `* = host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}`,
      )
      .replace(
        'listen_port = 6432',
        `listen_port = ${port}\nunix_socket_dir =\nlogfile = ${join(folder, 'pgbouncer.log')}`,
      )
      .replace('auth_type = scram-sha-256', 'auth_type = any')
      .replace(/auth_file = .*\n/, '')
      .replace(
        'default_pool_size = 20',
        `default_pool_size = ${poolSize}\nmin_pool_size = ${poolSize}\nserver_round_robin = 1`,
      ),
  );
  pgbouncer = startProgram('pgbouncer', pathOf('pgbouncer'), [file], { account });
  await pgbouncer.says(/process up/);
  // See test/support/service.ts.
  process.env.TEST_POOLER = `127.0.0.1:${port}`;
});
afterAll(async () => {
  delete process.env.TEST_POOLER;
  await pgbouncer.end('SIGTERM');
});

const throughPooler = (url: string) => url.replace(new URL(url).host, `127.0.0.1:${port}`);

describe('a gateway behind PgBouncer in transaction mode', () => {
  it('migrates an empty database by the direct URL, leaves no lock behind, and serves', async () => {
    await using database = await createEmptyDatabase();
    const settings = { DATABASE_URL: throughPooler(database.url), DATABASE_DIRECT_URL: database.url };
    const gateways = [await startGateway('bouncer-1', settings), await startGateway('bouncer-2', settings)];
    for (const { url } of gateways) expect((await fetch(`${url}/api/apps`)).status).toBe(200);
    for (const gateway of gateways) await gateway.program().end('SIGTERM');
  });

  it('uses few connections to PostgreSQL for many callers, and fails none', async () => {
    await using service = await startService({ DATABASE_POOL: '100', WORKER: 'inline' });
    const ada: Developer = await service.aDeveloper();
    const { slug } = await service.anApp(ada, 'APPROVED');
    const load = Array.from({ length: 400 }, (_, i) => {
      const api = apis[i % 2]!;
      if (i % 3 === 0) return service.client.call(api, 'updateMe', { bio: unique('bio') }, ada.key);
      if (i % 3 === 1)
        return service.client.call(api, 'recordInstall', { slug, installationId: unique('installation') });
      return service.client.call(api, 'browseApps', { search: unique('word') });
    });
    const codes = (await Promise.all(load)).map(({ code }) => code);
    expect(codes).toEqual(codes.map(() => null));
    const [found] = await service.sql<{ count: number; named: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database()
       and application_name ~ '^marketplace-gateway (writes|reads|installs|limits)$'`,
    );
    expect(found!.count).toBeLessThanOrEqual(poolSize);
    const locks = await service.sql("select from pg_locks where locktype = 'advisory'");
    expect(locks).toEqual([]);
  });

  it('sets the time-outs of a transaction for that transaction only', async () => {
    await using service = await startService();
    const ada = await service.aDeveloper();
    const { id } = await service.anApp(ada);
    const holder = new Client({ connectionString: service.databaseUrl });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from apps where id = $1 for update', [id]);
    const outcome = await service.client.call('rest', 'updateApp', { id, name: 'Other' }, ada.key);
    expect([outcome.code, outcome.status]).toEqual(['UNAVAILABLE', 503]);
    await holder.end();
    expect((await service.client.call('rest', 'updateApp', { id, name: 'Other' }, ada.key)).code).toBeNull();
  });

  it('says at the start what to set if nobody told it of the pooler', async () => {
    await using database = await createEmptyDatabase();
    await expect(
      requireExternalDatabase(throughPooler(database.url), { databaseDirectUrl: null }),
    ).rejects.toThrow(/^DATABASE_URL leads to a connection pooler .* set DATABASE_DIRECT_URL/);
  });
});

/** Tests of the service that hold through the pooler as they do without it. */
const files = words(`
  contract review rest/idempotency graphql/streams cache/invalidation limits/shared-store
  modules/installs/batch modules/notifications/delivery modules/webhooks/deliveries`);
const require = createRequire(import.meta.url);
for (const file of files) describe(`behind PgBouncer: ${file}`, () => void require(`../${file}.test.ts`));
