import type { IncomingMessage, RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { ServiceError } from '../errors.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { type RequestFields, requestLog } from '../log.js';
import { clientAddress, type Trust } from './client-address.js';
import type { Metrics } from './metrics.js';
import { createRequestContext, type RequestContext } from './request-context.js';
import { startRequestSpan } from './request-span.js';
import { respondWith, respondWithError } from './respond.js';
import { type Handler, pathOf, type RoutedRequest } from './routing.js';

interface PipelineOptions {
  log: Logger;
  trust: Trust;
  metrics: Metrics;
  /** The longest time to a response, in milliseconds. */
  requestMs: number;
  /** The headers that every response has. */
  commonHeaders: ReadonlyMap<string, string>;
  limits: RateLimits;
  /** The paths of REST, by operation. */
  routes: ReadonlyMap<string, string>;
  /** After a rest, a promise for the moment from which cached responses can be served; null otherwise. */
  wakeCache(): Promise<void> | null;
}

/**
 * Runs for every request: creates its context, sends it through the handlers, responds to whatever they have left, and in
 * the end writes the log line and updates the metrics. The last handler is a router, and no Express application, which
 * would change the prototypes of every request and response. CORS and the cache come before it, so that a cached
 * read needs no routing.
 */
export function pipeline(
  { log, trust, metrics, requestMs, commonHeaders, limits, routes, wakeCache }: PipelineOptions,
  ...handlers: readonly Handler[]
): RequestListener {
  const writeLine = requestLog(log);
  const unrouted = async (context: RequestContext, error: unknown): Promise<never> => {
    // A path that cannot be decoded reaches no middleware that charges it.
    if (context.charges.length === 0 && !isHealthCheck(context)) await limits.chargeAddress(context, 'pages');
    throw error ?? noSuchRoute(context.request);
  };
  const fail = (context: RequestContext, error?: unknown) =>
    void respondWith(context, () => unrouted(context, error));
  const route = (context: RequestContext, index = 0): void => {
    const handler = handlers[index];
    if (!handler) {
      fail(context);
      return;
    }
    // A router calls back with an error, or without one if no route has matched.
    const next = (error?: unknown) => (error ? fail(context, error) : route(context, index + 1));
    try {
      void handler(context.request as RoutedRequest, context.response, next);
    } catch (error) {
      fail(context, error);
    }
  };
  const start = (context: RequestContext) => {
    const waking = isApiPath.test(context.request.url ?? '') ? wakeCache() : null;
    if (waking) void waking.then(() => route(context)).catch((error) => respondWithError(context, error));
    else route(context);
  };
  return (request, response) => {
    const address = clientAddress(request, trust);
    const context = createRequestContext(request, response, {
      address,
      log,
      limits,
      commonHeaders,
      requestMs,
    });
    Object.assign(request, { context });
    const span = startRequestSpan(context, routes);
    const finish = () => {
      // Work that it shares with other requests continues after its response.
      context.deadlineAt = Infinity;
      const milliseconds = performance.now() - context.startedAt;
      metrics.count(context, milliseconds / 1000);
      writeLine(isHealthCheck(context) ? 'debug' : 'info', lineOf(context, milliseconds));
      span?.end();
    };
    response.on('close', span ? () => span.run(finish) : finish);
    if (span) span.run(() => start(context));
    else start(context);
  };
}

/** Paths of the API. Pages and health checks do not end the rest of the cache. */
const isApiPath = /^\/(?:api|graphql)\b/;

/** Requested every few seconds by monitoring, so logged at `debug` only. */
const healthChecks = new Set(['livez', 'readyz', 'metrics']);
const isHealthCheck = ({ door, operation }: RequestContext) => door === 'site' && healthChecks.has(operation);

const noSuchRoute = (request: IncomingMessage) =>
  new ServiceError(
    'NOT_FOUND',
    `There is nothing at ${request.method} ${pathOf(request).slice(0, 200)}. See /docs for what there is.`,
  );

/** Returns the log line of a request whose response is complete, or whose client has disconnected. */
function lineOf(
  { id, door, operation, fields, caller, code, response }: RequestContext,
  milliseconds: number,
): RequestFields {
  return {
    requestId: id,
    door,
    operation: fields ?? operation,
    caller,
    // A client that disconnected early got no response.
    status: response.writableFinished ? response.statusCode : null,
    code,
    ms: Math.round(milliseconds * 10) / 10,
  };
}
