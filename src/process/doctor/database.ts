import { resolve } from 'node:path';
import type { Client } from 'pg';
import type { Config } from '../../config.js';
import { addressOf } from '../../db/address.js';
import { measureClock } from '../../db/clock.js';
import { databaseName, requireExternalDatabase } from '../../db/external.js';
import { migrationState } from '../../db/migration-state.js';
import { migrations } from '../../db/migrations/list.js';
import { withClient } from '../../db/pool.js';
import { openExistingDatabase } from '../../embedded-postgres/existing.js';
import { StartupError } from '../../errors.js';
import { type CheckResult, reasonOf, resultsOf } from './check-result.js';
import { checkReplicas } from './replicas.js';

const { ok, warn, fail } = resultsOf('database');
const TIMEOUT_MS = 10_000;
const SLOW_MS = 10;
const CLOCK_WARN_MS = 2_000;
/** Tokens are accepted with this difference of the clocks. */
const CLOCK_FAIL_MS = 30_000;
const EXTENSION = 'pg_trgm';

type CheckContent = (client: Client) => Promise<CheckResult[]>;
/** Checks the server at a URL; `state` is shown with its name. */
type CheckAt = (url: string, state: string) => Promise<CheckResult[]>;

/** Runs checks on the database, and returns them with those of the database itself. */
export async function checkDatabase(config: Config, checkContent: CheckContent): Promise<CheckResult[]> {
  const timeouts = { statementMs: TIMEOUT_MS };
  const options = { purpose: 'tools', connectionTimeoutMillis: TIMEOUT_MS, timeouts } as const;
  const check: CheckAt = (url, state) =>
    withClient({ ...options, url }, async (client) => {
      const version = await value(client, "current_setting('server_version')");
      const server = ok(`PostgreSQL ${version}, database ${databaseName(url)}${state}`);
      return [server, ...(await checkServer(client, config, checkContent))];
    });
  try {
    if (config.databaseUrl === null) return await checkEmbedded(config, check);
    await requireExternalDatabase(config.databaseUrl, config);
    const { directUrl, pooled } = addressOf(config.databaseUrl, config);
    return await check(directUrl, pooled ? ', DATABASE_URL through a pooler' : '');
  } catch (error) {
    const cure =
      config.databaseUrl === null
        ? `Read ${resolve(config.dataDir, 'postgres.log')}, or set DATABASE_URL to another PostgreSQL.`
        : 'Check DATABASE_URL, and that this machine may connect there.';
    return [fail(error instanceof StartupError ? error.message : reasonOf(error), cure)];
  }
}

async function checkEmbedded({ dataDir }: Config, check: CheckAt): Promise<CheckResult[]> {
  const database = await openExistingDatabase(dataDir);
  if (!database) return [ok(`none yet in DATA_DIR ${resolve(dataDir)}: the first start creates it`)];
  try {
    return await check(
      database.url,
      database.isShared ? ', used by a running gateway' : ', started for this check',
    );
  } finally {
    await database.close();
  }
}

async function checkServer(
  client: Client,
  config: Config,
  checkContent: CheckContent,
): Promise<CheckResult[]> {
  const migrated = await checkMigrations(client);
  return [
    await checkExtension(client),
    await checkConnections(client, config),
    ...(await checkTimes(client)),
    ...(await checkReplicas(client, config.databaseReplicaUrls)),
    migrated,
    // The checks of the content need the current tables.
    ...(migrated.status === 'OK' ? await checkContent(client) : []),
  ];
}

async function value(client: Client, expression: string): Promise<unknown> {
  const { rows } = await client.query<{ value: unknown }>(`select ${expression} as value`);
  return rows[0]?.value;
}

async function checkExtension(client: Client): Promise<CheckResult> {
  const isAvailable = await value(
    client,
    `exists (select from pg_available_extensions where name = '${EXTENSION}')`,
  );
  return isAvailable
    ? ok(`extension ${EXTENSION} is available`)
    : fail(
        `extension ${EXTENSION} is not available`,
        'Install the contrib package of this PostgreSQL, such as postgresql-contrib.',
      );
}

async function checkConnections(
  client: Client,
  { databasePool, webConcurrency }: Config,
): Promise<CheckResult> {
  const maximum = Number(await value(client, "current_setting('max_connections')"));
  const reserved = Number(await value(client, "current_setting('superuser_reserved_connections')"));
  const processes = Math.floor((maximum - reserved) / databasePool);
  return processes >= webConcurrency
    ? ok(
        `max_connections is ${maximum}: enough for ${processes} gateways and workers of ${databasePool} connections`,
      )
    : warn(
        `max_connections is ${maximum}, but a gateway opens up to ${databasePool * webConcurrency}`,
        'Raise max_connections, or lower DATABASE_POOL or WEB_CONCURRENCY.',
      );
}

/** Measures the round trip, and compares the clock of the database with that of this machine. */
async function checkTimes(client: Client): Promise<CheckResult[]> {
  const { offset, error } = await measureClock(async (sql) => (await client.query(sql)).rows);
  const ms = 2 * error;
  const offsetMs = Math.abs(offset);
  const difference = `the clocks of this machine and of the database differ by ${Math.round(offsetMs)} ms`;
  const synchronise = 'Synchronise both clocks with NTP.';
  const clock =
    offsetMs > CLOCK_FAIL_MS
      ? fail(difference, synchronise)
      : offsetMs > CLOCK_WARN_MS
        ? warn(difference, synchronise)
        : ok(difference);
  const roundTrip = `a query takes ${ms.toFixed(1)} ms`;
  return [clock, ms > SLOW_MS ? warn(roundTrip, 'Run the gateway closer to its database.') : ok(roundTrip)];
}

async function checkMigrations(client: Client): Promise<CheckResult> {
  const cure = 'The next gateway or worker that starts runs them. Make a backup before.';
  const { executed, pending } = await migrationState(async (sql) => (await client.query(sql)).rows);
  if (executed.length === 0) return warn('the database has no tables yet', cure);
  if (pending.length > 0) return warn(`pending migrations: ${pending.join(', ')}`, cure);
  const newer = executed.filter((name) => !migrations.some((migration) => migration.name === name));
  return newer.length > 0
    ? warn(
        `a newer release has migrated the database (${newer.join(', ')})`,
        'That is right during an upgrade; afterwards run the same release everywhere.',
      )
    : ok(`all ${migrations.length} migrations have run`);
}
