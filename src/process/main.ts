import type { Logger } from 'pino';
import { type Config, ConfigError, loadConfig } from '../config.js';
import { openLog } from '../log.js';
import { version } from '../server/version.js';
import { help } from './banner.js';
import { misspeltWarning } from './misspelt-settings.js';
import { stopOnFailure, stopWithParent, watchSignals } from './shutdown.js';
import { runSingle } from './single.js';

const STOP_WITH_PARENT = '--stop-with-parent';
/** For the processes that the primary process starts. */
const CLUSTER_WORKER = '--cluster-worker';

/** Runs the gateway with the arguments of the command line. */
export async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) return void process.stdout.write(help);
  if (args.includes('--version')) return void process.stdout.write(`${version()}\n`);
  const unknown = args.find((arg) => ![STOP_WITH_PARENT, CLUSTER_WORKER].includes(arg));
  if (unknown !== undefined) return fail(`There is no option ${unknown}. Try --help.`);
  try {
    await run(loadConfig(), args);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    fail([error.message, misspeltWarning()].filter(Boolean).join('\n'));
  }
}

async function run(config: Config, args: readonly string[]): Promise<void> {
  // Writing fails when the terminal is closed, and that must not prevent an orderly stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const log = openLog(config.logLevel, config);
  const stopping = watchSignals();
  stopOnFailure(stopping, log);
  const context = { config, log, stopping, version: version() };
  if (args.includes(CLUSTER_WORKER)) {
    const { runClusterWorker } = await import('./cluster-worker.js');
    await runClusterWorker(context);
  }
  const warning = misspeltWarning();
  if (warning !== null) warn(config, log, warning);
  if (args.includes(STOP_WITH_PARENT)) stopWithParent(stopping);
  if (config.webConcurrency === 1) await runSingle(context);
  const { runPrimary } = await import('./cluster-primary.js');
  await runPrimary(context);
}

function warn(config: Config, log: Logger, message: string): void {
  if (config.production) log.warn(message);
  else process.stderr.write(`${message}\n`);
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
