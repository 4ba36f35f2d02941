import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { LimitClass } from '../config/formats.js';
import { type Counted, maxSubjects, windowSeconds } from './charge.js';
import { MemoryCounter } from './memory-counter.js';

/** Begins a window if the last one has ended, by the clock of the database, which all gateways share (D265). */
const countPoints = `
  with clock as (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms)
  insert into rate_limits as counted (key, points, expire) select $1, $2::integer, ms + $3::bigint from clock
  on conflict (key) do update set
    points = case when counted.expire <= excluded.expire - $3 then $2 else counted.points + $2 end,
    expire = case when counted.expire <= excluded.expire - $3 then excluded.expire else counted.expire end
  returning points, (expire - (select ms from clock))::float8 as "msBeforeNext"`;

/** Counts together with other gateways, and in this process while the database is unreachable. */
export class PostgresCounter {
  /** When the windows end of subjects beyond the limit, which are rejected without another statement. */
  private readonly exceeded = new LRUCache<string, number>({ max: maxSubjects });
  private readonly memory: MemoryCounter;

  constructor(
    private readonly limit: LimitClass,
    private readonly quota: number,
    private readonly pool: Pool,
  ) {
    this.memory = new MemoryCounter(quota, windowSeconds(limit));
  }

  async count(subject: string, points: number): Promise<Counted> {
    const msBeforeNext = (this.exceeded.get(subject) ?? 0) - performance.now();
    if (msBeforeNext > 0) return { remaining: 0, msBeforeNext, isExceeded: true };
    try {
      const counted = await this.countInDatabase(subject, points);
      if (counted.isExceeded) this.exceeded.set(subject, performance.now() + counted.msBeforeNext);
      return counted;
    } catch {
      return this.memory.count(subject, points);
    }
  }

  private async countInDatabase(subject: string, points: number): Promise<Counted> {
    const { rows } = await this.pool.query<{ points: number; msBeforeNext: number }>({
      name: 'rate-limits-count',
      text: countPoints,
      values: [`${this.limit}:${subject}`, points, windowSeconds(this.limit) * 1000],
    });
    const { points: used, msBeforeNext } = rows[0]!;
    const remaining = this.quota - used;
    return { remaining, msBeforeNext, isExceeded: remaining < 0 };
  }
}
