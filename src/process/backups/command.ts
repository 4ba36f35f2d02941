import { parseArgs } from 'node:util';
import { type Config, ConfigError, loadConfig } from '../../config.js';
import { StartupError } from '../../errors.js';
import { watchSignals } from '../shutdown.js';
import { Progress } from './progress.js';

/** A command that takes the name of a file. */
interface FileCommand {
  readonly help: string;
  /** Names of options without a value. */
  readonly options: readonly string[];
  /** Returns the text that is printed at the end. */
  run(input: FileCommandInput): Promise<string>;
}

/** The input of a command. */
export interface FileCommandInput {
  readonly file: string;
  readonly options: ReadonlySet<string>;
  readonly config: Config;
  readonly progress: Progress;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Reads the command line and the settings, runs the command, and sets the exit code. */
export async function runFileCommand(command: FileCommand): Promise<void> {
  const progress = new Progress();
  const { signal } = watchSignals();
  try {
    const { file, options } = readArguments(command);
    if (options.has('help')) return void process.stdout.write(command.help);
    if (file === undefined) throw new StartupError('The name of the file is missing. Try --help.');
    const config = loadConfig(undefined, 'worker');
    if (config.databaseUrl !== null)
      throw new StartupError(
        'DATABASE_URL is set, and this command is for the embedded database. docs/operations.md has the commands for your own PostgreSQL.',
      );
    process.stdout.write(`${await command.run({ file, options, config, progress, signal })}\n`);
  } catch (error) {
    process.exitCode = 1;
    if (signal.aborted) return void process.stderr.write('Interrupted.\n');
    const isExpected = error instanceof StartupError || error instanceof ConfigError;
    process.stderr.write(`${isExpected ? error.message : describe(error)}\n`);
  } finally {
    progress.stop();
  }
}

function readArguments({ options }: FileCommand): { file: string | undefined; options: Set<string> } {
  const names = [...options, 'help'];
  try {
    const { values, positionals } = parseArgs({
      options: Object.fromEntries(names.map((name) => [name, { type: 'boolean' }] as const)),
      allowPositionals: true,
    });
    if (positionals.length > 1) throw new Error(`There is one file too many: ${positionals[1]}.`);
    return { file: positionals[0], options: new Set(Object.keys(values)) };
  } catch (error) {
    throw new StartupError(`${error instanceof Error ? error.message : error} Try --help.`);
  }
}

/** Errors of files and of the database are for the operator, without a stack trace. */
function describe(error: unknown): string {
  return error instanceof Error
    ? error.stack && !('code' in error)
      ? error.stack
      : error.message
    : String(error);
}
