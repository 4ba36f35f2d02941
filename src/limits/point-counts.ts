import type { LimitClass } from '../config/formats.js';
import type { Config } from '../config.js';
import { maxSubjects, windowSeconds } from './charge.js';
import { SubjectsByUse } from './subjects-by-use.js';

/** Points that a process may spend on its own, within one window. */
export interface Lease {
  readonly granted: number;
  /** Points that are left for all processes. */
  readonly remaining: number;
  readonly msBeforeNext: number;
}

/** Asks for points of a subject; at least `needed`, or none. Those of `database` are spent already, and always granted. */
export type TakePoints = (limit: LimitClass, subject: string, needed: number) => Promise<Lease>;

/** A process holds back at most this part of a limit: half a percent. */
const LEASES_PER_WINDOW = 200;

/** Counts the points that several processes on one machine spend together (D255). */
export class PointCounts {
  private readonly subjects: SubjectsByUse<{ used: number; endsAt: number }>;

  constructor(
    private readonly quotas: NonNullable<Config['rateLimits']>,
    max = maxSubjects * 4,
  ) {
    this.subjects = new SubjectsByUse(max);
  }

  take(limit: LimitClass, subject: string, needed: number): Lease {
    const key = `${limit} ${subject}`;
    const now = performance.now();
    const found = this.subjects.get(key);
    const window =
      found && found.endsAt > now ? found : { used: 0, endsAt: now + windowSeconds(limit) * 1000 };
    const quota = this.quotas[limit];
    const left = quota - window.used;
    const wanted = Math.max(needed, Math.floor(quota / LEASES_PER_WINDOW));
    const granted = limit === 'database' ? needed : left >= needed ? Math.min(left, wanted) : 0;
    window.used += granted;
    this.subjects.set(key, window, window.used / quota);
    return { granted, remaining: quota - window.used, msBeforeNext: window.endsAt - now };
  }
}
