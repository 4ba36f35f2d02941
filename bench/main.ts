import { watchSignals } from '../src/process/shutdown.js';
import { BenchRun } from './bench-run.js';
import { compare, requireRows } from './compare.js';
import { firstStart } from './first-start.js';
import { help, type Options, readOptions, UsageError } from './options.js';
import { Progress } from './progress.js';
import { scale } from './scale.js';
import { soak } from './soak.js';

const INTERRUPTED = 130;

await main();

async function main(): Promise<void> {
  try {
    const options = readOptions(process.argv.slice(2));
    if (!options) process.stdout.write(help);
    else {
      requireRows(options.rows);
      // Exits explicitly: after an interruption, unfinished work would keep the process alive.
      process.exit(await runBench(options));
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') process.exit(INTERRUPTED);
    process.stderr.write(`${error instanceof UsageError ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

/** Runs the bench; stops and removes everything that was started, also after an error or Ctrl-C. */
async function runBench(options: Options): Promise<number> {
  const stopping = watchSignals();
  if (options.firstStart) {
    await firstStart(options.rounds, new Progress(), stopping.signal);
    return 0;
  }
  const run = await BenchRun.open(options, new Progress(), stopping.signal);
  const stopped = stopping.requested.then(() => INTERRUPTED);
  const done = work(run, options).then(() => 0);
  done.catch(() => undefined);
  try {
    return await Promise.race([done, stopped]);
  } finally {
    await run.close();
  }
}

async function work(run: BenchRun, options: Options): Promise<void> {
  if (options.scale) await scale(run, options);
  else if (options.soakMinutes !== null) await soak(run, options, options.soakMinutes);
  else await compare(run, options);
}
