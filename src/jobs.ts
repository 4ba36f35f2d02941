import type { EntityManager } from '@mikro-orm/postgresql';
import { fromKysely, type JobResult, PgBoss, type QueueOptions, type SendOptions } from 'pg-boss';
import { type Logger, pino } from 'pino';
import { v7 as newId } from 'uuid';
import { DatabaseListener } from './db/listen.js';
import { openPool } from './db/pool.js';
import { queueDatabase } from './db/queue-database.js';
import { queueErrorLogger } from './db/queue-errors.js';
import { type QueueFigures, QueueFiguresReader } from './db/queue-figures.js';
import { enqueueTraced, runTraced } from './tracing/job-traces.js';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Retries for about a day, with delays that grow from seconds to an hour. */
const persistent: QueueOptions = {
  retryLimit: 35,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: hour,
  expireInSeconds: 10 * minute,
  heartbeatSeconds: 10,
  retentionSeconds: 7 * day,
  deleteAfterSeconds: 7 * day,
};

const queues = {
  notifications: persistent,
  'mail-digests': persistent,
  'asset-checks': persistent,
  'webhook-events': { ...persistent, notify: true },
  // A delivery that the receiver failed is retried by a new job; the queue's retries are for failures of our own.
  'webhook-deliveries': { ...persistent, notify: true },
} satisfies Record<string, QueueOptions & { notify?: boolean }>;
export type Queue = keyof typeof queues;

/** A queued job. */
export interface Job {
  id: string;
  data: unknown;
  /** Number of earlier attempts. */
  retryCount: number;
}
/** Thrown by a handler to fail a job without further retries. */
export class NonRetryableError extends Error {}
type JobHandler = (job: Job) => Promise<void>;

/**
 * Outputs of jobs whose worker died or was stopped. That is not a failure of the job, so it is retried at once instead of
 * after its retry delay. The first two texts are pg-boss's.
 */
const interrupted = {
  died: 'job heartbeat timeout',
  stopped: 'pg-boss shut down while active',
  notStarted: 'the worker stopped before it came to this job',
};
/** Interval of the search for such jobs. With the heartbeat of 10 s they are retried after 10 to 20 s. */
const superviseIntervalSeconds = 5;

/** Options of all workers. */
const polling = {
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 0.5,
  perJobResults: true,
  // A busy process may miss three heartbeats before it counts as dead.
  heartbeatRefreshSeconds: 3,
} as const;

/** Its destination does nothing; without one pino would open the standard output. */
const silentLog = pino({ level: 'silent' }, { write: () => undefined });

interface JobsOptions {
  /** True: this process runs the jobs. */
  works?: boolean;
  /** Connections of the queue. */
  max?: number;
  /** The listener of the process; null: its own, if it works. */
  listener?: DatabaseListener | null;
  /** Days after which ended jobs are deleted. */
  retentionDays?: number;
}

/** The part of the job queue that services use. */
export type JobQueue = Pick<Jobs, 'enqueue'>;

/** The job queue. Jobs are inserted inside the caller's transaction, so that a rollback removes them too. */
export class Jobs {
  private stopping = false;
  private readonly queueFigures = new QueueFiguresReader(Object.keys(queues));
  private readonly superviseTimer: NodeJS.Timeout | null;

  private constructor(
    private readonly boss: PgBoss,
    private readonly log: Logger,
    works: boolean,
    private readonly retentionDays: number,
    private readonly closeConnections: () => Promise<void>,
  ) {
    this.superviseTimer = works
      ? setInterval(() => this.retryInterrupted(), superviseIntervalSeconds * 1000).unref()
      : null;
  }

  /** Creates pg-boss's tables and our queues; part of the migrations. */
  static async migrate(databaseUrl: string): Promise<void> {
    const pool = openPool({ url: databaseUrl, purpose: 'tools', max: 2, log: silentLog });
    const boss = new PgBoss({ db: queueDatabase(pool, null), supervise: false, schedule: false });
    // Without a listener an error in its background would end the process; those of the calls below reject.
    boss.on('error', () => undefined);
    try {
      await boss.start();
      for (const [queue, options] of Object.entries(queues)) {
        await boss.createQueue(queue, options);
        await boss.updateQueue(queue, options);
      }
      await pool.query(vacuumJobs);
    } finally {
      await boss.stop({ graceful: false }).catch(() => undefined);
      await pool.end();
    }
  }

