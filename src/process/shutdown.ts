import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

/** The reason and exit code of a stop. */
interface StopRequest {
  readonly reason: string;
  readonly exitCode: number;
}

/** The stop request of the process, and the ways to wait for it. */
export interface Stopping {
  /** Aborted by the first request. */
  readonly signal: AbortSignal;
  /** Aborted by the second Ctrl-C: finish at once, but still in the right order. */
  readonly hurry: AbortSignal;
  readonly requested: Promise<StopRequest>;
  request(request: StopRequest): void;
  /** Like a second Ctrl-C. */
  hurryUp(): void;
}

/** A process ends within 15 s of its last request, even if a part does not stop. */
export const GIVE_UP_AFTER_MS = 14_500;
/** npm forwards the Ctrl-C that the terminal also sends to us; within this time it is not a second one. */
const DUPLICATE_SIGNAL_MS = 500;

/** Handles the signals that end a process. */
export function watchSignals(): Stopping {
  const stop = new AbortController();
  const hurry = new AbortController();
  const { promise: requested, resolve } = Promise.withResolvers<StopRequest>();
  let firstAt: number | null = null;
  const request = (stopRequest: StopRequest) => {
    resolve(stopRequest);
    stop.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      firstAt ??= performance.now();
      if (performance.now() - firstAt > DUPLICATE_SIGNAL_MS) hurry.abort();
      request({ reason: name, exitCode: 0 });
    });
  }
  return { signal: stop.signal, hurry: hurry.signal, requested, request, hurryUp: () => hurry.abort() };
}

/** Stops the process after an uncaught error. */
export function stopOnFailure(stopping: Stopping, log: Logger): void {
  const fatal = (error: unknown) => {
    log.fatal({ err: error }, 'unexpected error');
    // For a process that does not wait for the request, and ends because nothing is left to do.
    process.exitCode = 1;
    stopping.request({ reason: 'an unexpected error', exitCode: 1 });
  };
  process.on('uncaughtException', fatal);
  process.on('unhandledRejection', fatal);
}

/**
 * Stops when the parent process has ended. npm runs a script in a shell, and a stopped npm ends that shell but not the
 * processes in it.
 */
export function stopWithParent(stopping: Stopping): void {
  const parent = process.ppid;
  const check = () => {
    if (process.ppid !== parent) stopping.request({ reason: 'its parent has ended', exitCode: 0 });
  };
  setInterval(check, 250).unref();
}

/** Waits for a step of the shutdown with a timeout, which is 300 ms after a second Ctrl-C. */
export async function withDeadline(
  step: Promise<unknown>,
  timeoutMs: number,
  hurry: AbortSignal,
): Promise<void> {
  const pause = (ms: number, signal?: AbortSignal) =>
    delay(ms, undefined, signal && { signal }).catch(() => undefined);
  await Promise.race([step, pause(timeoutMs, hurry).then(() => hurry.aborted && pause(300))]);
}
