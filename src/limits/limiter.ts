import type { Pool } from 'pg';
import {
  type IRateLimiterOptions,
  type IRateLimiterStoreNoAutoExpiryOptions,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { LimitClass } from '../config/formats.js';
import { type Charge, maxSubjects, windowSeconds } from './charge.js';
import { LeasedPoints } from './leased-points.js';
import type { TakePoints } from './point-counts.js';
import { SubjectsByUse } from './subjects-by-use.js';

/** Counts points by subject, in this process or in PostgreSQL. */
export class Limiter {
  private constructor(
    private readonly limit: LimitClass,
    private readonly quota: number,
    private readonly limiter: Pick<RateLimiterAbstract, 'consume'>,
  ) {}

  static inMemory(limit: LimitClass, quota: number): Limiter {
    return new Limiter(limit, quota, new BoundedMemory({ points: quota, duration: windowSeconds(limit) }));
  }

  /** Counts together with the other processes of this gateway. */
  static leased(limit: LimitClass, quota: number, takePoints: TakePoints): Limiter {
    return new Limiter(limit, quota, new LeasedPoints(limit, takePoints));
  }

  /** Counts points that are spent already together with the other processes of this gateway. */
  static reported(limit: LimitClass, quota: number, takePoints: TakePoints): Limiter {
    return new Limiter(limit, quota, {
      async consume(subject, points = 1) {
        const { remaining, msBeforeNext } = await takePoints(limit, String(subject), points);
        return new RateLimiterRes(Math.max(0, remaining), msBeforeNext);
      },
    });
  }

  /** Falls back to counting in this process while the database is unreachable. */
  static inPostgres(limit: LimitClass, quota: number, pool: Pool): Limiter {
    return new Limiter(
      limit,
      quota,
      new SharedCounts({
        storeClient: pool,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        keyPrefix: limit,
        points: quota,
        duration: windowSeconds(limit),
        // A subject beyond its limit is rejected here, without another query.
        inMemoryBlockOnConsumed: quota + 1,
        // All limits share the table, and the worker deletes expired rows.
        clearExpiredByTimeout: false,
        insuranceLimiter: new BoundedMemory({
          keyPrefix: limit,
          points: quota,
          duration: windowSeconds(limit),
        }),
      }),
    );
  }

  /** Counts at once in memory, so that a cached response need not wait for a promise. */
  charge(subject: string, points: number): Charge | Promise<Charge> {
    if (!(this.limiter instanceof BoundedMemory)) return this.consume(subject, points);
    const state = this.limiter.count(subject, points);
    return this.toCharge(state, state.consumedPoints > this.quota);
  }

  private async consume(subject: string, points: number): Promise<Charge> {
    try {
      return this.toCharge(await this.limiter.consume(subject, points), false);
    } catch (rejection) {
      if (rejection instanceof Error) throw rejection;
      return this.toCharge(rejection as RateLimiterRes, true);
    }
  }

  private toCharge({ remainingPoints, msBeforeNext }: RateLimiterRes, isExceeded: boolean): Charge {
    return {
      limit: this.limit,
      quota: this.quota,
      remaining: isExceeded ? 0 : remainingPoints,
      // A clock that was set back makes a window look longer than it is.
      resetSeconds: Math.min(windowSeconds(this.limit), Math.max(1, Math.ceil(msBeforeNext / 1000))),
      isExceeded,
    };
  }
}

/**
 * Counts by the clock of the database (D265). The library compares the end of a window with the clock of this machine, so
 * a gateway whose clock is ahead would begin a new window at every request.
 */
class SharedCounts extends RateLimiterPostgres {
  constructor(private readonly options: IRateLimiterStoreNoAutoExpiryOptions) {
    super(options);
  }

  /** Overrides a method of the library that its types leave out. `expire` is returned by the clock of this machine. */
  _upsert(key: string, points: number, durationMs: number): Promise<unknown> {
    return (this.options.storeClient as Pool).query({
      name: 'rate-limits-count',
      text: `
        with clock as (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms)
        insert into rate_limits as counted (key, points, expire) select $1, $2::integer, ms + $3::bigint from clock
        on conflict (key) do update set
          points = case when counted.expire <= excluded.expire - $3 then $2 else counted.points + $2 end,
          expire = case when counted.expire <= excluded.expire - $3 then excluded.expire else counted.expire end
        returning points, expire - (select ms from clock) + $4::bigint as expire`,
      values: [key, points, durationMs, Date.now()],
    });
  }
}

/** The points of a subject until its window ends. */
interface Window {
  points: number;
  readonly endsAt: number;
}

/** Counts a bounded number of subjects, so that a million addresses do not fill the memory. */
export class BoundedMemory extends RateLimiterMemory {
  private readonly windows: SubjectsByUse<Window>;

  constructor(options: IRateLimiterOptions, max = maxSubjects) {
    super(options);
    this.windows = new SubjectsByUse(max);
  }

  count(subject: string, points: number): RateLimiterRes {
    const now = performance.now();
    const known = this.windows.get(subject);
    const window = known && known.endsAt > now ? known : { points: 0, endsAt: now + this.duration * 1000 };
    window.points += points;
    this.windows.set(subject, window, window.points / this.points);
    const remaining = Math.max(0, this.points - window.points);
    return new RateLimiterRes(remaining, window.endsAt - now, window.points);
  }

  /** For the library, which counts here while the database is unreachable. */
  override async consume(subject: string, points = 1): Promise<RateLimiterRes> {
    const state = this.count(subject, points);
    if (state.consumedPoints > this.points) throw state;
    return state;
  }
}
