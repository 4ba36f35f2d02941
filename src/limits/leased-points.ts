import { LRUCache } from 'lru-cache';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { LimitClass } from '../config/formats.js';
import { runForNoRequest } from '../db/payer.js';
import { maxSubjects } from './charge.js';
import type { TakePoints } from './point-counts.js';

interface HeldLease {
  left: number;
  remaining: number;
  endsAt: number;
}

/**
 * Spends points that the primary process has granted, and asks for more when they are used up: a message for each request
 * would be too slow (D255).
 */
export class LeasedPoints {
  private readonly leases = new LRUCache<string, HeldLease>({ max: maxSubjects });
  private readonly asking = new Map<string, Promise<void>>();

  constructor(
    private readonly limit: LimitClass,
    private readonly takePoints: TakePoints,
  ) {}

  /** Like the limiters of rate-limiter-flexible: rejects with the state if the limit is exceeded. */
  async consume(subject: string, points = 1): Promise<RateLimiterRes> {
    for (;;) {
      const lease = this.leases.get(subject);
      const msBeforeNext = (lease?.endsAt ?? 0) - performance.now();
      if (lease && msBeforeNext > 0) {
        if (lease.left >= points) {
          lease.left -= points;
          return new RateLimiterRes(lease.remaining + lease.left, msBeforeNext);
        }
        // Not enough is left for anybody before the window ends.
        if (lease.remaining + lease.left < points) throw new RateLimiterRes(0, msBeforeNext);
      }
      await (this.asking.get(subject) ?? this.ask(subject, points));
    }
  }

  private ask(subject: string, points: number): Promise<void> {
    const asking = runForNoRequest(() => this.renew(subject, points)).finally(() =>
      this.asking.delete(subject),
    );
    this.asking.set(subject, asking);
    return asking;
  }

  private async renew(subject: string, points: number): Promise<void> {
    const needed = points - this.leftOf(subject);
    const { granted, remaining, msBeforeNext } = await this.takePoints(this.limit, subject, needed);
    const left = this.leftOf(subject) + granted;
    this.leases.set(subject, { left, remaining, endsAt: performance.now() + msBeforeNext });
  }

  private leftOf(subject: string): number {
    const lease = this.leases.get(subject);
    return lease && lease.endsAt > performance.now() ? lease.left : 0;
  }
}
