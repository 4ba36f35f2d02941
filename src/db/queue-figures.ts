import type { Db } from 'pg-boss';
import { inTime } from './in-time.js';

/** Figures of a queue's jobs by state, for the metrics. */
export interface QueueFigures {
  readonly queue: string;
  readonly created: number;
  readonly retry: number;
  readonly active: number;
  readonly failed: number;
  /** Seconds since the job that waits longest was due; 0 if none is. */
  readonly oldestSeconds: number;
}

/** A scrape of the metrics costs no more, however long a queue is. */
const maxCounted = 100_000;
const timeoutMs = 2_000;

/** Reads the figures of the job queues. */
export class QueueFiguresReader {
  private running: Promise<QueueFigures[]> | null = null;

  constructor(private readonly names: readonly string[]) {}

  /** Returns none if the database does not respond in time. At most one query waits for it. */
  async read(db: Db): Promise<QueueFigures[]> {
    this.running ??= this.query(db)
      .catch(() => [])
      .finally(() => {
        this.running = null;
      });
    return inTime(this.running, timeoutMs, () => []);
  }

  /**
   * Counts waiting jobs in their index. The others are counted by pg-boss every few seconds: no index has them, and
   * finished jobs are kept for days.
   */
  private async query(db: Db): Promise<QueueFigures[]> {
    const { rows } = await db.executeSql(
      `select queue.name as queue, waiting.created, waiting.retry, queue.active_count as active,
         queue.failed_count as failed, coalesce(waiting.oldest, 0)::float as "oldestSeconds"
       from pgboss.queue queue
       cross join lateral (
         select count(*) filter (where state = 'created')::int as created,
           count(*) filter (where state = 'retry')::int as retry,
           extract(epoch from now() - min(start_after) filter (where start_after <= now())) as oldest
         from (
           select state, start_after from pgboss.job
           where name = queue.name and state < 'active' and not blocked
           order by priority desc, created_on limit $2
         ) jobs
       ) waiting
       where queue.name = any($1)`,
      [this.names, maxCounted],
    );
    return rows as QueueFigures[];
  }
}
