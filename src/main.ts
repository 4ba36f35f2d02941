import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import type { Logger } from 'pino';
import type { Gateway } from './app.js';
import { type Config, ConfigError, loadConfig } from './config.js';
import { requireExternalDatabase } from './db/external.js';
import { type EmbeddedDatabase, startEmbeddedDatabase } from './embedded-postgres/embedded.js';
import { StartupError } from './errors.js';
import { openLog } from './log.js';
import { banner, help } from './process/banner.js';
import { misspeltWarning } from './process/misspelt-settings.js';
import {
  GIVE_UP_AFTER_MS,
  type Stopping,
  stopOnFailure,
  stopWithParent,
  watchSignals,
  withDeadline,
} from './process/shutdown.js';
import { type Listener, listen } from './server/listener.js';

/** The parts that were started so far and must be stopped. */
interface Parts {
  listener?: Listener;
  database?: EmbeddedDatabase;
  gateway?: Gateway;
}

// With the database's 8 s these fit into GIVE_UP_AFTER_MS; during the start there are no requests yet.
const START_TIMEOUT_MS = 3_000;
const APP_CLOSE_TIMEOUT_MS = 2_000;
/** As long as a request may take. */
const REQUESTS_TIMEOUT_MS = 30_000;

const STOP_WITH_PARENT = '--stop-with-parent';

await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) return void process.stdout.write(help);
  if (args.includes('--version')) return void process.stdout.write(`${version()}\n`);
  const unknown = args.find((arg) => arg !== STOP_WITH_PARENT);
  if (unknown !== undefined) return fail(`There is no option ${unknown}. Try --help.`);
  try {
    await run(loadConfig(), args);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    fail(error.message);
  }
}

/** Starts all parts, waits for a stop request, and stops them in reverse order. */
async function run(config: Config, args: readonly string[]): Promise<void> {
  // Writing fails when the terminal is closed, and that must not prevent an orderly stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const log = openLog(config.logLevel);
  const warning = misspeltWarning();
  if (warning !== null) warn(config, log, warning);
  const stopping = watchSignals();
  if (args.includes(STOP_WITH_PARENT)) stopWithParent(stopping);
  stopOnFailure(stopping, log);

  const parts: Parts = {};
  const started = start(config, log, parts, stopping).catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    if (error instanceof StartupError) process.stderr.write(`${error.message}\n`);
    else log.fatal({ err: error }, 'the service could not start');
    stopping.request({ reason: 'a failed start', exitCode: 1 });
  });
  const { reason, exitCode } = await stopping.requested;
  const drainMs = exitCode === 0 ? config.drainSeconds * 1_000 : 0;
  setTimeout(() => process.exit(1), drainMs + REQUESTS_TIMEOUT_MS + GIVE_UP_AFTER_MS).unref();
  if (exitCode === 0) announce(config, log, `Stopping (${reason})…`);
  await withDeadline(started, START_TIMEOUT_MS, stopping.hurry);
  await stop(parts, log, { drainMs, hurry: stopping.hurry });
  if (exitCode === 0) announce(config, log, 'Stopped');
  process.exit(exitCode);
}

async function start(config: Config, log: Logger, parts: Parts, stopping: Stopping): Promise<void> {
  const { signal } = stopping;
  parts.listener = await listen(config.host, config.port);
  const localUrl = `http://${localHost(config.host)}:${parts.listener.port}`;
  const publicUrl = config.publicUrl ?? localUrl;
  const loading = loadApplication();
  loading.catch(() => undefined);
  const databaseUrl = await openDatabase(config, log, parts, stopping);
  const { createApp, migrateDatabase } = await loading;
  signal.throwIfAborted();
  await migrateDatabase(databaseUrl);
  signal.throwIfAborted();
  const isNew = parts.database?.isNew ?? false;
  const seed = config.seed ?? (isNew && !config.production ? 'demo' : 'none');
  if (seed === 'demo') {
    const { seedDemo } = await import('./demo-data/demo.js');
    await seedDemo({ databaseUrl, publicUrl });
  }
  if (!config.production) {
    const { moveDemoPictures } = await import('./demo-data/demo-pictures.js');
    await moveDemoPictures(databaseUrl, publicUrl);
  }
  if (isNew) await parts.database?.settle();
  signal.throwIfAborted();
  parts.gateway = await createApp(config, { databaseUrl, log, publicUrl });
  signal.throwIfAborted();
  parts.listener.serve(parts.gateway.handler);
  const readyInMs = Math.round(performance.now());
  if (config.production) {
    log.info({ version: version(), host: config.host, port: parts.listener.port, readyInMs }, 'ready');
  } else {
    const dataDirectory = parts.database?.directory ?? null;
    process.stdout.write(banner({ config, version: version(), localUrl, dataDirectory, readyInMs }));
  }
}

async function openDatabase(config: Config, log: Logger, parts: Parts, stopping: Stopping): Promise<string> {
  if (config.databaseUrl !== null) {
    await requireExternalDatabase(config.databaseUrl);
    return config.databaseUrl;
  }
  parts.database = await startEmbeddedDatabase({
    dataDir: config.dataDir,
    onProgress: (message) => announce(config, log, message),
    signal: stopping.signal,
  });
  parts.database.died.then((reason) => {
    log.fatal(reason);
    stopping.request({ reason: 'the database died', exitCode: 1 });
  });
  return parts.database.url;
}

/** Imports the application. It takes half a second, so invalid settings are reported before and the database starts meanwhile. */
async function loadApplication() {
  const [{ createApp }, { migrateDatabase }] = await Promise.all([
    import('./app.js'),
    import('./process/migrate.js'),
  ]);
  return { createApp, migrateDatabase };
}

/** Stops in reverse order of the start, so that the database outlives the last request. */
async function stop(
  { gateway, listener, database }: Parts,
  log: Logger,
  { drainMs, hurry }: { drainMs: number; hurry: AbortSignal },
): Promise<void> {
  const step = async (name: string, work: Promise<void> | undefined) => {
    await work?.catch((error: unknown) => log.error({ err: error }, `${name} did not stop in order`));
  };
  if (gateway) {
    gateway.drain();
    await listener?.drain({ forMs: drainMs, signal: hurry });
    await step('the event streams', gateway.endStreams());
  }
  // Without the gateway nothing handles the requests that have arrived.
  const withinMs = gateway ? REQUESTS_TIMEOUT_MS : 0;
  await step('the listener', listener?.close({ withinMs, signal: hurry }));
  await withDeadline(step('the application', gateway?.close()), APP_CLOSE_TIMEOUT_MS, hurry);
  await step('the database', database?.stop());
}

/** Writes a plain line for people, and in production a log line. */
function announce(config: Config, log: Logger, message: string): void {
  if (config.production) log.info(message);
  else process.stdout.write(`${message}\n`);
}

function warn(config: Config, log: Logger, message: string): void {
  if (config.production) log.warn(message);
  else process.stderr.write(`${message}\n`);
}

/** Returns the host name by which this machine reaches a server that listens on `host`. */
function localHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function version(): string {
  const path = findPackageJSON('..', import.meta.url);
  const { version: found } = JSON.parse(readFileSync(path ?? '', 'utf8')) as { version: string };
  return found;
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
