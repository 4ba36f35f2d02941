import type { DatabaseListener } from '../db/listen.js';
import { CatalogVersion } from './catalog-version.js';
import { PageIndex } from './page-index.js';
import { ResponseCache } from './response-cache.js';

/** The channel on which the database's triggers notify, and the payload for changed counts. */
const channel = 'catalog';
const countsPayload = 'counts';

/** Everything that this process caches of the catalog, and the connection that invalidates it. */
export interface CatalogCache {
  readonly catalog: CatalogVersion;
  readonly responses: ResponseCache;
  readonly pageIndex: PageIndex;
  close(): void;
}

interface CatalogCacheOptions {
  listener: DatabaseListener;
  /** The longest time by which a count may lag. */
  countsLagMs?: number | undefined;
}

/** Starts to listen for changes of the catalog. Nothing is cached before the first heartbeat. */
export function openCatalogCache({ listener, countsLagMs }: CatalogCacheOptions): CatalogCache {
  const catalog = new CatalogVersion(() => listener.isAlive(), countsLagMs);
  listener.subscribe({
    channel,
    effectOfLoss: 'responses are not cached',
    // An unknown payload is treated as a changed listing: invalidating too much is safe.
    onNotification: (payload) => catalog.changed(payload === countsPayload ? 'counts' : 'listings'),
    onConnected: () => catalog.raise(),
  });
  return {
    catalog,
    responses: new ResponseCache(catalog),
    pageIndex: new PageIndex(catalog),
    close: () => catalog.close(),
  };
}