  static async open(
    databaseUrl: string,
    log: Logger,
    { works = false, max = works ? 4 : 2, listener: given = null, retentionDays = 7 }: JobsOptions = {},
  ): Promise<Jobs> {
    const pool = openPool({ url: databaseUrl, purpose: 'jobs', max, log });
    const notify = (...values: string[]) => pool.query('select pg_notify($1, $2)', values);
    const listener = given ?? (works ? new DatabaseListener({ databaseUrl, log, notify }) : null);
    const boss = new PgBoss({
      db: queueDatabase(pool, listener),
      migrate: false,
      schedule: false,
      supervise: works,
      // Workers of queues with `notify` are woken by a notification instead of polling.
      useListenNotify: works,
      superviseIntervalSeconds,
      monitorIntervalSeconds: superviseIntervalSeconds,
    });
    const closeConnections = async () => {
      if (listener !== given) await listener?.close();
      await pool.end();
    };
    boss.on('error', queueErrorLogger(log));
    try {
      await boss.start();
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => undefined);
      await closeConnections();
      throw error;
    }
    return new Jobs(boss, log, works, retentionDays, closeConnections);
  }

  async enqueue(
    em: EntityManager,
    queue: Queue,
    data: object,
    options: Pick<SendOptions, 'id' | 'startAfter' | 'group'> = {},
  ): Promise<void> {
    const { id = newId() } = options;
    const deleteAfterSeconds = this.retentionDays * day;
    await enqueueTraced(queue, { id, data }, (carrying) =>
      this.boss.send(queue, carrying, {
        ...options,
        id,
        deleteAfterSeconds,
        db: fromKysely(em.getKysely()),
      }),
    );
  }

  /** Runs a queue's jobs one after the other; a failed job is retried later and does not block the others. */
  async work(queue: Queue, handler: JobHandler): Promise<void> {
    const options = { ...polling, batchSize: 10, notifyPollingIntervalSeconds: 0.5 };
    await this.boss.work(queue, options, async (jobs) => {
      const results: JobResult[] = [];
      // Jobs of one transaction have the same time, but their ids (UUIDv7) are in order.
      for (const job of jobs.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
        results.push(await this.attempt(queue, job, handler));
      return results;
    });
  }

  /**
   * Runs a queue's jobs concurrently, with a limit per group, so that a slow group does not block the others. Each worker
   * takes two jobs and waits for both, so slow jobs can hold as many workers as their groups have places.
   */
  async workConcurrently(
    queue: Queue,
    { workers, perGroup }: { workers: number; perGroup: number },
    handler: JobHandler,
  ): Promise<void> {
    const options = {
      ...polling,
      localConcurrency: workers,
      localGroupConcurrency: perGroup,
      batchSize: 2,
      // Retries send no notification when they are due, so polling finds them.
      notifyPollingIntervalSeconds: 1,
    };
    await this.boss.work(queue, options, (jobs) =>
      Promise.all(jobs.map((job) => this.attempt(queue, job, handler))),
    );
  }

  private async attempt(queue: Queue, job: Job, handler: JobHandler): Promise<JobResult> {
    if (this.stopping) return { id: job.id, status: 'failed', output: { message: interrupted.notStarted } };
    try {
      await runTraced(queue, job, async (own) => {
        try {
          await handler(own);
        } catch (error) {
          this.logFailure(queue, job, error);
          throw error;
        }
      });
      return { id: job.id, status: 'completed' };
    } catch (error) {
      return {
        id: job.id,
        status: error instanceof NonRetryableError ? 'deadletter' : 'failed',
        output: { message: error instanceof Error ? error.message : String(error) },
      };
    }
  }

  /** Called within the trace of the job. */
  private logFailure(queue: Queue, job: Job, error: unknown): void {
    const isLast = error instanceof NonRetryableError || job.retryCount >= (queues[queue].retryLimit ?? 0);
    const fields = { err: error, queue, jobId: job.id, tries: job.retryCount + 1 };
    if (isLast) this.log.error(fields, 'a job failed and is given up');
    else this.log.warn(fields, 'a job failed and will be tried again');
  }

  /** Returns the figures of each queue for the metrics; none if the database does not respond in time. */
  figures(): Promise<QueueFigures[]> {
    return this.queueFigures.read(this.boss.getDb());
  }

  private async retryInterrupted(): Promise<void> {
    try {
      await this.boss.getDb().executeSql(
        `update pgboss.job set start_after = now()
         where state = 'retry' and start_after > now() and name = any($1)
           and coalesce(output->'value'->>'message', output->>'value', output->>'message') = any($2)`,
        [Object.keys(queues), Object.values(interrupted)],
      );
    } catch (error) {
      if (!this.stopping) this.log.error({ err: error }, 'the search for interrupted jobs failed');
    }
  }

  /** Starts no further jobs, and waits up to `timeoutMs` for the running ones. */
  async close({ timeoutMs = 1500 } = {}): Promise<void> {
    this.stopping = true;
    if (this.superviseTimer) clearInterval(this.superviseTimer);
    await this.boss.stop({ graceful: true, timeout: timeoutMs });
    await this.closeConnections();
  }
}

/** Each job leaves several dead rows in the indexes that workers search, beside the ended jobs of a week (D267). */
const vacuumJobs = `
  do $$ begin
    if (select reloptions is null from pg_class where oid = 'pgboss.job_common'::regclass) then
      alter table pgboss.job_common set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
    end if;
  end $$`;
