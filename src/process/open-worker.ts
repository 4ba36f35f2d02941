import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { ormOptions } from '../../mikro-orm.config.js';
import type { Config } from '../config.js';
import { addressOf } from '../db/address.js';
import { workerShares } from '../db/budget.js';
import { followDatabaseClock } from '../db/clock.js';
import { openSecrets } from '../db/secrets-key.js';
import { Jobs } from '../jobs.js';
import { requireSecretKeys } from '../modules/webhooks/webhook-secret.service.js';
import { startTracing } from '../tracing/tracing.js';
import { ownPictures, startWorker, type Worker } from '../worker.js';
import { migrateDatabase } from './migrate.js';

const JOB_TIMEOUT_MS = 10_000;

/** Starts a worker without a gateway, and returns the function that closes it. */
export async function openWorker(
  config: Config,
  { databaseUrl, log }: { databaseUrl: string; log: Logger },
): Promise<() => Promise<void>> {
  const closing: (() => unknown)[] = [];
  const close = async () => {
    for (const part of closing.splice(0).reverse()) await part();
  };
  try {
    await open(config, databaseUrl, log, closing);
    return close;
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens the parts of a worker, and adds to `closing` how each is closed. */
async function open(
  config: Config,
  databaseUrl: string,
  log: Logger,
  closing: (() => unknown)[],
): Promise<void> {
  // The first process migrates, gateway or worker; the others wait.
  const { directUrl, pooled } = addressOf(databaseUrl, config);
  await migrateDatabase(directUrl);
  closing.push(await startTracing(config.tracing, log));
  const shares = workerShares(config);
  const orm = await MikroORM.init(ormOptions(databaseUrl, shares.writes, { pooled }));
  closing.push(() => orm.close());
  const fork = () => orm.em.fork() as EntityManager;
  const cipher = await openSecrets(config, log, orm, requireSecretKeys);
  closing.push(await followDatabaseClock((sql) => fork().execute(sql)));
  const jobs = await Jobs.open(directUrl, log, {
    works: true,
    max: shares.jobs,
    retentionDays: config.retention.jobsDays,
  });
  let worker: Worker | null = null;
  closing.push(() => worker?.close());
  // Closed first, so that no job begins.
  closing.push(() => jobs.close({ timeoutMs: JOB_TIMEOUT_MS }));
  worker = await startWorker(jobs, {
    fork,
    config,
    log,
    cipher,
    publicUrl: config.publicUrl,
    assetChecks: ownPictures(config, config.publicUrl ?? `http://${config.host}:${config.port}`),
  });
}
