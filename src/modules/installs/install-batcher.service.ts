import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { remainingMs } from '../../db/payer.js';
import { openPool } from '../../db/pool.js';
import { ServiceError } from '../../errors.js';
import { keyInProgress, type ReplayKey } from '../../operations/idempotency.js';
import { currentTracer, type TraceContext } from '../../tracing/tracing.js';
import {
  fromKeyedRow,
  installColumns,
  type KeyedRow,
  keyColumn,
  type NewInstall,
  type RecordedInstall,
  recordBatch,
  recordKeyedBatch,
  removeExpired,
} from './install.queries.js';
import { BatchQueue } from './install-queue.service.js';
import { LockedApps } from './locked-apps.service.js';

const maxQueued = 10_000;
/** Each attempt finds the response that made the one before fail; one more is for a response that expires meanwhile. */
const maxKeyAttempts = 4;

/**
 * Commits synchronously whatever the server's default, so that an acknowledged install survives a crash; uses one generic
 * plan, because it suits batches of every size; never reads a whole table, because a plan that was made while a table was
 * empty would do so after it has grown.
 */
const sessionSettings =
  'set synchronous_commit = on; set plan_cache_mode = force_generic_plan; set jit = off; set enable_seqscan = off';

/** Pause between two looks at the installs of locked apps while the service stops. */
const closingPauseMs = 25;

const QUERY_CANCELED = '57014';

/** An install in the queue, with the promise of its caller. */
interface QueuedInstall {
  install: NewInstall;
  /** The request's Idempotency-Key; null for none. */
  key: ReplayKey | null;
  waitsSince: number | null;
  /** Time at which the response to its request is due (D329). */
  waitsUntil: number;
  /** Null: tracing is off. */
  trace: TraceContext | null;
  resolve(recorded: RecordedInstall): void;
  reject(error: unknown): void;
}

/**
 * Records the installs of all callers of this process in batches, each batch in one transaction; a call resolves after
 * the commit. A batch skips apps whose row is locked, by an edit for example. Their installs wait aside and are tried
 * again, so that a locked app delays only its own installs.
 */
export class InstallBatcher {
  private readonly pool: pg.Pool;
  private readonly queue = new BatchQueue<QueuedInstall>((batch) => this.sendTraced(batch));
  private readonly locked = new LockedApps<QueuedInstall>({
    retry: (queued) => this.queue.add(queued),
    timedOut: () => timedOut(null),
  });
  /** Ids of the Idempotency-Keys of requests that are running in this process. */
  private readonly keysInUse = new Set<string>();
  private isClosed = false;
  private skipped = 0;

  constructor(databaseUrl: string, log: Logger, { max = 1, pooled = false } = {}) {
    this.pool = openPool({ url: databaseUrl, purpose: 'installs', pooled, max, log, sessionSettings });
  }

  /** Resolves when the install is committed, or was counted before, or has a stored response under its key. */
  record(install: NewInstall, key: ReplayKey | null = null): Promise<RecordedInstall> {
    if (this.isClosed || this.size >= maxQueued) {
      const error = new ServiceError(
        'UNAVAILABLE',
        'Too many installs are waiting to be recorded; this one was not recorded. Try again in a few seconds.',
      );
      return Promise.reject(error);
    }
    return key ? this.recordOnce(install, key) : this.enqueue(install, null);
  }

  private async recordOnce(install: NewInstall, key: ReplayKey): Promise<RecordedInstall> {
    const id = key.id.toString('latin1');
    if (this.keysInUse.has(id)) throw keyInProgress();
    this.keysInUse.add(id);
    try {
      return await this.enqueue(install, key);
    } finally {
      this.keysInUse.delete(id);
    }
  }

