import type { Logger } from 'pino';

/** Errors with the same message are logged once in this time. */
const QUIET_MS = 10_000;
/** Bounds the memory. */
const MAX_MESSAGES = 100;
/** pg-boss appends this to the message, so that each of its workers has a message of its own. */
const workerSuffix = / \(Queue: [^)]*, Worker: [^)]*\)$/;

interface Logged {
  readonly at: number;
  /** Number of the same errors since then. */
  repeated: number;
}

/**
 * Logs the errors of the job queue. Without the database every worker of a queue reports one at each of its polls, so the
 * same message is logged at most every ten seconds, with the number of repetitions since the last time.
 */
export function queueErrorLogger(log: Logger): (reported: unknown) => void {
  const logged = new Map<string, Logged>();
  return (reported) => {
    const error = toError(reported);
    const now = performance.now();
    const message = error.message.replace(workerSuffix, '');
    const last = logged.get(message);
    if (last && now - last.at < QUIET_MS) {
      last.repeated += 1;
      return;
    }
    if (logged.size >= MAX_MESSAGES) logged.clear();
    logged.set(message, { at: now, repeated: 0 });
    log.error({ err: error, repeated: last?.repeated ?? 0 }, 'the job queue reports an error');
  };
}

/** pg-boss reports some errors as a plain object with the fields of the error. */
function toError(reported: unknown): Error {
  if (reported instanceof Error) return reported;
  return typeof reported === 'object' ? Object.assign(new Error(), reported) : new Error(String(reported));
}
