import { writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino } from 'pino';
import { withSourceNames } from './log/source-names.js';
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

/** Opens the log of a process. Lines are written in batches (D288). */
export function openLog(level: string, settings?: LogSettings): Logger {
  return pino(logOptions(level, settings), new BatchedStream());
}

/** The longest time for which a line of level `info` or below waits, and so what a killed process may lose. */
const maxWaitMs = 20;
/** A pipe never mixes pieces of this length with those of another process (PIPE_BUF of Linux). */
const maxBatchLength = 4_096;
/** Longest time for which the end of a process waits for a slow reader of its output. */
const maxExitMs = 2_000;
const exitPauseMs = 5;

/**
 * Writes lines together, because a write for each line is slow. Warnings and errors are written in the same turn of the
 * event loop, with everything before them. Replaces pino's own destination, which retries forever if the terminal is
 * gone, and `process.stdout`, which loses lines at the end if the reader is slow.
 */
class BatchedStream implements DestinationStream {
  private batch = '';
  /** Batches for which there was no room in the output. */
  private waiting: Buffer[] = [];
  private timer: NodeJS.Timeout | null = null;
  private isUrgent = false;

  constructor() {
    process.once('exit', () => this.end());
  }

  write(line: string): void {
    if (this.batch.length + line.length > maxBatchLength) this.flush();
    this.batch += line;
    if (isWarning(line) && !this.isUrgent) {
      this.isUrgent = true;
      setImmediate(() => this.flush());
    } else this.timer ??= setTimeout(() => this.flush(), maxWaitMs).unref();
  }

  private flush(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.isUrgent = false;
    if (this.batch !== '') this.waiting.push(Buffer.from(this.batch));
    this.batch = '';
    if (!this.writeWaiting()) this.timer = setTimeout(() => this.flush(), maxWaitMs).unref();
  }

  private end(): void {
    this.flush();
    const pause = new Int32Array(new SharedArrayBuffer(4));
    const deadline = performance.now() + maxExitMs;
    while (!this.writeWaiting() && performance.now() < deadline) Atomics.wait(pause, 0, 0, exitPauseMs);
  }

  /** Returns false if the output has no room for all. */
  private writeWaiting(): boolean {
    let written = 0;
    try {
      for (const batch of this.waiting) {
        const length = writeSync(process.stdout.fd, batch);
        if (length < batch.length) {
          this.waiting[written] = batch.subarray(length);
          return false;
        }
        written += 1;
      }
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return false;
      // The terminal is gone.
      written = this.waiting.length;
    } finally {
      this.waiting.splice(0, written);
    }
    return true;
  }
}

/** Every line begins with its level: 40 and above for warnings and errors. */
const isWarning = (line: string) => line.charCodeAt(levelIndex) >= fourDigit;
const levelIndex = '{"level":'.length;
const fourDigit = '4'.charCodeAt(0);

/** The fields of the log line of a request. */
export interface RequestFields {
  requestId: string;
  door: string;
  operation: string;
  caller: string | null;
  status: number | null;
  code: string | null;
  ms: number;
}

/** The parts of a logger that its type does not show. */
interface LoggerParts {
  readonly [pino.symbols.streamSym]: DestinationStream;
  readonly [pino.symbols.chindingsSym]: string;
  readonly [pino.symbols.mixinSym]: (() => object) | undefined;
}

/**
 * Returns a function that writes the log lines of requests. They are the lines that pino would write, put together by
 * hand because there are so many; a test compares both.
 */
export function requestLog(log: Logger): (level: 'info' | 'debug', fields: RequestFields) => void {
  const parts = log as unknown as LoggerParts;
  const mixin = parts[pino.symbols.mixinSym];
  const further = (fields: object) =>
    Object.entries(fields)
      .map(([name, value]) => `,"${name}":${JSON.stringify(value)}`)
      .join('');
  const stream = parts[pino.symbols.streamSym];
  const bindings = parts[pino.symbols.chindingsSym];
  return (level, { requestId, door, operation, caller, status, code, ms }) => {
    if (!log.isLevelEnabled(level)) return;
    const line =
      `{"level":${pino.levels.values[level]},"time":${Date.now()}${bindings}${mixin ? further(mixin()) : ''},"requestId":"${requestId}"` +
      `,"door":"${door}","operation":"${operation}","caller":${caller === null ? null : JSON.stringify(caller)}` +
      `,"status":${status},"code":${code === null ? null : `"${code}"`},"ms":${ms},"msg":"request"}\n`;
    // The other fields are from fixed sets and contain no secrets.
    stream.write(mayHaveSecret(requestId) || (caller !== null && mayHaveSecret(caller)) ? mask(line) : line);
  };
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
    ...(frames?.startsWith('\n') && { stack: withSourceNames(frames) }),
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
  if (!mayHaveSecret(line)) return line;
  return secrets.reduce((masked, secret) => masked.replace(secret, '[masked]'), line);
}

const mayHaveSecret = (text: string) => text.includes('@') || /mkt_|whsec_|eyJ|bearer /i.test(text);
