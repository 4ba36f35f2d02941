import type { CatalogCache } from '../cache/catalog-cache.js';
import type { BoundedReader } from '../db/bounded-reader.js';
import type { DatabaseListener } from '../db/listen.js';
import { poolFigures } from '../db/pool.js';
import type { Readiness } from '../db/readiness.js';
import type { Jobs } from '../jobs.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { InstallBatcher } from '../modules/installs/install-batcher.service.js';
import type { StreamHub } from '../operations/stream-hub.js';
import type { WriteQueue } from '../operations/write-queue.js';
import { Metrics } from '../server/metrics.js';

interface Measured {
  jobs: Jobs;
  cache: CatalogCache;
  streams: StreamHub;
  limits: RateLimits;
  writes: WriteQueue;
  searchReader: BoundedReader;
  installBatcher: InstallBatcher;
  listener: DatabaseListener;
  readiness: Readiness;
}

/** Creates the metrics of the parts of a gateway. */
export const createMetrics = (backend: Measured): Metrics =>
  new Metrics({
    pools: poolFigures,
    queues: () => backend.jobs.figures(),
    cache: () => backend.cache.responses.figures,
    streams: () => backend.streams.figures,
    writes: () => backend.writes.figures,
    searches: () => backend.searchReader.figures,
    installs: () => backend.installBatcher.figures,
    replicas: () => backend.cache.replicas?.figures ?? [],
    databaseTime: () => backend.limits.databaseMs,
    isListening: () => backend.listener.isConnected(),
    database: () => backend.readiness.figures(),
  });
