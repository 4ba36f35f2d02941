import { LRUCache } from 'lru-cache';
import { type Charge, maxSubjects } from './charge.js';

/** Counts milliseconds of a subject together with other processes and gateways, and returns what is left. */
export type CountTime = (subject: string, ms: number) => Promise<Charge>;

/** Time is counted together after each half percent of the limit: a message for each statement would be too many. */
const REPORTS_PER_WINDOW = 200;

interface SpentTime {
  /** Milliseconds that are not yet counted together. */
  unreported: number;
  /** The state of the limit when it was last counted together. */
  remaining: number;
  endsAt: number;
  isReporting: boolean;
}

/**
 * Counts the database time of each subject (D321). It is charged after a statement, so the last one may exceed the limit.
 * Both `charge` and `stateOf` work in memory.
 */
export class DatabaseTime {
  private readonly subjects = new LRUCache<string, SpentTime>({ max: maxSubjects });
  private readonly reportMs: number;

  constructor(
    private readonly quota: number,
    private readonly count: CountTime,
  ) {
    this.reportMs = Math.max(1, quota / REPORTS_PER_WINDOW);
  }

  charge(subject: string, ms: number): void {
    if (!(ms > 0)) return;
    const spent = this.subjects.get(subject) ?? {
      unreported: 0,
      remaining: this.quota,
      endsAt: 0,
      isReporting: false,
    };
    this.subjects.set(subject, spent);
    // More than the whole limit makes no difference, and the sum stays a small number.
    spent.unreported = Math.min(spent.unreported + ms, this.quota);
    if (spent.unreported >= this.reportMs && !spent.isReporting) void this.report(subject, spent);
  }

  /** Returns what is left for a subject, as far as this process knows. */
  stateOf(subject: string): Charge {
    const now = performance.now();
    const spent = this.subjects.get(subject);
    const isCurrent = spent !== undefined && spent.endsAt > now;
    const remaining = Math.floor((isCurrent ? spent.remaining : this.quota) - (spent?.unreported ?? 0));
    return {
      limit: 'database',
      quota: this.quota,
      remaining: Math.max(0, remaining),
      resetSeconds: isCurrent ? Math.ceil((spent.endsAt - now) / 1000) : 60,
      isExceeded: remaining <= 0,
    };
  }

  private async report(subject: string, spent: SpentTime): Promise<void> {
    spent.isReporting = true;
    try {
      while (spent.unreported >= this.reportMs) {
        const ms = Math.floor(spent.unreported);
        const { remaining, resetSeconds } = await this.count(subject, ms);
        spent.unreported -= ms;
        spent.remaining = remaining;
        spent.endsAt = performance.now() + resetSeconds * 1000;
      }
    } catch {
      // Counted with the next statement: a process that cannot count is being stopped.
    } finally {
      spent.isReporting = false;
    }
  }
}
