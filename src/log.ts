import { type DestinationStream, type Logger, pino } from 'pino';

/** What pino is told, whoever reads the log. Nothing that a caller sent, and nothing secret, is ever in it. */
export const logOptions = (level: string): pino.LoggerOptions => ({
  level,
  serializers: { err: describeError },
  hooks: {
    streamWrite: mask,
    // Without words of ours pino would repeat those of the failure, past our serializer.
    logMethod(args, log) {
      const isBare = args.length === 1 && typeof args[0] !== 'string';
      log.apply(this, isBare ? [args[0], 'something failed'] : args);
    },
  },
});

/** The log of a process. Lines are gathered and written together, so that no request waits for the terminal or the pipe. */
export function openLog(level: string): Logger {
  return pino(logOptions(level), new GatheringStream());
}

/** Not pino's own destination, which would retry for ever to write to a terminal that is gone. */
class GatheringStream implements DestinationStream {
  private gathered = '';

  constructor() {
    process.once('exit', () => this.flush());
  }

  write(line: string): void {
    if (this.gathered === '') setImmediate(() => this.flush());
    this.gathered += line;
  }

  private flush(): void {
    const lines = this.gathered;
    this.gathered = '';
    if (lines !== '') process.stdout.write(lines);
  }
}

/** What the log keeps of a failure. Fields that are not named here may quote what a caller sent, as PostgreSQL's `detail` does. */
interface Failure {
  type: string;
  message: string;
  stack?: string;
  code?: string;
  constraint?: string;
  table?: string;
  column?: string;
  cause?: Failure;
}

const kept = ['code', 'constraint', 'table', 'column'] as const;

function describeError(error: unknown): unknown {
  return error instanceof Error ? describe(error, 0) : { type: typeof error, message: String(error) };
}

function describe(error: Error, depth: number): Failure {
  const fields: Partial<Record<string, unknown>> = { ...error };
  const known = kept.flatMap((name) => (typeof fields[name] === 'string' ? [[name, fields[name]]] : []));
  const frames = error.stack?.slice(error.stack.indexOf('\n    at '));
  return {
    type: error.name,
    message: messageOf(error, fields.code),
    ...(frames?.startsWith('\n') && { stack: frames }),
    ...Object.fromEntries(known),
    ...(error.cause instanceof Error && depth < 3 && { cause: describe(error.cause, depth + 1) }),
  };
}

/** PostgreSQL's class 22 is about values, and quotes them; MikroORM adds the detail, which holds whole rows. */
function messageOf({ message }: Error, code: unknown): string {
  const ofDatabase = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
  if (!ofDatabase) return message;
  const [own = ''] = message.split('\n - detail: ');
  return code.startsWith('22') ? own.replace(/"[^"]*"|'[^']*'/g, '"…"') : own;
}

/** What may begin anywhere in a word is looked for from its start only: a long word would be gone through again and again. */
const secrets = [
  // API keys, secrets of webhooks, and whatever follows Bearer.
  /mkt_[0-9A-Za-z]{6,}|whsec_[\w+/=-]+|(?<=\bbearer )[^\s"\\]+/gi,
  // JWTs.
  /(?<![\w-])(?=[\w-]+\.[\w-])[\w-]*eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/gi,
  // E-mail addresses, and passwords in URLs.
  /(?<![^\s"\\<>()[\],;:/=])[^\s"\\<>()[\],;:/=]+@[^\s"\\<>()[\],;:/=]+/g,
];

/** The last net, under whatever else somebody may log: what looks like a secret is masked in the finished line. */
function mask(line: string): string {
  if (!line.includes('@') && !/mkt_|whsec_|eyJ|bearer /i.test(line)) return line;
  return secrets.reduce((masked, secret) => masked.replace(secret, '[masked]'), line);
}
