import { LRUCache } from 'lru-cache';
import { currentPayer, runForNoRequest } from '../db/payer.js';
import type { CatalogVersion } from './catalog-version.js';

/** The distance between two indexed apps of a list, and so the most rows that a page skips. */
export const pageIndexInterval = 1_000;
/** For all lists together; at a million apps the indexes of twenty whole lists. */
const maxEntries = 20_000;
/** One deep page is often the only one; a second suggests that the client reads on. */
const buildAfterRequests = 2;
/** Pause after building, in multiples of its duration: in a catalog that changes all the time, building takes at most a twentieth of the time. */
const pauseFactor = 19;

/** The sort keys of an app, as the database writes them. */
export type SortKeys = readonly string[];

interface IndexedList {
  requests: number;
  /** The sort keys of the apps 1,000, 2,000 and so on; null until the index is built. */
  entries: readonly SortKeys[] | null;
}

/** Holds the sort keys of every thousandth app of long lists, so that a deep page does not skip all rows before it. */
export class PageIndex {
  private readonly lists = new LRUCache<string, IndexedList>({
    maxSize: maxEntries,
    sizeCalculation: ({ entries }) => 1 + (entries?.length ?? 0),
  });
  private pausedUntil = Number.NEGATIVE_INFINITY;
  private used = 0;
  /** The build in progress, if any. */
  building: Promise<void> | null = null;

  constructor(private readonly catalog: CatalogVersion) {
    catalog.onRaise(() => this.lists.clear());
  }

  get figures() {
    return { used: this.used, entries: this.lists.calculatedSize };
  }

  /** Returns the last indexed app before an offset and the rows left to skip from there; null where the list is not indexed. */
  before(
    list: string,
    offset: number,
    readKeys: () => Promise<readonly SortKeys[]>,
  ): { keys: SortKeys; skip: number } | null {
    if (!this.catalog.isKnown()) return null;
    const known = this.lists.get(list) ?? { requests: 0, entries: null };
    const keys = known.entries?.[Math.floor(offset / pageIndexInterval) - 1];
    if (keys) {
      this.used += 1;
      return { keys, skip: offset % pageIndexInterval };
    }
    // The list is indexed, and ends before this offset.
    if (known.entries) return null;
    const requests = known.requests + 1;
    this.lists.set(list, { requests, entries: null });
    if (requests >= buildAfterRequests && !this.building && performance.now() >= this.pausedUntil)
      this.building = runForNoRequest(() => this.build(list, readKeys), currentPayer());
    return null;
  }

  /** Like a cached response, an index is stored only if the catalog has not changed since its query began. */
  private async build(list: string, readKeys: () => Promise<readonly SortKeys[]>): Promise<void> {
    const version = this.catalog.current;
    const startedAt = performance.now();
    // A failure of the database is reported by the requests themselves.
    const entries = await readKeys().catch(() => null);
    const endedAt = performance.now();
    this.pausedUntil = endedAt + pauseFactor * (endedAt - startedAt);
    this.building = null;
    if (entries && version === this.catalog.current) this.lists.set(list, { requests: 0, entries });
  }
}
