import { LRUCache } from 'lru-cache';
import type { LimitClass } from '../config/formats.js';
import type { HttpResponse } from '../server/http-response.js';
import { RepeatedResponse } from '../server/repeated-response.js';
import type { RequestContext } from '../server/request-context.js';
import type { CatalogVersion } from './catalog-version.js';

const maxBytes = 16 * 1024 * 1024;
/** Pages have their own part, so that crawlers do not evict the responses of the API. */
const maxPageBytes = maxBytes / 4;
/** A page contains settings that do not belong to the catalog, such as the endpoints of the identity provider. */
const maxPageAgeMs = 10 * 60_000;
const maxEntryBytes = 2 * 1024 * 1024;
/** Headers and objects of an entry, beside its body and key. */
const entryOverheadBytes = 2_000;
/** In characters: a few thousand requests. */
const maxRecentLength = 1_000_000;
const recentOverheadLength = 100;

/** A complete response to a public request, with what the log, the metrics and the rate limits need of it. */
export interface CompleteResponse extends Pick<RequestContext, 'door' | 'operation' | 'fields' | 'cost'> {
  readonly response: HttpResponse;
  /** The rate limit that the request counts against. */
  readonly limit: LimitClass;
}

/** A response in the cache. */
export interface CachedResponse extends CompleteResponse {
  readonly response: RepeatedResponse;
}

/** Stores a response, unless the catalog has changed since the request began. */
export type StoreResponse = (entry: CompleteResponse) => void;

/** Caches responses to public requests for as long as the catalog does not change. docs/architecture.md has the proof. */
export class ResponseCache {
  private readonly entries = responseStore({ maxSize: maxBytes });
  private readonly pages = responseStore({ maxSize: maxPageBytes, ttl: maxPageAgeMs });
  /** Keys of recent requests. Most requests come once, and caching their responses would only fill the memory. */
  private readonly recent = new LRUCache<string, true>({
    maxSize: maxRecentLength,
    sizeCalculation: (_, key) => key.length + recentOverheadLength,
  });
  private hits = 0;
  private misses = 0;

  constructor(private readonly catalog: CatalogVersion) {
    catalog.onRaise(() => {
      this.entries.clear();
      this.pages.clear();
    });
  }

  get figures() {
    return {
      hits: this.hits,
      misses: this.misses,
      entries: this.entries.size + this.pages.size,
      bytes: this.entries.calculatedSize + this.pages.calculatedSize,
    };
  }

  /** Returns the response, if it is cached and certainly current. */
  find(key: string): CachedResponse | undefined {
    const entry = this.entries.get(key) ?? this.pages.get(key);
    // `isKnown` is called only for a cached response, because it resumes the heartbeats.
    if (!entry || !this.catalog.isKnown()) return undefined;
    this.hits += 1;
    return entry;
  }

  /**
   * To be called before a response is computed: the response belongs to the catalog's version of this moment. Returns
   * null for a request that did not come before.
   */
  begin(key: string): StoreResponse | null {
    this.misses += 1;
    if (!this.recent.get(key)) {
      this.recent.set(key, true);
      return null;
    }
    const version = this.catalog.current;
    return ({ response, ...about }) => {
      if (version !== this.catalog.current || !this.catalog.isKnown()) return;
      const entry = {
        ...about,
        response: RepeatedResponse.of(response, () => this.measureAgain(key, entry)),
      };
      this.storeOf(entry).set(key, entry);
    };
  }
  /** Counts the compressed forms of a response, if it is still cached. */
  private measureAgain(key: string, { door, response }: CachedResponse): void {
    const store = this.storeOf({ door });
    const entry = store.peek(key);
    // A new object, because the store computes the size of an object once.
    if (entry?.response === response) store.set(key, { ...entry });
  }

  private storeOf({ door }: Pick<CachedResponse, 'door'>) {
    return door === 'site' ? this.pages : this.entries;
  }
}

const responseStore = (options: { maxSize: number; ttl?: number }) =>
  new LRUCache<string, CachedResponse>({
    ...options,
    maxEntrySize: maxEntryBytes,
    sizeCalculation: ({ response: { size } }, key) => size + 2 * key.length + entryOverheadBytes,
  });
