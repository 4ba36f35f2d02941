import type { Pool } from 'pg';
import type { LimitClass } from '../config/formats.js';
import { type Charge, type Counted, windowSeconds } from './charge.js';
import { LeasedPoints } from './leased-points.js';
import { MemoryCounter } from './memory-counter.js';
import type { TakePoints } from './point-counts.js';
import { PostgresCounter } from './postgres-counter.js';

/** Counts points by subject. One that counts in memory does so at once, so that a cached response need not wait for a promise. */
interface PointCounter {
  count(subject: string, points: number): Counted | Promise<Counted>;
}

/** A rate limit, whose points are counted in this process, together with others on this machine, or in PostgreSQL. */
export class Limiter {
  private constructor(
    private readonly limit: LimitClass,
    private readonly quota: number,
    private readonly counter: PointCounter,
  ) {}

  static inMemory(limit: LimitClass, quota: number): Limiter {
    return new Limiter(limit, quota, new MemoryCounter(quota, windowSeconds(limit)));
  }

  /** Counts together with the other processes of this gateway. */
  static leased(limit: LimitClass, quota: number, takePoints: TakePoints): Limiter {
    return new Limiter(limit, quota, new LeasedPoints(limit, takePoints));
  }

  /** Counts points that are spent already together with the other processes of this gateway. */
  static reported(limit: LimitClass, quota: number, takePoints: TakePoints): Limiter {
    return new Limiter(limit, quota, {
      count: async (subject, points) => ({
        ...(await takePoints(limit, subject, points)),
        isExceeded: false,
      }),
    });
  }

  static inPostgres(limit: LimitClass, quota: number, pool: Pool): Limiter {
    return new Limiter(limit, quota, new PostgresCounter(limit, quota, pool));
  }

  charge(subject: string, points: number): Charge | Promise<Charge> {
    const counted = this.counter.count(subject, points);
    return counted instanceof Promise
      ? counted.then((state) => this.toCharge(state))
      : this.toCharge(counted);
  }

  private toCharge({ remaining, msBeforeNext, isExceeded }: Counted): Charge {
    return {
      limit: this.limit,
      quota: this.quota,
      remaining: isExceeded ? 0 : Math.max(0, remaining),
      // A clock that was set back makes a window look longer than it is.
      resetSeconds: Math.min(windowSeconds(this.limit), Math.max(1, Math.ceil(msBeforeNext / 1000))),
      isExceeded,
    };
  }
}
