import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { addressOf } from '../db/address.js';
import { requireExternalDatabase } from '../db/external.js';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../embedded-postgres/embedded.js';
import { announce } from './run-service.js';
import type { Stopping } from './shutdown.js';

/** PostgreSQL's own default. */
const USUAL_MAX_CONNECTIONS = 100;
/** For the migrations, the tools and the doctor. */
const SPARE_CONNECTIONS = 20;

/** The database of the service. */
export interface OpenDatabase {
  readonly url: string;
  /** Null: the database of DATABASE_URL. */
  readonly embedded: EmbeddedDatabase | null;
}

/** Checks the database of DATABASE_URL, or starts the embedded one. */
export async function openDatabase(config: Config, log: Logger, stopping: Stopping): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    await requireExternalDatabase(config.databaseUrl, config);
    return { url: config.databaseUrl, embedded: null };
  }
  const needed = config.webConcurrency * config.databasePool + SPARE_CONNECTIONS;
  const embedded = await startEmbeddedDatabase({
    dataDir: config.dataDir,
    settings: needed > USUAL_MAX_CONNECTIONS ? { max_connections: String(needed) } : {},
    onProgress: (message) => announce(config, log, message),
    signal: stopping.signal,
  });
  embedded.died.then((reason) => {
    log.fatal(reason);
    stopping.request({ reason: 'the database died', exitCode: 1 });
  });
  return { url: embedded.url, embedded };
}

/** Migrates the database, and fills a new one with demo data. Several processes may call it at once. */
export async function prepareDatabase(
  config: Config,
  { url, embedded }: OpenDatabase,
  publicUrl: string,
  signal: AbortSignal,
): Promise<void> {
  const { migrateDatabase } = await import('./migrate.js');
  signal.throwIfAborted();
  const { directUrl: databaseUrl } = addressOf(url, config);
  await migrateDatabase(databaseUrl);
  signal.throwIfAborted();
  const isNew = embedded?.isNew ?? false;
  const seed = config.seed ?? (isNew && !config.production ? 'demo' : 'none');
  if (seed === 'demo') {
    const { seedDemo } = await import('../demo-data/demo.js');
    await seedDemo({ databaseUrl, publicUrl });
  }
  if (!config.production) {
    const { moveDemoPictures } = await import('../demo-data/demo-pictures.js');
    await moveDemoPictures(databaseUrl, publicUrl);
  }
  if (isNew) await embedded?.settle();
  signal.throwIfAborted();
}