  private enqueue(install: NewInstall, key: ReplayKey | null): Promise<RecordedInstall> {
    return new Promise((resolve, reject) => {
      const trace = currentTracer()?.context() ?? null;
      const leftMs = remainingMs();
      // It may be in a batch that is being recorded.
      const timer = leftMs < Infinity ? setTimeout(() => reject(unknownOutcome(null)), leftMs) : undefined;
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          settle(value);
        };
      const queued: QueuedInstall = {
        install,
        key,
        waitsSince: null,
        waitsUntil: performance.now() + leftMs,
        trace,
        resolve: settled(resolve),
        reject: settled(reject),
      };
      if (this.locked.has(install.slug)) this.locked.add(queued);
      else this.queue.add(queued);
    });
  }

  /** Rejects new installs, records the queued ones and closes the connections. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (;;) {
      await this.queue.drained();
      if (this.size === 0) break;
      await delay(closingPauseMs);
    }
    await this.pool.end();
  }

  /** Installs that wait, those of them that wait for a locked app, and how often an install has found its app locked. */
  get figures(): { queued: number; locked: number; skipped: number } {
    return { queued: this.size, locked: this.locked.size, skipped: this.skipped };
  }

  private get size(): number {
    return this.queue.size + this.locked.size;
  }

  private sendTraced(batch: readonly QueuedInstall[]): Promise<void> {
    const tracer = currentTracer();
    if (tracer === null) return this.send(batch);
    const callers = batch.flatMap(({ trace }) => trace ?? []);
    return tracer.inShared('record installs', callers, () => this.send(batch));
  }

  /** Sends a batch as one statement, which is its own transaction. If one install makes it fail, both halves are sent again. */
  private async send(batch: readonly QueuedInstall[], attempt = 1): Promise<void> {
    try {
      const rows = await this.execute(batch);
      for (const [index, queued] of batch.entries()) this.settle(queued, rows[index]!);
    } catch (error) {
      if (isKeyTaken(error) && attempt < maxKeyAttempts) {
        // Another gateway has stored the response meanwhile, so the next attempt finds it; or it has expired.
        await this.removeExpired(batch);
        await this.send(batch, attempt + 1);
      } else if (batch.length > 1 && isCausedByOneInstall(error)) {
        const middle = batch.length >> 1;
        await this.send(batch.slice(0, middle));
        await this.send(batch.slice(middle));
      } else for (const queued of batch) this.fail(queued, error);
    }
  }

  /** If this fails, so does the next attempt, which reports it. */
  private async removeExpired(batch: readonly QueuedInstall[]): Promise<void> {
    const values = [batch.flatMap(({ key }) => (key ? [key.id] : []))];
    await this.pool.query({ ...removeExpired, values }).catch(() => undefined);
  }

  private settle(queued: QueuedInstall, recorded: RecordedInstall): void {
    const isLocked = recorded.isListed && recorded.installCount === null && !recorded.stored;
    if (isLocked) {
      this.skipped += 1;
      return void this.locked.add(queued);
    }
    queued.resolve(recorded);
    this.locked.release(queued.install.slug);
  }

  private fail(queued: QueuedInstall, error: unknown): void {
    queued.reject(error);
    this.locked.schedule(queued.install.slug);
  }

  private async execute(batch: readonly QueuedInstall[]): Promise<RecordedInstall[]> {
    const client = await this.pool.connect().catch((error: unknown) => {
      // Rejects all queued installs too: otherwise each batch would wait for its own connection timeout.
      for (const queued of this.queue.takeAll()) this.fail(queued, error);
      throw error;
    });
    try {
      const rows = await query(client, batch);
      client.release();
      return rows;
    } catch (error) {
      // Classes 08 and 57P are lost connections; after any other database error the connection can be used again.
      const isRolledBack = error instanceof pg.DatabaseError && !/^(08|57P)/.test(error.code ?? '');
      client.release(!isRolledBack);
      if (!isRolledBack) throw unknownOutcome(error);
      throw error.code === QUERY_CANCELED ? timedOut(error) : error;
    }
  }
}

async function query(client: pg.PoolClient, batch: readonly QueuedInstall[]): Promise<RecordedInstall[]> {
  const values: unknown[] = installColumns(batch.map(({ install }) => install));
  if (batch.every(({ key }) => key === null))
    return (await client.query<RecordedInstall>({ ...recordBatch, values })).rows;
  values.push(keyColumn(batch.map(({ key }) => key)));
  return (await client.query<KeyedRow>({ ...recordKeyedBatch, values })).rows.map(fromKeyedRow);
}

/** Returns true if the response to another request with the same Idempotency-Key has been stored since the statement began. */
const isKeyTaken = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === '23505' && error.table === 'stored_responses';

/** Returns true for errors that a single install can cause: invalid data, a violated constraint or a deadlock. */
const isCausedByOneInstall = (error: unknown) =>
  error instanceof pg.DatabaseError && /^(22|23|40)/.test(error.code ?? '');

/** The connection was lost after the statement was sent, so the transaction may or may not have been committed. */
const unknownOutcome = (cause: unknown) =>
  new ServiceError(
    'UNAVAILABLE',
    'The database did not answer, and the install may have been recorded or not. Try again in a few seconds: with an installationId it counts once, however often it is sent, and so does a request with the same Idempotency-Key.',
    [],
    { cause },
  );

/** The app was locked for too long, or the database is overloaded. */
const timedOut = (cause: unknown) =>
  new ServiceError(
    'UNAVAILABLE',
    'The install could not be recorded in time, and was not recorded. Try again in a few seconds.',
    [],
    { cause },
  );
