import type { Logger } from 'pino';
import type { Gateway } from '../app/options.js';
import type { Listener } from '../server/listener.js';
import { REQUESTS_TIMEOUT_MS, type StopOptions, stopPart } from './run-service.js';
import { withDeadline } from './shutdown.js';

const APP_CLOSE_TIMEOUT_MS = 2_000;

/** The parts of a process that serves requests, as far as they were started. */
export interface ServingParts {
  listener?: Listener;
  gateway?: Gateway;
}

/** Begins to import the application, while the database starts. */
export function loadApplication(): Promise<typeof import('../app.js')> {
  const loading = import('../app.js');
  // Reported where it is awaited.
  loading.catch(() => undefined);
  return loading;
}

/** Stops serving in reverse order of the start, without losing a request (D252). */
export async function stopServing(
  { gateway, listener }: ServingParts,
  log: Logger,
  { drainMs, hurry }: StopOptions,
): Promise<void> {
  if (gateway) {
    gateway.drain();
    await listener?.drain({ forMs: drainMs, signal: hurry });
    await stopPart(log, 'the event streams', gateway.endStreams());
  }
  // Without the gateway nothing handles the requests that have arrived.
  const withinMs = gateway ? REQUESTS_TIMEOUT_MS : 0;
  await stopPart(log, 'the listener', listener?.close({ withinMs, signal: hurry }));
  await withDeadline(stopPart(log, 'the application', gateway?.close()), APP_CLOSE_TIMEOUT_MS, hurry);
}

/** Returns the address of a server on this machine. */
export function localUrl(host: string, port: number): string {
  const isAny = host === '0.0.0.0' || host === '::';
  return `http://${isAny ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}
