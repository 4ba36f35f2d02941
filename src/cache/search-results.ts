import { LRUCache } from 'lru-cache';
import type { CatalogVersion } from './catalog-version.js';

/** Number of apps of a search whose order is stored: pages after them are read from the database. */
export const maxStoredHits = 500;
/** For all searches together: about 11 MB. */
const maxIds = 300_000;
/** Length of an id and the comma after it. */
const idLength = 37;

/** Memory of an entry, beside its ids and its text. */
const entryBytes = 200;

/** Suggestions are stored for prefixes of up to this many characters, which most requests share while a name is typed. */
const maxStoredPrefix = 3;
/** Number of suggestions that are read for such a prefix; requests for more are not stored. */
export const storedSuggestions = 20;
/** For all prefixes together: about 4 MB. */
const maxPrefixes = 1_000;

/** The ids of the first hits of a search in their order, separated by commas, and the number of all hits. */
export interface SearchOrder {
  readonly ids: string;
  readonly total: number;
}

interface StoredSearch {
  /** Null until the search is requested a second time: most searches are requested once. */
  order: Promise<SearchOrder | null> | null;
  size: number;
}

/**
 * Stores the order of repeated searches, so that another page of one is read by its ids (D300), and the suggestions for
 * short prefixes, so that requests for any number of them share one list (D301).
 */
export class SearchResults {
  private readonly searches = new LRUCache<string, StoredSearch>({
    maxSize: maxIds,
    sizeCalculation: ({ size }, search) => size + Math.ceil((entryBytes + 2 * search.length) / idLength),
  });
  private readonly suggestionLists = new LRUCache<string, Promise<readonly object[]>>({ max: maxPrefixes });
  private used = 0;

  constructor(private readonly catalog: CatalogVersion) {
    // A list that is still being read is dropped too, so each stored one was read after every change that raised the version.
    catalog.onRaise(() => {
      this.searches.clear();
      this.suggestionLists.clear();
    });
  }

  get figures() {
    return { used: this.used, ids: this.searches.calculatedSize };
  }

  /** Returns the ids of a page and the total of its search; null where they are not stored. */
  async page(
    search: string,
    { limit, offset }: { limit: number; offset: number },
    readOrder: () => Promise<SearchOrder>,
  ): Promise<{ ids: string[]; total: number } | null> {
    if (!this.catalog.isKnown() || offset + limit > maxStoredHits) return null;
    const stored = this.searches.get(search);
    if (!stored) {
      this.searches.set(search, { order: null, size: 1 });
      return null;
    }
    stored.order ??= this.read(search, stored, readOrder);
    const order = await stored.order;
    if (!order) return null;
    this.used += 1;
    const page = order.ids.slice(offset * idLength, (offset + limit) * idLength - 1);
    return { ids: page ? page.split(',') : [], total: order.total };
  }

  /** Returns the first suggestions for a prefix, from the stored list if the prefix is short. */
  async suggestions<T extends object>(
    prefix: string,
    first: number,
    read: (limit: number) => Promise<T[]>,
  ): Promise<T[]> {
    if (!this.catalog.isKnown() || prefix.length > maxStoredPrefix || first > storedSuggestions)
      return read(first);
    const stored = this.suggestionLists.get(prefix) as Promise<T[]> | undefined;
    const list = stored ?? read(storedSuggestions);
    if (!stored) {
      this.suggestionLists.set(prefix, list);
      list.catch(() => {
        // After a raise there may be a newer list.
        if (this.suggestionLists.peek(prefix) === list) this.suggestionLists.delete(prefix);
      });
    }
    return (await list).slice(0, first);
  }

  /** Reads an order for all requests that wait for it. A failure of the database is reported by the requests themselves. */
  private async read(
    search: string,
    stored: StoredSearch,
    readOrder: () => Promise<SearchOrder>,
  ): Promise<SearchOrder | null> {
    const order = await readOrder().catch(() => null);
    if (this.searches.peek(search) === stored) {
      this.searches.delete(search);
      const size = 1 + Math.ceil((order?.ids.length ?? 0) / idLength);
      if (order) this.searches.set(search, { order: Promise.resolve(order), size });
    }
    return order;
  }
}
