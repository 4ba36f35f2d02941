import { type Counted, maxSubjects } from './charge.js';
import { SubjectsByUse } from './subjects-by-use.js';

/** The points of a subject until its window ends. */
interface Window {
  points: number;
  readonly endsAt: number;
}

/** Counts a bounded number of subjects in this process, so that a million addresses do not fill the memory. */
export class MemoryCounter {
  private readonly windows: SubjectsByUse<Window>;

  constructor(
    private readonly quota: number,
    private readonly windowSeconds: number,
    max = maxSubjects,
  ) {
    this.windows = new SubjectsByUse(max);
  }

  count(subject: string, points: number): Counted {
    const now = performance.now();
    const known = this.windows.get(subject);
    const window =
      known && known.endsAt > now ? known : { points: 0, endsAt: now + this.windowSeconds * 1000 };
    window.points += points;
    this.windows.set(subject, window, window.points / this.quota);
    const remaining = this.quota - window.points;
    return { remaining, msBeforeNext: window.endsAt - now, isExceeded: remaining < 0 };
  }
}
