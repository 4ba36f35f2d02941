import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import {
  type IRateLimiterOptions,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  type RateLimiterRes,
} from 'rate-limiter-flexible';

export const windowSeconds = 60;
/** About 20 MB for each class at worst; whoever asks from more addresses than that is not stopped by counting them. */
const maxSubjects = 50_000;

/** What became of a charge. */
export interface Charged {
  isRefused: boolean;
  remaining: number;
  /** Seconds until the limit is whole again. */
  resetSeconds: number;
}

/** Counts points by subject, in this process or in PostgreSQL. */
export class Limiter {
  private constructor(private readonly limiter: RateLimiterAbstract) {}

  static inMemory(perMinute: number): Limiter {
    return new Limiter(new BoundedMemory({ points: perMinute, duration: windowSeconds }));
  }

  /** While the database is away, each process counts for itself. */
  static inPostgres(name: string, perMinute: number, pool: Pool): Limiter {
    const points = perMinute;
    return new Limiter(
      new RateLimiterPostgres({
        storeClient: pool,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        keyPrefix: name,
        points,
        duration: windowSeconds,
        // Who is refused is refused here, without asking the database again.
        inMemoryBlockOnConsumed: points + 1,
        // The table is one for all classes, and the worker empties it.
        clearExpiredByTimeout: false,
        insuranceLimiter: new BoundedMemory({ keyPrefix: name, points, duration: windowSeconds }),
      }),
    );
  }

  async charge(subject: string, points: number): Promise<Charged> {
    try {
      return charged(await this.limiter.consume(subject, points), false);
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal;
      return charged(refusal as RateLimiterRes, true);
    }
  }
}

const charged = ({ remainingPoints, msBeforeNext }: RateLimiterRes, isRefused: boolean): Charged => ({
  isRefused,
  remaining: isRefused ? 0 : remainingPoints,
  resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
});

/** Removes the counts of windows that are over, from the table that several gateways share. */
export async function removeOldCounts(em: EntityManager): Promise<void> {
  await em.execute('delete from rate_limits where expire < extract(epoch from now()) * 1000');
}

/** Forgets whoever has not asked for longest when there are too many, so that a million addresses do not fill the memory. */
export class BoundedMemory extends RateLimiterMemory {
  private readonly subjects: LRUCache<string, true>;

  constructor(options: IRateLimiterOptions, max = maxSubjects) {
    super(options);
    this.subjects = new LRUCache({ max, dispose: (_, subject) => void this.delete(subject) });
  }

  override consume(subject: string, points?: number): Promise<RateLimiterRes> {
    this.subjects.set(subject, true);
    return super.consume(subject, points);
  }
}
