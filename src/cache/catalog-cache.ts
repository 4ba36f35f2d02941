import type { Logger } from 'pino';
import type { DatabaseListener } from '../db/listen.js';
import { PrimaryPosition } from '../db/primary-position.js';
import { Replicas } from '../db/replicas.js';
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
  /** Null without DATABASE_REPLICA_URLS. */
  readonly replicas: Replicas | null;
  /** After an idle period, returns a promise that resolves when cached responses can be served again; null otherwise. */
  wake(): Promise<void> | null;
  close(): Promise<void>;
}

interface CatalogCacheOptions {
  listener: DatabaseListener;
  log: Logger;
  replicaUrls: readonly string[];
  /** Connections to each replica for reads of the catalog. */
  replicaConnections: number;
  /** The longest time by which a count may lag. */
  countsLagMs?: number | undefined;
}

/** Starts to listen for changes of the catalog. Nothing is cached before the first heartbeat. */
export function openCatalogCache({
  listener,
  log,
  replicaUrls,
  replicaConnections: max,
  countsLagMs,
}: CatalogCacheOptions): CatalogCache {
  const catalog = new CatalogVersion(() => listener.isAlive(), countsLagMs);
  listener.subscribe({
    channel,
    effectOfLoss: 'responses are not cached',
    // An unknown payload is treated as a changed listing: invalidating too much is safe.
    onNotification: (payload) => catalog.changed(payload === countsPayload ? 'counts' : 'listings'),
    onConnected: () => {
      position.connected();
      catalog.raise();
    },
  });
  const position = new PrimaryPosition({ log, query: (sql) => listener.query(sql) });
  catalog.onRaise(() => position.changed());
  const replicas = Replicas.open(replicaUrls, { max, log, position, isListening: () => catalog.isKnown() });
  return {
    catalog,
    replicas,
    responses: new ResponseCache(catalog),
    pageIndex: new PageIndex(catalog),
    wake: () => listener.wake(),
    async close() {
      catalog.close();
      await replicas?.close();
    },
  };
}
