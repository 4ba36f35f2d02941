import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, ConfigError, loadConfig } from '../config.js';
import { requireExternalDatabase } from '../db/external.js';
import { isOutcomeUnknown } from '../errors/database-errors.js';
import { StartupError } from '../errors.js';
import { openLog } from '../log.js';
import { version } from '../server/version.js';
import { misspeltWarning } from './misspelt-settings.js';
import { START_TIMEOUT_MS } from './run-service.js';
import { GIVE_UP_AFTER_MS, stopOnFailure, watchSignals, withDeadline } from './shutdown.js';

const RETRY_FOR_MS = 60_000;
const RETRY_INTERVAL_MS = 1_000;

const help = `Runs the jobs, such as sending mails and webhooks, in a process of its own, on the database of the gateways.

  npm run worker
  npm run worker -- --help   show this text

The settings are those of the gateway (npm start -- --help), and DATABASE_URL is needed. Any number of workers can run.
Ctrl-C or SIGTERM stops it after the running jobs.
`;

/** Runs a worker with the arguments of the command line. */
export async function main([argument]: readonly string[]): Promise<void> {
  if (argument === '--help') return void process.stdout.write(help);
  try {
    if (argument !== undefined) throw new StartupError(`There is no option ${argument}. Try --help.`);
    await run(loadConfig(undefined, 'worker'));
  } catch (error) {
    const isExpected = error instanceof ConfigError || error instanceof StartupError;
    if (isExpected)
      process.stderr.write(`${[error.message, misspeltWarning()].filter(Boolean).join('\n')}\n`);
    else openLog('fatal').fatal({ err: error }, 'the worker could not start');
    // Connections that are open already would keep the process alive.
    process.exit(1);
  }
}

/** Starts a worker, waits for a stop request, and finishes the running jobs. */
async function run(config: Config): Promise<void> {
  const databaseUrl = requireDatabaseUrl(config);
  const log = openLog(config.logLevel, config);
  const warning = misspeltWarning();
  if (warning) log.warn(warning);
  const stopping = watchSignals();
  stopOnFailure(stopping, log);
  void stopping.requested.then(() => setTimeout(() => process.exit(1), GIVE_UP_AFTER_MS).unref());

  await requireExternalDatabase(databaseUrl, config);
  // Imported only now, so that invalid settings are reported at once.
  const { openWorker } = await import('./open-worker.js');
  let close = null as (() => Promise<void>) | null;
  const started = whenAvailable(log, () => openWorker(config, { databaseUrl, log })).then((opened) => {
    close = opened;
    log.info({ version: version() }, 'the worker is ready');
  });
  await Promise.race([started, stopping.requested]);

  const { reason, exitCode } = await stopping.requested;
  log.info(`stopping (${reason})`);
  // It may still be starting, and waiting for the database.
  const settled = started.catch(() => undefined);
  await withDeadline(settled, START_TIMEOUT_MS, stopping.hurry);
  await withDeadline(close?.() ?? Promise.resolve(), GIVE_UP_AFTER_MS, stopping.hurry);
  log.info('stopped');
  process.exit(exitCode);
}

/** Tries again for a while if the database is restarted just now. */
async function whenAvailable<T>(log: Logger, open: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const isPassing = error instanceof Error && isOutcomeUnknown(error) && performance.now() < giveUpAt;
      if (!isPassing) throw error;
      log.warn(`the database does not respond (${error.message}): trying again`);
      await delay(RETRY_INTERVAL_MS);
    }
  }
}

function requireDatabaseUrl({ databaseUrl }: Config): string {
  if (databaseUrl !== null) return databaseUrl;
  throw new StartupError(
    'DATABASE_URL is needed: a worker process uses the same PostgreSQL as the gateways. The jobs of an embedded database are run by its gateway.',
  );
}
