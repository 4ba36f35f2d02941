import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '../../mikro-orm.config.js';
import { openCatalogCache } from '../cache/catalog-cache.js';
import type { Config } from '../config.js';
import { addressOf } from '../db/address.js';
import { BoundedReader } from '../db/bounded-reader.js';
import { gatewayShares } from '../db/budget.js';
import { ChangeFeed } from '../db/change-feed.js';
import { followDatabaseClock } from '../db/clock.js';
import { DatabaseListener } from '../db/listen.js';
import { Reader } from '../db/reader.js';
import { Readiness } from '../db/readiness.js';
import { openSecrets } from '../db/secrets-key.js';
import { Jobs } from '../jobs.js';
import { RateLimits } from '../limits/rate-limits.js';
import { ApiKeyUsageRecorder } from '../modules/api-keys/api-key-usage.service.js';
import { AdministratorNameRecorder } from '../modules/audit/administrator.service.js';
import { InstallBatcher } from '../modules/installs/install-batcher.service.js';
import { AssetChecker } from '../modules/preflight/asset-checker.service.js';
import { requireSecretKeys } from '../modules/webhooks/webhook-secret.service.js';
import { AddressGuard } from '../net/address-guard.js';
import { GuardedFetcher } from '../net/guarded-fetch.js';
import { StreamHub } from '../operations/stream-hub.js';
import { WriteQueue } from '../operations/write-queue.js';
import { ownPictures, startWorker } from '../worker.js';
import type { AppOptions } from './options.js';

export type Backend = Awaited<ReturnType<typeof openBackend>>;

/** Opens the connections to the database. */
async function openDatabase(config: Config, options: AppOptions) {
  const { databaseUrl, log, databaseTimeouts: timeouts } = options;
  const shares = gatewayShares(config);
  const { directUrl, pooled } = addressOf(databaseUrl, config);
  const orm = await MikroORM.init(ormOptions(databaseUrl, shares.writes, { pooled, timeouts }));
  const fork = () => orm.em.fork() as EntityManager;
  const cipher = await openSecrets(config, log, orm, requireSecretKeys);
  const leaveClock = await followDatabaseClock((sql) => fork().execute(sql));
  const reader = new Reader({ url: databaseUrl, pooled, max: shares.reads, log, timeouts });
  const listener = new DatabaseListener({
    databaseUrl: directUrl,
    log,
    notify: (...values) => fork().execute('select pg_notify(?, ?)', values),
  });
  const jobs = await Jobs.open(directUrl, log, {
    works: config.worksInline,
    max: shares.jobs,
    listener,
    retentionDays: config.retention.jobsDays,
  });
  const limits = new RateLimits(config.rateLimits, {
    databaseUrl: config.rateLimitsStore === 'postgres' ? databaseUrl : null,
    pooled,
    max: shares.limits,
    log,
    takePoints: options.cluster?.takePoints ?? null,
  });
  const installBatcher = new InstallBatcher(databaseUrl, log, { max: shares.installs, pooled });
  return { shares, orm, fork, cipher, leaveClock, reader, listener, jobs, limits, installBatcher };
}

/** Opens what lives as long as the service: connection pools, batches, caches, the worker. */
export async function openBackend(config: Config, options: AppOptions) {
  const { log, publicUrl, webhooks = {} } = options;
  const database = await openDatabase(config, options);
  const { shares, fork, cipher, reader, listener, jobs } = database;
  const assetChecks = { ...ownPictures(config, publicUrl), ...options.assetChecks };
  const worker = config.worksInline
    ? await startWorker(jobs, { fork, config, log, cipher, publicUrl, assetChecks, webhooks })
    : null;
  const fetcher = new GuardedFetcher(assetChecks);
  const usage = new ApiKeyUsageRecorder(fork, log);
  const administratorNames = new AdministratorNameRecorder(fork, log);
  const cache = openCatalogCache({
    listener,
    log,
    countsLagMs: options.countsLagMs,
    replicaUrls: config.databaseReplicaUrls,
    replicaConnections: shares.reads,
  });
  const catalogReader = cache.replicas?.catalogReader(reader) ?? reader;
  return {
    ...database,
    catalogReader,
    searchReader: new BoundedReader(catalogReader, shares.reads),
    writes: new WriteQueue(shares.writes, options.writeBounds),
    readiness: new Readiness(reader, database.orm),
    usage,
    administratorNames,
    cache,
    streams: new StreamHub({
      feed: new ChangeFeed(listener),
      reader,
      max: config.maxStreams,
      maxPending: options.maxPendingEvents,
    }),
    assetChecker: new AssetChecker(fetcher),
    guard: new AddressGuard({ allowedNetworks: config.webhookNetworks, ...webhooks }),
    async close() {
      database.leaveClock();
      await database.limits.close();
      await database.installBatcher.close();
      await usage.settled();
      await administratorNames.settled();
      await jobs.close();
      await worker?.close();
      await fetcher.close();
      await listener.close();
      await reader.close();
      await database.orm.close();
    },
  };
}
