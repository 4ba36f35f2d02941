import { setTimeout as delay } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import { ormOptions } from '../../mikro-orm.config.js';
import { migrations } from '../db/migrations/list.js';
import { createClient } from '../db/pool.js';
import { StartupError } from '../errors.js';
import { Jobs } from '../jobs.js';

/** Key of the advisory lock; nothing else in the database uses this number. */
const lockId = 7_219_001;

/**
 * Statements that wait for a lock let all later ones of other connections wait behind them. A migration therefore gives
 * up after this time, lets the traffic pass, and tries again.
 */
const LOCK_TIMEOUT_MS = 2_000;
const RETRY_DELAY_MS = 2_000;
const MAX_ATTEMPTS = 60;
/** Pause between two attempts to migrate while another process does. */
const TURN_INTERVAL_MS = 100;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

/** Times for tests, which cannot wait for minutes. */
interface MigrationTimes {
  lockTimeoutMs?: number;
  retryDelayMs?: number;
  maxAttempts?: number;
}

/**
 * Runs the migrations that a database lacks, or only the named ones. Several processes may call it at once: one migrates,
 * the others wait.
 */
export async function migrateDatabase(
  databaseUrl: string,
  names?: readonly string[],
  times: MigrationTimes = {},
): Promise<void> {
  const lock = createClient({ url: databaseUrl, purpose: 'tools' });
  await lock.connect();
  try {
    await takeTurn(lock);
    await requireReleasedTables(lock);
    if (await hasPending(lock)) await migrate(databaseUrl, names, times);
    await Jobs.migrate(databaseUrl);
  } finally {
    await lock.end();
  }
}

/** Returns false for most starts, without the ORM, which takes a tenth of a second to examine its entities (D303). */
async function hasPending(client: Client): Promise<boolean> {
  const { rows: tables } = await client.query("select to_regclass('schema_migrations') is null as missing");
  if (tables[0].missing) return true;
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  const executed = new Set(rows.map(({ name }) => name));
  return migrations.some(({ name }) => !executed.has(name));
}

async function migrate(
  databaseUrl: string,
  names: readonly string[] | undefined,
  times: MigrationTimes,
): Promise<void> {
  const timeouts = { lockMs: times.lockTimeoutMs ?? LOCK_TIMEOUT_MS };
  const orm = await MikroORM.init(ormOptions(databaseUrl, 2, { purpose: 'tools', timeouts }));
  try {
    for (const { name } of await orm.migrator.getPending())
      if (!names || names.includes(name))
        await retryLocked(name, times, () => orm.migrator.up({ migrations: [name] }));
  } finally {
    await orm.close();
  }
}

/**
 * Waits until no other process migrates. It asks again and again: a statement that waits holds a snapshot, for whose end
 * an index that the other process builds concurrently would wait.
 */
async function takeTurn(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as "isTaken"', [lockId]);
    if (rows[0].isTaken) return;
    await delay(TURN_INTERVAL_MS);
  }
}

/** Repeats a migration that did not get its locks in time, until it does or until too many attempts have failed. */
async function retryLocked(
  name: string,
  { retryDelayMs = RETRY_DELAY_MS, maxAttempts = MAX_ATTEMPTS }: MigrationTimes,
  migrate: () => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await migrate();
      return;
    } catch (error) {
      if (!isLockConflict(error)) throw error;
      if (attempt >= maxAttempts)
        throw new StartupError(
          `The migration ${name} could not lock its tables in ${attempt} attempts: end the long transactions that pg_stat_activity shows, and start again.`,
          { cause: error },
        );
      await delay(retryDelayMs);
    }
  }
}

const isLockConflict = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK_DETECTED);

/**
 * Rejects databases of development versions from before the first release. Migrations 0001, 0008 and 0009 were changed
 * after they had run there, so that later migrations succeed and the table `app_figures` is missing.
 */
async function requireReleasedTables(client: Client): Promise<void> {
  const { rows } = await client.query<{ migrated: boolean; counted: boolean }>(
    `select to_regclass('schema_migrations') is not null as migrated, to_regclass('app_figures') is not null as counted`,
  );
  if (!rows[0]?.migrated || rows[0].counted) return;
  const { rowCount } = await client.query(
    "select from schema_migrations where name in ('0008-catalog', '0009-catalog-announcements')",
  );
  if (rowCount)
    throw new StartupError(
      'The database was created by a development version from before the first release, and cannot be upgraded: its migrations were changed later. Start with an empty database (another DATA_DIR or DATABASE_URL), and keep this one for the version that created it.',
    );
}
