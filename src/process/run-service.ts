import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { StartupError } from '../errors.js';
import { banner } from './banner.js';
import { writeCompileCache } from './compile-cache.js';
import type { OpenDatabase } from './database.js';
import { GIVE_UP_AFTER_MS, type Stopping, withDeadline } from './shutdown.js';
import { warnAboutSettings } from './start-warnings.js';

// With the database's 8 s this fits into GIVE_UP_AFTER_MS; during the start there are no requests yet.
export const START_TIMEOUT_MS = 3_000;
/** As long as a request may take. */
export const REQUESTS_TIMEOUT_MS = 30_000;

/** The parts of every process of the service. */
export interface ProcessContext {
  readonly config: Config;
  readonly log: Logger;
  readonly stopping: Stopping;
  readonly version: string;
}

/** Options of a stop. */
export interface StopOptions {
  readonly exitCode: number;
  /** Time for which requests are still accepted. */
  readonly drainMs: number;
  /** Aborted by a second Ctrl-C. */
  readonly hurry: AbortSignal;
}

/** The work of a process that runs until it is asked to stop. */
interface ProcessWork {
  start(): Promise<void>;
  /** Also called after a start that failed or was interrupted. */
  stop(options: StopOptions): Promise<void>;
}

/** Starts a service, waits for a stop request, stops it and ends the process. */
export async function runService(
  { config, log, stopping }: ProcessContext,
  { start, stop }: ProcessWork,
): Promise<never> {
  const started = start().catch((error: unknown) => {
    if (stopping.signal.aborted) return;
    if (error instanceof StartupError) process.stderr.write(`${error.message}\n`);
    else log.fatal({ err: error }, 'the service could not start');
    stopping.request({ reason: 'a failed start', exitCode: 1 });
  });
  const { reason, exitCode } = await stopping.requested;
  const drainMs = exitCode === 0 ? config.drainSeconds * 1_000 : 0;
  setTimeout(() => process.exit(1), drainMs + REQUESTS_TIMEOUT_MS + GIVE_UP_AFTER_MS).unref();
  // Of the processes of a cluster, only the primary one writes about a stop.
  const isAnnounced = exitCode === 0 && !cluster.isWorker;
  if (isAnnounced) announce(config, log, `Stopping (${reason})…`);
  await withDeadline(started, START_TIMEOUT_MS, stopping.hurry);
  await stop({ exitCode, drainMs, hurry: stopping.hurry });
  if (isAnnounced) announce(config, log, 'Stopped');
  process.exit(exitCode);
}

/** Says that the service is ready: with a banner, and in production with a log line. */
export function announceReady(
  { config, log, version }: ProcessContext,
  { port, localUrl, database }: { port: number; localUrl: string; database: OpenDatabase },
): void {
  const readyInMs = Math.round(performance.now());
  const { host, webConcurrency: processes } = config;
  if (config.production) {
    log.info({ version, host, port, processes, readyInMs }, 'ready');
    void warnAboutSettings(config, log);
  } else {
    const dataDirectory = database.embedded?.directory ?? null;
    process.stdout.write(banner({ config, version, localUrl, dataDirectory, readyInMs }));
  }
  setImmediate(writeCompileCache);
}

/** Writes a plain line for people, and in production a log line. */
export function announce(config: Config, log: Logger, message: string): void {
  if (config.production) log.info(message);
  else process.stdout.write(`${message}\n`);
}

/** Runs a step of a shutdown; a failure is logged and does not prevent the next step. */
export async function stopPart(log: Logger, name: string, work: Promise<void> | undefined): Promise<void> {
  await work?.catch((error: unknown) => log.error({ err: error }, `${name} did not stop in order`));
}
