import { currentPayer, inOwnTime, runForNoRequest } from '../db/payer.js';

/** The effect of a mutation on what the public sees. `counts` are installs, ratings and profiles, whose changes are gathered (D350). */
export type CatalogEffect = 'listings' | 'counts' | 'none';

/** Delay of the raise for counts, which may lag by a second (D30): changes of other processes are noticed half a second late at most. */
const defaultCountsLagMs = 400;

/**
 * Queries in progress, by their input. A query is removed from its entry when it has ended: V8 copies the table of a Map
 * when it is full, and the former table keeps its entries until the old generation is collected.
 */
type InFlight = Map<string, { query: Promise<unknown> | null }>;

/**
 * The version of the catalog that this process knows. Every change raises it, which invalidates everything that was
 * cached under an earlier version; what is being computed at that moment is not cached.
 */
export class CatalogVersion {
  private version = 0;
  private readonly inFlight = new Map<object, InFlight>();
  private readonly invalidations: (() => void)[] = [];
  private countsDue: NodeJS.Timeout | null = null;

  constructor(
    private readonly isListening: () => boolean,
    private readonly countsLagMs = defaultCountsLagMs,
  ) {}

  get current(): number {
    return this.version;
  }

  /** Returns whether changes by other processes are noticed at this moment. If not, nothing is shared or served from the cache. */
  isKnown(): boolean {
    return this.isListening();
  }

  /** Registers a function that is called whenever the version is raised. */
  onRaise(invalidate: () => void): void {
    this.invalidations.push(invalidate);
  }

  raise(): void {
    this.version += 1;
    this.inFlight.clear();
    if (this.countsDue) clearTimeout(this.countsDue);
    this.countsDue = null;
    for (const invalidate of this.invalidations) invalidate();
  }

  /** Raises the version for a change of the catalog, here or in another process. */
  changed(effect: CatalogEffect = 'listings'): void {
    if (effect === 'listings') this.raise();
    if (effect === 'counts') this.countsChanged();
  }

  /** Runs a query about a subject, such as an operation, once for all who ask for the same at the same time, under the same version. */
  share<T>(subject: object, input: unknown, run: () => Promise<T>): Promise<T> {
    if (!this.isListening()) return run();
    const queries: InFlight = this.inFlight.get(subject) ?? new Map();
    this.inFlight.set(subject, queries);
    const key = JSON.stringify(input);
    const known = queries.get(key)?.query as Promise<T> | undefined;
    if (known) return inOwnTime(known);
    const entry: { query: Promise<T> | null } = { query: null };
    entry.query = runForNoRequest(run, currentPayer()).finally(() => {
      // After a raise this map is no longer in use, so nothing newer is removed.
      queries.delete(key);
      entry.query = null;
    });
    queries.set(key, entry);
    return inOwnTime(entry.query);
  }

  close(): void {
    if (this.countsDue) clearTimeout(this.countsDue);
  }

  /** Raises the version once for all such changes of this time, so that none invalidates a listing by itself (D350). */
  private countsChanged(): void {
    if (this.countsLagMs === 0) this.raise();
    else this.countsDue ??= setTimeout(() => this.raise(), this.countsLagMs).unref();
  }
}
