import type { Logger } from 'pino';
import { DatabaseListener } from '../db/listen.js';
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
  close(): Promise<void>;
}

interface CatalogCacheOptions {
  databaseUrl: string;
  log: Logger;
  /** The longest time by which a count may lag. */
  countsLagMs?: number | undefined;
  /** Executes a statement on one of the service's other connections. */
  execute(sql: string, values: readonly string[]): Promise<unknown>;
}

/** Starts to listen for changes of the catalog. Nothing is cached before the first heartbeat. */
export function openCatalogCache({
  databaseUrl,
  log,
  countsLagMs,
  execute,
}: CatalogCacheOptions): CatalogCache {
  const catalog = new CatalogVersion(() => listener.isAlive(), countsLagMs);
  const listener = new DatabaseListener({
    databaseUrl,
    log,
    channel,
    effectOfLoss: 'responses are not cached',
    // An unknown payload is treated as a changed listing: invalidating too much is safe.
    onNotification: (payload) => catalog.changed(payload === countsPayload ? 'counts' : 'listings'),
    onConnected: () => catalog.raise(),
    notify: (payload) => execute('select pg_notify(?, ?)', [channel, payload]),
  });
  return {
    catalog,
    responses: new ResponseCache(catalog),
    pageIndex: new PageIndex(catalog),
    async close() {
      catalog.close();
      await listener.close();
    },
  };
}
