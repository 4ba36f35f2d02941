import type { EntityManager } from '@mikro-orm/postgresql';
import { fromKysely, type JobResult, PgBoss, type QueueOptions, type SendOptions } from 'pg-boss';
import type { Logger } from 'pino';
import { v7 as newId } from 'uuid';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Tries again for a day, with pauses that grow from seconds to an hour. */
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
  // A receiver that fails is tried again by a new job; the queue's own retries are for what befalls us.
  'webhook-deliveries': { ...persistent, notify: true },
} satisfies Record<string, QueueOptions & { notify?: boolean }>;
export type Queue = keyof typeof queues;

/** One piece of recorded work. */
export interface Job {
  id: string;
  data: unknown;
  /** How often it has been tried before. */
  retryCount: number;
}
/** How many jobs of a queue are in a state. */
export interface QueueCount {
  queue: string;
  state: string;
  count: number;
}
/** Thrown by a handler: trying again would not help. */
export class HopelessJob extends Error {}
type JobHandler = (job: Job) => Promise<void>;

/**
 * What a process takes and does not finish, because it died or was stopped, is nobody's failure: it is taken up again
 * at once, not after the pause that a failure of its age would earn. These are pg-boss's words for it, and ours.
 */
const interrupted = {
  died: 'job heartbeat timeout',
  stopped: 'pg-boss shut down while active',
  notBegun: 'the worker stopped before it came to this job',
};
/** Seconds between looks for such jobs: with the heartbeat’s 10 s they wait for 10 to 20 s. */
const lookEvery = 5;

/** Work to be done after a transaction, recorded inside it: a rollback takes the job along. */
export class Jobs {
  private stopping = false;
  private readonly looking: NodeJS.Timeout | null;

  private constructor(
    private readonly boss: PgBoss,
    private readonly log: Logger,
    works: boolean,
  ) {
    this.looking = works ? setInterval(() => this.freeInterrupted(), lookEvery * 1000).unref() : null;
  }

  /** Creates pg-boss's tables and our queues; part of the migrations. */
  static async migrate(databaseUrl: string): Promise<void> {
    const boss = new PgBoss({ connectionString: databaseUrl, max: 2, supervise: false, schedule: false });
    await boss.start();
    for (const [queue, options] of Object.entries(queues)) {
      await boss.createQueue(queue, options);
      await boss.updateQueue(queue, options);
    }
    await boss.stop({ graceful: false });
  }

  static async open(databaseUrl: string, log: Logger, { works = false } = {}): Promise<Jobs> {
    const boss = new PgBoss({
      connectionString: databaseUrl,
      max: works ? 4 : 2,
      migrate: false,
      schedule: false,
      supervise: works,
      // Where a queue has `notify`, its workers hear of a job at once instead of finding it.
      useListenNotify: works,
      superviseIntervalSeconds: lookEvery,
      monitorIntervalSeconds: lookEvery,
    });
    boss.on('error', (error) => log.error({ err: error }, 'the job queue reports an error'));
    await boss.start();
    return new Jobs(boss, log, works);
  }

  async enqueue(
    em: EntityManager,
    queue: Queue,
    data: object,
    options: Pick<SendOptions, 'id' | 'startAfter' | 'group'> = {},
  ): Promise<void> {
    await this.boss.send(queue, data, { id: newId(), ...options, db: fromKysely(em.getKysely()) });
  }

  /** Does a queue's work, one job after the other; a failed one is tried again later and holds up nobody. */
  async work(queue: Queue, handler: JobHandler): Promise<void> {
    const options = {
      batchSize: 10,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 0.5,
      notifyPollingIntervalSeconds: 0.5,
      perJobResults: true,
      // Three may be missed before a busy process counts as dead.
      heartbeatRefreshSeconds: 3,
    } as const;
    await this.boss.work(queue, options, async (jobs) => {
      const results: JobResult[] = [];
      // Those of one transaction have the same time; their ids still say which came first.
      for (const job of jobs.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
        results.push(await this.attempt(queue, job, handler));
      return results;
    });
  }

  /** Does a queue's jobs side by side, but only a few of one group, so that a slow one holds up nobody but its own. */
  async workSideBySide(queue: Queue, handler: JobHandler): Promise<void> {
    const options = {
      localConcurrency: 6,
      localGroupConcurrency: 4,
      batchSize: 4,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 0.5,
      // Nobody is notified when the time of a later attempt has come.
      notifyPollingIntervalSeconds: 1,
      perJobResults: true,
      heartbeatRefreshSeconds: 3,
    } as const;
    await this.boss.work(queue, options, (jobs) =>
      Promise.all(jobs.map((job) => this.attempt(queue, job, handler))),
    );
  }

  private async attempt(queue: Queue, job: Job, handler: JobHandler): Promise<JobResult> {
    if (this.stopping) return { id: job.id, status: 'failed', output: { message: interrupted.notBegun } };
    try {
      await handler(job);
      return { id: job.id, status: 'completed' };
    } catch (error) {
      const isLast = error instanceof HopelessJob || job.retryCount >= (queues[queue].retryLimit ?? 0);
      const about = { err: error, queue, jobId: job.id, tries: job.retryCount + 1 };
      if (isLast) this.log.error(about, 'a job failed and is given up');
      else this.log.warn(about, 'a job failed and will be tried again');
      return {
        id: job.id,
        status: error instanceof HopelessJob ? 'deadletter' : 'failed',
        output: { message: error instanceof Error ? error.message : String(error) },
      };
    }
  }

  /** What there is to do, and what was given up. */
  async counts(): Promise<QueueCount[]> {
    const { rows } = await this.boss.getDb().executeSql(
      `select queues.name as queue, states.name as state, count(job.id)::int as count
       from unnest($1::text[]) queues (name)
       cross join unnest('{created,retry,active,failed}'::pgboss.job_state[]) states (name)
       left join pgboss.job on job.name = queues.name and job.state = states.name
       group by 1, 2`,
      [Object.keys(queues)],
    );
    return rows as QueueCount[];
  }

  private async freeInterrupted(): Promise<void> {
    try {
      await this.boss.getDb().executeSql(
        `update pgboss.job set start_after = now()
         where state = 'retry' and start_after > now() and name = any($1)
           and coalesce(output->'value'->>'message', output->>'value', output->>'message') = any($2)`,
        [Object.keys(queues), Object.values(interrupted)],
      );
    } catch (error) {
      if (!this.stopping) this.log.error({ err: error }, 'interrupted jobs could not be looked for');
    }
  }

  /** Begins no other job, and lets the one at hand finish, for a little while. */
  async close({ withinMs = 1500 } = {}): Promise<void> {
    this.stopping = true;
    if (this.looking) clearInterval(this.looking);
    await this.boss.stop({ graceful: true, timeout: withinMs });
  }
}
