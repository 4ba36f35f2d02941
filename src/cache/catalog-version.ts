/** What a mutation does to what the public sees; it changes the listings unless told. */
export type CatalogEffect = 'listings' | 'counts' | 'none';

/** A count in the catalog may lag by a second: this, and the half second in which a change is heard for certain. */
const COUNTS_LAG_MS = 400;

type Flights = Map<string, Promise<unknown>>;

/**
 * Which state of the catalog this process knows of. Every change raises the version, and what was computed under an
 * earlier one is forgotten; what is being computed is not kept.
 */
export class CatalogVersion {
  private version = 0;
  private readonly flights = new Map<object, Flights>();
  private readonly forgetters: (() => void)[] = [];
  private countsRaisedAt = Number.NEGATIVE_INFINITY;
  private countsDue: NodeJS.Timeout | null = null;

  constructor(
    private readonly isHeard: () => boolean,
    private readonly countsLagMs = COUNTS_LAG_MS,
  ) {}

  get current(): number {
    return this.version;
  }

  /** Whether changes by others are heard at this moment: if not, nothing is shared or answered from memory. */
  isKnown(): boolean {
    return this.isHeard();
  }

  /** Has somebody forget what belongs to an earlier version. */
  onRaise(forget: () => void): void {
    this.forgetters.push(forget);
  }

  raise(): void {
    this.version += 1;
    this.flights.clear();
    if (this.countsDue) clearTimeout(this.countsDue);
    this.countsDue = null;
    for (const forget of this.forgetters) forget();
  }

  /** Something has happened to the catalog, here or elsewhere. */
  changed(effect: CatalogEffect = 'listings'): void {
    if (effect === 'listings') this.raise();
    if (effect === 'counts') this.counted();
  }

  /** Concurrent questions that are the same, asked of the same version, are one question. */
  share<T>(operation: object, input: unknown, run: () => Promise<T>): Promise<T> {
    if (!this.isHeard()) return run();
    const flights: Flights = this.flights.get(operation) ?? new Map();
    this.flights.set(operation, flights);
    const key = JSON.stringify(input);
    const known = flights.get(key) as Promise<T> | undefined;
    if (known) return known;
    const flight = run().finally(() => {
      // After a raise there are other flights, and these are nobody's.
      flights.delete(key);
    });
    flights.set(key, flight);
    return flight;
  }

  close(): void {
    if (this.countsDue) clearTimeout(this.countsDue);
  }

  /** Installs come in bursts: the first is seen at once, those that follow together a little later. */
  private counted(): void {
    if (this.countsDue) return;
    const wait = this.countsRaisedAt + this.countsLagMs - performance.now();
    if (wait > 0) this.countsDue = setTimeout(() => this.raiseCounts(), wait).unref();
    else this.raiseCounts();
  }

  private raiseCounts(): void {
    this.countsRaisedAt = performance.now();
    this.raise();
  }
}
