import { setTimeout as delay } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import { ormOptions } from '../../mikro-orm.config.js';
import { type MigrationState, migrationState } from '../db/migration-state.js';
import { withClient } from '../db/pool.js';
import { StartupError } from '../errors.js';
import { Jobs } from '../jobs.js';

/** Key of the advisory lock; nothing else in the database uses this number. */
export const migrationLock = 7_219_001;

/**
 * Statements that wait for a lock let all later ones of other connections wait behind them. A migration therefore gives
 * up after this time, lets the traffic pass, and tries again.
 */
const LOCK_TIMEOUT_MS = 2_000;
const RETRY_DELAY_MS = 2_000;
const MAX_ATTEMPTS = 60;
/** Pause between two attempts to migrate while another process does. */
const TURN_INTERVAL_MS = 100;
const BASELINE = '0100-baseline';
const LAST_OF_0_2_0 = '0042-frequent-words';
/** Connections of a process that was stopped just now may still be open. */
const STOP_WAIT_MS = 5_000;
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
  await withClient({ url: databaseUrl, purpose: 'tools' }, async (lock) => {
    await takeTurn(lock);
    const state = await migrationState(async (sql) => (await lock.query(sql)).rows);
    await requireUpgradable(lock, state);
    // Most starts have none, and need no ORM, which would examine all its entities first.
    if (state.pending.length > 0) await migrate(databaseUrl, names, times);
    await Jobs.migrate(databaseUrl);
  });
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
    const { rows } = await client.query('select pg_try_advisory_lock($1) as "isTaken"', [migrationLock]);
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
 * Rejects a database that the baseline cannot upgrade: one from before release 0.2.0, and one that gateways or workers of
 * 0.2.0 still use. They would read tables that the upgrade drops.
 */
async function requireUpgradable(client: Client, { executed }: MigrationState): Promise<void> {
  if (executed.length === 0 || executed.includes(BASELINE)) return;
  if (!executed.includes(LAST_OF_0_2_0))
    throw new StartupError(
      'The database is of a release before 0.2.0. Make a backup, start release 0.2.0 (commit 047c790) on it once, which upgrades it, stop that again, and then start this release.',
    );
  const endsAt = Date.now() + STOP_WAIT_MS;
  for (;;) {
    const { rows } = await client.query<{ name: string; count: number }>(
      `select application_name as name, count(*)::int as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and application_name like 'marketplace-gateway %' and application_name <> 'marketplace-gateway tools'
       group by 1 order by 1`,
    );
    if (rows.length === 0) return;
    if (Date.now() > endsAt)
      throw new StartupError(
        `Gateways or workers of release 0.2.0 use the database (${rows.map(({ name, count }) => `${name}: ${count}`).join(', ')}). Stop all of them, then start this release: its upgrade cannot run beside them.`,
      );
    await delay(TURN_INTERVAL_MS);
  }
}
