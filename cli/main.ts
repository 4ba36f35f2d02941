import { resolve } from 'node:path';
import { type CommandName, commands, helpOf, parseCommandLine } from './arguments.js';
import { check } from './commands/check.js';
import { diff } from './commands/diff.js';
import { init } from './commands/init.js';
import { pull } from './commands/pull.js';
import { push } from './commands/push.js';
import { status } from './commands/status.js';
import { submit } from './commands/submit.js';
import { whoami } from './commands/whoami.js';
import { withdraw } from './commands/withdraw.js';
import { type CommandContext, openApi } from './context.js';
import { registerSecrets } from './credentials.js';
import { exitCodes, Failure } from './failure.js';
import { alignedTable, Output } from './output.js';
import manifest from './package.json' with { type: 'json' };
import { printAnnotations, printProblems, serverChanges } from './report.js';

const runs: Record<CommandName, (context: CommandContext) => Promise<number>> = {
  init,
  check,
  diff,
  push,
  pull,
  submit,
  status,
  withdraw,
  whoami,
};

const { version } = manifest;
const environment = process.env;
const argv = process.argv.slice(2);
const output = new Output(process, argv.includes('--json'), environment);
registerSecrets(environment, output);

/** Runs the command of the command line and returns the exit code. */
async function main(): Promise<number> {
  const { command, options } = parseCommandLine(argv);
  if (options.version) {
    process.stdout.write(`${version}\n`);
    return exitCodes.done;
  }
  if (command === null || options.help) {
    const text = command === null ? generalHelp() : commandHelp(command);
    // Without a command it is a mistake, unless the help was asked for.
    (options.help ? process.stdout : process.stderr).write(`${text}\n`);
    return options.help ? exitCodes.done : exitCodes.usage;
  }
  return runs[command]({
    options,
    output,
    environment,
    version,
    path: resolve(options.file ?? 'marketplace.json'),
    canAsk: process.stdin.isTTY === true && !options.json,
    api: (slug) => openApi(options, environment, output, version, slug),
  });
}

const generalHelp = () => `Publishes apps to a marketplace, from a terminal or a pipeline.

Usage: marketplace <command> [options]

${alignedTable(Object.entries(commands).map(([name, { summary }]) => [`  ${name}`, summary]))}

Settings: MARKETPLACE_URL, and MARKETPLACE_KEY or --key-file; in a pipeline its identity.
Exit codes: 0 done, 1 rejected or findings, 2 usage, 3 not permitted, 4 unavailable, 5 conflict.
"marketplace <command> --help" shows the options of a command.`;

function commandHelp(command: CommandName): string {
  const { summary, rows } = helpOf(command);
  return `${summary}.\n\nUsage: marketplace ${command} [options]\n\n${alignedTable(rows)}`;
}

/** Reports an error, for people or as JSON. */
function report(error: unknown): number {
  const failure = error instanceof Failure ? error : unexpected(error);
  const { code, message, exitCode, problems, changes, requestId } = failure;
  output.json({ ok: false, error: { code, message, exitCode, findings: problems, changes, requestId } });
  if (output.isJson) return exitCode;
  printProblems(output, problems);
  if (environment.GITHUB_ACTIONS === 'true') printAnnotations(output, problems);
  // The details are printed above.
  const summary = problems.length > 0 ? message.replace(/: see details\.$/, '.') : message;
  output.problem(`${output.style('red', 'error', 'stderr')}: ${summary}`);
  if (changes.length > 0) output.problem(serverChanges(changes));
  if (requestId !== null) output.problem(output.style('dim', `Request id: ${requestId}`, 'stderr'));
  return exitCode;
}

/** An error of the tool itself, or of the file system. */
function unexpected(error: unknown): Failure {
  const isFileError = error instanceof Error && 'syscall' in error;
  const message =
    error instanceof Error ? (isFileError ? error.message : (error.stack ?? error.message)) : String(error);
  return new Failure({
    exitCode: exitCodes.usage,
    code: isFileError ? 'FILE' : 'INTERNAL_TOOL_ERROR',
    message,
  });
}

// The reader of a pipe may have seen enough, such as `head`.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });

// Not process.exit(): the output may not be written yet if it is a pipe.
process.exitCode = await main().catch(report);
