import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { clientAddress, type Trust } from './client-address.js';
import type { Metrics } from './metrics.js';
import { beginExchange, type Exchange, within } from './request-context.js';

interface Observation {
  log: Logger;
  trust: Trust;
  metrics: Metrics;
}

/** Machines ask for these every few seconds. */
const asksForHealth = new Set(['livez', 'readyz', 'metrics']);

/**
 * Gives every request an exchange, and when its answer is out, or its caller is gone, a line in the log and its place in
 * the metrics. It knows nothing of Express, and everything that answers runs inside it.
 */
export function observed(handler: RequestListener, { log, trust, metrics }: Observation): RequestListener {
  return (request, response) => {
    const exchange = beginExchange(request, response, clientAddress(request, trust));
    response.once('close', () => {
      const milliseconds = performance.now() - exchange.startedAt;
      metrics.count(exchange, milliseconds / 1000);
      write(log, exchange, milliseconds);
    });
    within(exchange, () => handler(request, response));
  };
}

function write(log: Logger, exchange: Exchange, milliseconds: number): void {
  const { id, door, operation, fields, caller, code, response } = exchange;
  const level = door === 'site' && asksForHealth.has(operation) ? 'debug' : 'info';
  if (!log.isLevelEnabled(level)) return;
  log[level](
    {
      requestId: id,
      door,
      operation: fields ?? operation,
      caller,
      // Whoever went away before the answer was out has seen none.
      status: response.writableFinished ? response.statusCode : null,
      code,
      ms: Math.round(milliseconds * 10) / 10,
    },
    'request',
  );
}
