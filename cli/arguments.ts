import { parseArgs } from 'node:util';
import { usage } from './failure.js';

/** The options of all commands. `value` names the value in the help; without it the option takes none. */
const optionTable = {
  file: { value: 'path', help: 'The listing file. Default: marketplace.json' },
  url: { value: 'url', help: 'Address of the marketplace. Default: $MARKETPLACE_URL' },
  'key-file': {
    value: 'path',
    help: 'A file with the API key. Default: $MARKETPLACE_KEY, then the pipeline',
  },
  json: { help: 'Print one JSON object for programs' },
  'dry-run': { help: 'Say what would be done, and change nothing' },
  help: { help: 'Show this help' },
  version: { help: 'Show the version of the tool' },
  app: { value: 'slug', help: 'Start from this app of yours' },
  name: { value: 'text', help: 'Display name' },
  description: { value: 'text', help: 'One or two sentences' },
  category: { value: 'name', help: 'Category, such as PRODUCTIVITY' },
  environment: { value: 'name', help: 'localhost, staging or production. It cannot be changed later' },
  force: { help: 'Overwrite files that exist' },
  offline: { help: 'Check the file alone, without the marketplace' },
  'code-quality': { value: 'path', help: 'Write the findings as a GitLab Code Quality report' },
  submit: { help: 'Also submit it for review' },
  revision: { value: 'number', help: 'Fail if the server has another revision' },
  wait: { help: 'Wait for the decision: exit 0 approved, 1 rejected' },
  watch: { help: 'Show each change until there is a decision' },
  timeout: { value: 'seconds', help: 'Give up waiting after this time, with exit code 4' },
} as const satisfies Record<string, { value?: string; help: string }>;
type OptionName = keyof typeof optionTable;

/** The values of the options. */
export type Options = { -readonly [Name in OptionName]?: OptionValue<Name> };
type OptionValue<Name extends OptionName> = (typeof optionTable)[Name] extends { value: string }
  ? string
  : boolean;

interface CommandHelp {
  summary: string;
  /** The options beyond those that all commands have. */
  options: readonly OptionName[];
  writes?: true;
}

/** The commands, in the order of the help. */
export const commands = {
  init: {
    summary: 'Create marketplace.json, from an app of yours or by questions',
    options: ['app', 'name', 'description', 'category', 'environment', 'force'],
    writes: true,
  },
  check: {
    summary: 'Check the listing, first the file, then pictures, links and names',
    options: ['offline', 'code-quality'],
  },
  diff: { summary: 'Show what a push would change', options: [] },
  push: {
    summary: 'Create the app, update it, or create or update its next version',
    options: ['submit', 'wait', 'timeout', 'revision'],
    writes: true,
  },
  pull: { summary: 'Write the listing of the server to the file', options: [], writes: true },
  submit: { summary: 'Submit the app or its version for review', options: ['wait', 'timeout'], writes: true },
  status: {
    summary: 'Show the status: place in the queue, expected time, findings, reasons',
    options: ['watch', 'timeout'],
  },
  withdraw: { summary: 'Withdraw the submission', options: [], writes: true },
  whoami: { summary: 'Show whose credential this is, and what it may do', options: [] },
} as const satisfies Record<string, CommandHelp>;
export type CommandName = keyof typeof commands;

const everywhere: readonly OptionName[] = ['file', 'url', 'key-file', 'json', 'help'];

/** Returns the options that a command takes. */
const optionsOf = (command: CommandHelp): OptionName[] => [
  ...command.options,
  ...(command.writes ? (['dry-run'] as const) : []),
  ...everywhere,
];

export interface ParsedArguments {
  command: CommandName | null;
  options: Options;
}

/** What people try as well. */
const shortForms: Readonly<Record<string, string>> = { '-h': '--help', '-V': '--version', help: '--help' };

/** Reads the command line. A mistake is a usage error that names the command's help. */
export function parseCommandLine(argv: readonly string[]): ParsedArguments {
  const [first, ...rest] = argv.map((word) => shortForms[word] ?? word);
  if (first === undefined || first.startsWith('-'))
    return {
      command: null,
      options: parse(first === undefined ? [] : [first, ...rest], ['help', 'version', 'json']),
    };
  if (!isCommand(first)) {
    throw usage(`There is no command "${first}". The commands are: ${Object.keys(commands).join(', ')}.`);
  }
  const options = parse(rest, optionsOf(commands[first]), first);
  for (const name of ['revision', 'timeout'] as const) numberOf(options, name);
  return { command: first, options };
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(commands, name);

function parse(args: readonly string[], names: readonly OptionName[], command?: string): Options {
  const options = Object.fromEntries(
    names.map((name) => [name, { type: 'value' in optionTable[name] ? 'string' : 'boolean' } as const]),
  );
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values as Options;
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).split('. ')[0];
    throw usage(`${reason}. Run "marketplace ${command === undefined ? '' : `${command} `}--help".`);
  }
}

const line = (name: OptionName) => {
  const option: { value?: string; help: string } = optionTable[name];
  return [`  --${name}${option.value ? ` <${option.value}>` : ''}`, option.help];
};

/** Returns the rows of the help of a command: its options. */
export const helpOf = (command: CommandName): { summary: string; rows: string[][] } => ({
  summary: commands[command].summary,
  rows: optionsOf(commands[command]).map(line),
});

/** Returns a whole number of an option; null if it is not given. */
export function numberOf(options: Options, name: 'revision' | 'timeout'): number | null {
  const value = options[name];
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value) && Number(value) > 0) return Number(value);
  throw usage(`--${name} must be a whole number, 1 or more.`);
}
