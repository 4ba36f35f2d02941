import type { Logger } from 'pino';

/** Errors with the same message are logged once in this time. */
const QUIET_MS = 10_000;

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
    const last = logged.get(error.message);
    if (last && now - last.at < QUIET_MS) {
      last.repeated += 1;
      return;
    }
    for (const [message, { at }] of logged) if (now - at >= QUIET_MS) logged.delete(message);
    logged.set(error.message, { at: now, repeated: 0 });
    log.error({ err: error, repeated: last?.repeated ?? 0 }, 'the job queue reports an error');
  };
}

/** pg-boss reports some errors as a plain object with the fields of the error. */
function toError(reported: unknown): Error {
  if (reported instanceof Error) return reported;
  return typeof reported === 'object' ? Object.assign(new Error(), reported) : new Error(String(reported));
}
