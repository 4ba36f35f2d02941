import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import cors from 'cors';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { ServiceError } from '../errors.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { type RequestFields, requestLog } from '../log.js';
import { clientAddress, type Trust } from './client-address.js';
import type { Metrics } from './metrics.js';
import { allowedOrigins } from './origins.js';
import { createRequestContext, type RequestContext, runInRequest } from './request-context.js';
import { startRequestSpan } from './request-span.js';
import { respond, respondWith, respondWithError } from './respond.js';

interface PipelineOptions {
  config: Pick<Config, 'corsOrigins' | 'production'>;
  log: Logger;
  trust: Trust;
  metrics: Metrics;
  /** The headers that every response has. */
  commonHeaders: ReadonlyMap<string, string>;
  limits: RateLimits;
  /** The paths of REST, by operation. */
  routes: ReadonlyMap<string, string>;
  /** After a rest, a promise for the moment from which cached responses can be served; null otherwise. */
  wakeCache(): Promise<void> | null;
}

/** Handles a request; false leaves it to the next handler. Not yet within `runInRequest`, which cached responses do not need. */
export type FastPath = (context: RequestContext) => boolean;

/**
 * Runs for every request, with Express or before it: creates the context, sets CORS headers, and in the end writes the
 * log line and updates the metrics.
 */
export function pipeline(
  { config, log, trust, metrics, commonHeaders, limits, routes, wakeCache }: PipelineOptions,
  fastPaths: readonly FastPath[],
  express: (request: IncomingMessage, response: ServerResponse, done: (error?: unknown) => void) => void,
): RequestListener {
  const setCorsHeaders = corsHeaders(config);
  const writeLine = requestLog(log);
  const unrouted = async (context: RequestContext, error: unknown): Promise<never> => {
    // A path that Express cannot decode reaches no middleware that charges it.
    if (context.charges.length === 0 && !isHealthCheck(context)) await limits.chargeAddress(context, 'pages');
    throw error ?? noSuchRoute(context.request);
  };
  const handle = (context: RequestContext) => {
    const waking = isApiPath.test(context.request.url ?? '') ? wakeCache() : null;
    if (waking) void waking.then(() => route(context)).catch((error) => respondWithError(context, error));
    else route(context);
  };
  const route = (context: RequestContext) => {
    for (const fastPath of fastPaths) if (fastPath(context)) return;
    // Express calls back with an error, or without one if no route has matched.
    runInRequest(context, () =>
      express(
        context.request,
        context.response,
        (error) => void respondWith(context, () => unrouted(context, error)),
      ),
    );
  };
  return (request, response) => {
    const address = clientAddress(request, trust);
    const context = createRequestContext(request, response, { address, log, limits, commonHeaders });
    const span = startRequestSpan(context, routes);
    const finish = () => {
      const milliseconds = performance.now() - context.startedAt;
      metrics.count(context, milliseconds / 1000);
      writeLine(isHealthCheck(context) ? 'debug' : 'info', lineOf(context, milliseconds));
      span?.end();
    };
    response.on('close', span ? () => span.run(finish) : finish);
    const start = () => {
      try {
        setCorsHeaders(context, () => handle(context));
      } catch (error) {
        respondWithError(context, error);
      }
    };
    if (span) span.run(start);
    else start();
  };
}

/** Paths whose responses may be cached. */
const isApiPath = /^\/(?:api|graphql)\b/;

/** The paths that pages of other origins may read. Never our own pages: in development those hold tokens and mails. */
const readableByOthers =
  /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?\/(?:api|graphql|openapi\.json|schema\.graphql|\.well-known)(?=[/?#]|$)/i;

/** Sets the CORS headers of a request, and responds to preflight requests. */
function corsHeaders(config: PipelineOptions['config']) {
  const allowed = allowedOrigins(config);
  if (allowed.length === 0) return (_: RequestContext, next: () => void) => next();
  // Never with credentials: browsers would send cookies, and this service has none.
  const setHeaders = cors({
    origin: allowed.includes('*') ? '*' : [...allowed],
    preflightContinue: true,
    exposedHeaders: [
      ...['ratelimit', 'ratelimit-policy', 'retry-after'],
      ...['etag', 'link', 'x-request-id', 'x-ignored-fields', 'www-authenticate', 'x-api-key-expires'],
      ...['allow', 'idempotent-replayed', 'deprecation', 'sunset'],
    ],
  });
  return (context: RequestContext, next: () => void) => {
    const { request, response } = context;
    if (!readableByOthers.test(request.url ?? '')) return next();
    setHeaders(request, response, () =>
      request.method === 'OPTIONS' && response.hasHeader('access-control-allow-origin')
        ? respond(context, { status: 204, headers: {} })
        : next(),
    );
  };
}

/** Requested every few seconds by monitoring, so logged at `debug` only. */
const healthChecks = new Set(['livez', 'readyz', 'metrics']);
const isHealthCheck = ({ door, operation }: RequestContext) => door === 'site' && healthChecks.has(operation);

const pathOf = (url: string) => url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*/s, '');

const noSuchRoute = ({ method, url = '' }: IncomingMessage) =>
  new ServiceError(
    'NOT_FOUND',
    `There is nothing at ${method} ${pathOf(url).slice(0, 200)}. See /docs for what there is.`,
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
