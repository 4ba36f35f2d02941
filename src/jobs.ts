import type { EntityManager } from '@mikro-orm/postgresql';
import { fromKysely, type JobResult, PgBoss, type QueueOptions, type SendOptions } from 'pg-boss';
import type { Logger } from 'pino';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Tries again for a day, with pauses that grow from seconds to an hour. What a dead process took is free again within two minutes. */
const persistent: QueueOptions = {
  retryLimit: 34,
  retryDelay: 4,
  retryBackoff: true,
  retryDelayMax: hour,
  expireInSeconds: 10 * minute,
  heartbeatSeconds: 30,
  retentionSeconds: 7 * day,
  deleteAfterSeconds: 7 * day,
};

const queues = {
  notifications: persistent,
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
}
export type JobHandler = (job: Job) => Promise<void>;

/** Work to be done after a transaction, recorded inside it: a rollback takes the job along. */
export class Jobs {
  private constructor(
    private readonly boss: PgBoss,
    private readonly log: Logger,
  ) {}

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
      superviseIntervalSeconds: 20,
      monitorIntervalSeconds: 20,
    });
    boss.on('error', (error) => log.error({ err: error }, 'the job queue reports an error'));
    await boss.start();
    return new Jobs(boss, log);
  }

  async enqueue(
    em: EntityManager,
    queue: Queue,
    data: object,
    options: Pick<SendOptions, 'id' | 'startAfter' | 'group'> = {},
  ): Promise<void> {
    await this.boss.send(queue, data, { ...options, db: fromKysely(em.getKysely()) });
  }

  /** Does a queue's work, one job after the other; a failed one is tried again later and holds up nobody. */
  async work(queue: Queue, handler: JobHandler): Promise<void> {
    const options = {
      batchSize: 10,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 0.5,
      notifyPollingIntervalSeconds: 0.5,
      perJobResults: true,
    } as const;
    await this.boss.work(queue, options, async (jobs) => {
      const results: JobResult[] = [];
      for (const job of jobs) results.push(await this.attempt(queue, job, handler));
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
    } as const;
    await this.boss.work(queue, options, (jobs) =>
      Promise.all(jobs.map((job) => this.attempt(queue, job, handler))),
    );
  }

  private async attempt(queue: Queue, job: Job, handler: JobHandler): Promise<JobResult> {
    try {
      await handler(job);
      return { id: job.id, status: 'completed' };
    } catch (error) {
      this.log.warn({ err: error, queue, jobId: job.id }, 'a job failed and will be tried again');
      return {
        id: job.id,
        status: 'failed',
        output: { message: error instanceof Error ? error.message : String(error) },
      };
    }
  }

  /** Lets the job at hand finish, for a little while. */
  async close(): Promise<void> {
    await this.boss.stop({ graceful: true, timeout: 1500 });
  }
}
