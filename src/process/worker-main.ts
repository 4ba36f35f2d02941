import { type Config, ConfigError, loadConfig } from '../config.js';
import { requireExternalDatabase } from '../db/external.js';
import { StartupError } from '../errors.js';
import { openLog } from '../log.js';
import { GIVE_UP_AFTER_MS, stopOnFailure, watchSignals, withDeadline } from './shutdown.js';

try {
  await run(loadConfig(undefined, 'worker'));
} catch (error) {
  if (!(error instanceof ConfigError) && !(error instanceof StartupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** The life of a worker on its own: start, work until somebody ends it, finish the job at hand. */
async function run(config: Config): Promise<void> {
  const databaseUrl = requireDatabaseUrl(config);
  const publicUrl = requirePublicUrl(config);
  const log = openLog(config.logLevel);
  const stopping = watchSignals();
  stopOnFailure(stopping, log);
  void stopping.requested.then(() => setTimeout(() => process.exit(1), GIVE_UP_AFTER_MS).unref());

  await requireExternalDatabase(databaseUrl);
  // Loaded only now, so that wrong settings are refused at once, and in a sentence.
  const { openWorker } = await import('./open-worker.js');
  const close = await openWorker(config, { databaseUrl, publicUrl, log });
  log.info('the worker is ready');

  const { reason, exitCode } = await stopping.requested;
  log.info(`stopping (${reason})`);
  await withDeadline(close(), GIVE_UP_AFTER_MS, stopping.hurry);
  log.info('stopped');
  process.exit(exitCode);
}

function requireDatabaseUrl({ databaseUrl }: Config): string {
  if (databaseUrl !== null) return databaseUrl;
  throw new StartupError(
    'DATABASE_URL is needed: a worker of its own shares the PostgreSQL of the gateways, and the embedded one is worked on by its gateway.',
  );
}

/** Links in mails must lead somewhere; a worker has no address of its own to fall back on. */
function requirePublicUrl({ publicUrl, production, port }: Config): string {
  if (publicUrl !== null) return publicUrl;
  if (!production && port !== 0) return `http://127.0.0.1:${port}`;
  throw new StartupError(
    'PUBLIC_URL is needed: the links in the mails lead to the gateway’s public address.',
  );
}
