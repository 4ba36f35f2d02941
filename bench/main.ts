import { watchSignals } from '../src/process/shutdown.js';
import { compare, requireRows } from './compare.js';
import { help, type Options, readOptions, UsageError } from './options.js';
import { Progress } from './progress.js';
import { scale } from './scale.js';
import { Setting } from './setting.js';
import { soak } from './soak.js';

const INTERRUPTED = 130;

await main();

async function main(): Promise<void> {
  try {
    const options = readOptions(process.argv.slice(2));
    if (!options) process.stdout.write(help);
    else {
      requireRows(options.rows);
      // What an interruption has left half done must not keep the process.
      process.exit(await run(options));
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') process.exit(INTERRUPTED);
    process.stderr.write(`${error instanceof UsageError ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

/** Whatever ends the run, a Ctrl-C included, what was started is stopped and removed. */
async function run(options: Options): Promise<number> {
  const stopping = watchSignals();
  const setting = await Setting.open(options, new Progress(), stopping.signal);
  const stopped = stopping.requested.then(() => INTERRUPTED);
  const done = work(setting, options).then(() => 0);
  done.catch(() => undefined);
  try {
    return await Promise.race([done, stopped]);
  } finally {
    await setting.close();
  }
}

async function work(setting: Setting, options: Options): Promise<void> {
  if (options.scale) await scale(setting, options);
  else if (options.soakMinutes !== null) await soak(setting, options, options.soakMinutes);
  else await compare(setting, options);
}
