import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Somebody wants the process to end. */
interface StopRequest {
  readonly reason: string;
  readonly exitCode: number;
}

/** Who may end the process, and how it learns of it. */
export interface Stopping {
  /** Aborted by the first request. */
  readonly signal: AbortSignal;
  /** Aborted by the second Ctrl-C: finish at once, but still in order. */
  readonly hurry: AbortSignal;
  readonly requested: Promise<StopRequest>;
  request(request: StopRequest): void;
}

/** A process that was asked to end ends within 15 s, in order or not. */
export const GIVE_UP_AFTER_MS = 14_500;
/** npm passes on the Ctrl-C that the terminal has sent to us as well: that is not a second one. */
const ECHO_MS = 500;

/** Listens for the signals that end a process. */
export function watchSignals(): Stopping {
  const stop = new AbortController();
  const hurry = new AbortController();
  const { promise: requested, resolve } = Promise.withResolvers<StopRequest>();
  let firstAt: number | null = null;
  const request = (asked: StopRequest) => {
    resolve(asked);
    stop.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      firstAt ??= performance.now();
      if (performance.now() - firstAt > ECHO_MS) hurry.abort();
      request({ reason: name, exitCode: 0 });
    });
  }
  return { signal: stop.signal, hurry: hurry.signal, requested, request };
}

/** What nobody has caught ends the process too, in order. */
export function stopOnFailure(stopping: Stopping, log: Logger): void {
  const fatal = (error: unknown) => {
    log.fatal({ err: error }, 'unexpected error');
    stopping.request({ reason: 'an unexpected error', exitCode: 1 });
  };
  process.on('uncaughtException', fatal);
  process.on('unhandledRejection', fatal);
}

/**
 * Stops when the process that started us has ended. npm runs a script in a shell, and an npm that is asked to end
 * ends that shell and not what runs in it.
 */
export function stopWithParent(stopping: Stopping): void {
  const parent = process.ppid;
  const look = () => {
    if (process.ppid !== parent) stopping.request({ reason: 'its parent has ended', exitCode: 0 });
  };
  setInterval(look, 250).unref();
}

/** Waits for a step of the shutdown, but not for ever, and hardly at all in a hurry. */
export async function withDeadline(
  step: Promise<unknown>,
  withinMs: number,
  hurry: AbortSignal,
): Promise<void> {
  const pause = (ms: number, signal?: AbortSignal) =>
    delay(ms, undefined, signal && { signal }).catch(() => undefined);
  await Promise.race([step, pause(withinMs, hurry).then(() => hurry.aborted && pause(300))]);
}
