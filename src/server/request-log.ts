import type { RequestContext } from './request-context.js';

/** Requested every few seconds by monitoring, so logged at `debug` only. */
const healthChecks = new Set(['livez', 'readyz', 'metrics']);

/** Writes the log line of a request whose response is complete, or whose client has disconnected. */
export function logRequest(context: RequestContext, milliseconds: number): void {
  const { id, door, operation, fields, caller, code, response, log } = context;
  const level = door === 'site' && healthChecks.has(operation) ? 'debug' : 'info';
  if (!log.isLevelEnabled(level)) return;
  log[level](
    {
      requestId: id,
      door,
      operation: fields ?? operation,
      caller,
      // A client that disconnected early got no response.
      status: response.writableFinished ? response.statusCode : null,
      code,
      ms: Math.round(milliseconds * 10) / 10,
    },
    'request',
  );
}
