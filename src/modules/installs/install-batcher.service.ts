import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { openPool } from '../../db/pool.js';
import { ServiceError } from '../../errors.js';
import {
  type InstallStatement,
  installColumns,
  type NewInstall,
  type RecordedInstall,
  recordUnlocked,
  recordWaiting,
} from './install.queries.js';

const maxBatchSize = 500;
const maxQueued = 10_000;
/** Two queues, so that one fills while the database commits the batch of the other. */
const fastQueueCount = 2;

/**
 * Commits synchronously whatever the server's default, so that an acknowledged install survives a crash; uses one generic
 * plan, because it suits batches of every size.
 */
const sessionSettings =
  'set synchronous_commit = on; set plan_cache_mode = force_generic_plan; set jit = off';

const QUERY_CANCELED = '57014';

/** An install in a queue, with the promise of its caller. */
interface QueuedInstall {
  install: NewInstall;
  resolve(recorded: RecordedInstall): void;
  reject(error: unknown): void;
}

type ResultHandler = (queued: QueuedInstall, recorded: RecordedInstall) => void;

/**
 * Records the installs of all callers of this process in batches, each batch in one transaction; a call resolves after
 * the commit. The fast queues skip apps whose row is locked by an edit or by another node's batch. Their installs move to
 * the waiting queue, which waits for the lock, so that a locked app delays only the installs of locked apps.
 */
export class InstallBatcher {
  private readonly pool: pg.Pool;
  private readonly fastQueues: readonly InstallQueue[];
  private readonly waitingQueue: InstallQueue;
  /** Slugs of locked apps. Their installs go to the waiting queue directly, until it is empty. */
  private readonly lockedSlugs = new Set<string>();
  private isClosed = false;

  constructor(databaseUrl: string, log: Logger, max = fastQueueCount + 1) {
    this.pool = openPool({
      url: databaseUrl,
      purpose: 'installs',
      max,
      log,
      sessionSettings,
    });
    this.waitingQueue = new InstallQueue(
      (batch) => this.send(recordWaiting, batch, resolveWith),
      () => this.lockedSlugs.clear(),
    );
    this.fastQueues = Array.from(
      { length: fastQueueCount },
      () => new InstallQueue((batch) => this.sendFast(batch)),
    );
  }

  /** Resolves when the install is committed, or was counted before. */
  async record(install: NewInstall): Promise<RecordedInstall> {
    if (this.isClosed || this.queues.reduce((sum, { size }) => sum + size, 0) >= maxQueued) {
      throw new ServiceError(
        'UNAVAILABLE',
        'Too many installs are waiting to be recorded; this one was not recorded. Try again in a few seconds.',
      );
    }
    const queue = this.lockedSlugs.has(install.slug) ? this.waitingQueue : this.fastQueueOf(install.slug);
    return new Promise((resolve, reject) => queue.add({ install, resolve, reject }));
  }

  /** Rejects new installs, records the queued ones and closes the connections. */
  async close(): Promise<void> {
    this.isClosed = true;
    // The waiting queue is last, because the fast queues move installs to it.
    for (const queue of this.queues) await queue.drained();
    await this.pool.end();
  }

  private get queues(): readonly InstallQueue[] {
    return [...this.fastQueues, this.waitingQueue];
  }

  /** Returns always the same queue for an app, so that the fast queues never lock the same row. */
  private fastQueueOf(slug: string): InstallQueue {
    return this.fastQueues[(slug.charCodeAt(slug.length >> 1) || 0) % fastQueueCount]!;
  }

  private sendFast(batch: readonly QueuedInstall[]): Promise<void> {
    return this.send(recordUnlocked, batch, (queued, recorded) => {
      if (!recorded.isListed || recorded.installCount !== null) return resolveWith(queued, recorded);
      this.lockedSlugs.add(queued.install.slug);
      this.waitingQueue.add(queued);
    });
  }

  /** Sends a batch as one statement, which is its own transaction. If one install makes it fail, both halves are sent again. */
  private async send(
    statement: InstallStatement,
    batch: readonly QueuedInstall[],
    handleResult: ResultHandler,
  ): Promise<void> {
    try {
      const rows = await this.execute(statement, installColumns(batch.map(({ install }) => install)));
      for (const [index, queued] of batch.entries()) handleResult(queued, rows[index]!);
    } catch (error) {
      if (batch.length > 1 && isCausedByOneInstall(error)) {
        const middle = batch.length >> 1;
        await this.send(statement, batch.slice(0, middle), handleResult);
        await this.send(statement, batch.slice(middle), handleResult);
      } else for (const queued of batch) queued.reject(error);
    }
  }

  private async execute(statement: InstallStatement, values: unknown[]): Promise<RecordedInstall[]> {
    const client = await this.pool.connect().catch((error: unknown) => {
      // Rejects all queued installs too: otherwise each batch would wait for its own connection timeout.
      for (const queued of this.queues.flatMap((queue) => queue.takeAll())) queued.reject(error);
      throw error;
    });
    try {
      const { rows } = await client.query<RecordedInstall>({ ...statement, values });
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

const resolveWith: ResultHandler = ({ resolve }, recorded) => resolve(recorded);

/** Returns true for errors that a single install can cause: invalid data, a violated constraint or a deadlock. */
const isCausedByOneInstall = (error: unknown) =>
  error instanceof pg.DatabaseError && /^(22|23|40)/.test(error.code ?? '');

/** The connection was lost after the statement was sent, so the transaction may or may not have been committed. */
const unknownOutcome = (cause: unknown) =>
  new ServiceError(
    'UNAVAILABLE',
    'The database did not answer, and the install may have been recorded or not. Try again in a few seconds: with an installationId it counts once, however often it is sent.',
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

/** A queue that is sent batch by batch: while one batch is being recorded, the next one fills. */
class InstallQueue {
  private readonly items: QueuedInstall[] = [];
  private running: Promise<void> | null = null;
  private wasShared = false;

  constructor(
    private readonly send: (batch: readonly QueuedInstall[]) => Promise<void>,
    private readonly onEmpty: () => void = () => undefined,
  ) {}

  get size(): number {
    return this.items.length;
  }

  add(queued: QueuedInstall): void {
    this.items.push(queued);
    this.running ??= this.run();
  }

  /** Removes and returns the installs that have not been sent yet. */
  takeAll(): QueuedInstall[] {
    return this.items.splice(0);
  }

  async drained(): Promise<void> {
    await this.running;
  }

  /** Sends a single install at once. Under load it waits one event loop turn before each batch, so that requests that have already arrived join it. */
  private async run(): Promise<void> {
    while (this.items.length > 0) {
      if (this.wasShared && this.items.length < maxBatchSize) await eventLoopTurn();
      const batch = this.items.splice(0, maxBatchSize);
      this.wasShared = batch.length > 1;
      await this.send(batch);
    }
    // Runs in the same tick as the length check, so no item can be added in between.
    this.running = null;
    this.onEmpty();
  }
}
