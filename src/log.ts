import { type DestinationStream, type Logger, pino } from 'pino';
import { traceFields } from './tracing/tracing.js';

interface LogSettings {
  /** Null: no traces. */
  readonly tracing: object | null;
}

/** pino's options. The log never contains input of callers or secrets. */
export const logOptions = (
  level: string,
  { tracing }: LogSettings = { tracing: null },
): pino.LoggerOptions => ({
  level,
  ...(tracing && { mixin: traceFields }),
  serializers: { err: describeError },
  hooks: {
    streamWrite: mask,
    // Without a message, pino would log the error's own message, which bypasses our serializer.
    logMethod(args, log) {
      const isBare = args.length === 1 && typeof args[0] !== 'string';
      log.apply(this, isBare ? [args[0], 'something failed'] : args);
    },
  },
});

/** Opens the log of a process. Lines are buffered and written together, so that no request waits for the output. */
export function openLog(level: string, settings?: LogSettings): Logger {
  return pino(logOptions(level, settings), new BufferedStream());
}

/** Replaces pino's own destination, which retries forever if the terminal is gone. */
class BufferedStream implements DestinationStream {
  private buffer = '';

  constructor() {
    process.once('exit', () => this.flush());
  }

  write(line: string): void {
    if (this.buffer === '') setImmediate(() => this.flush());
    this.buffer += line;
  }

  private flush(): void {
    const lines = this.buffer;
    this.buffer = '';
    if (lines !== '') process.stdout.write(lines);
  }
}

/** The logged fields of an error. Other fields may quote a caller's input, as PostgreSQL's `detail` does. */
interface LoggedError {
  type: string;
  message: string;
  stack?: string;
  code?: string;
  constraint?: string;
  table?: string;
  column?: string;
  cause?: LoggedError;
}

const loggedFields = ['code', 'constraint', 'table', 'column'] as const;

function describeError(error: unknown): unknown {
  return error instanceof Error ? describe(error, 0) : { type: typeof error, message: String(error) };
}

function describe(error: Error, depth: number): LoggedError {
  const fields: Partial<Record<string, unknown>> = { ...error };
  const known = loggedFields.flatMap((name) =>
    typeof fields[name] === 'string' ? [[name, fields[name]]] : [],
  );
  const frames = error.stack?.slice(error.stack.indexOf('\n    at '));
  return {
    type: error.name,
    message: messageOf(error, fields.code),
    ...(frames?.startsWith('\n') && { stack: frames }),
    ...Object.fromEntries(known),
    ...(error.cause instanceof Error && depth < 3 && { cause: describe(error.cause, depth + 1) }),
  };
}

/** Removes data from database errors: class 22 quotes values, and MikroORM appends `detail`, which contains whole rows. */
function messageOf({ message }: Error, code: unknown): string {
  const isDatabaseError = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
  if (!isDatabaseError) return message;
  const [own = ''] = message.split('\n - detail: ');
  return code.startsWith('22') ? own.replace(/"[^"]*"|'[^']*'/g, '"…"') : own;
}

/** Patterns that could match inside a word start only at its beginning: otherwise a long word would take quadratic time. */
const secrets = [
  // API keys, webhook secrets and bearer tokens.
  /mkt_[0-9A-Za-z]{6,}|whsec_[\w+/=-]+|(?<=\bbearer )[^\s"\\]+/gi,
  // JWTs.
  /(?<![\w-])(?=[\w-]+\.[\w-])[\w-]*eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/gi,
  // E-mail addresses, and passwords in URLs.
  /(?<![^\s"\\<>()[\],;:/=])[^\s"\\<>()[\],;:/=]+@[^\s"\\<>()[\],;:/=]+/g,
];

/** Masks everything that looks like a secret in a finished line, as the last protection. */
export function mask(line: string): string {
  if (!line.includes('@') && !/mkt_|whsec_|eyJ|bearer /i.test(line)) return line;
  return secrets.reduce((masked, secret) => masked.replace(secret, '[masked]'), line);
}
