import type { IncomingMessage } from 'node:http';
import type { RateLimits } from '../limits/rate-limits.js';
import type { RequestContext } from '../server/request-context.js';
import { respond, respondWith } from '../server/respond.js';
import type { Handler } from '../server/routing.js';
import type { CachedResponse, ResponseCache } from './response-cache.js';

/** Responds to REST reads and public pages from the cache, before the routes are matched. */
export function cachedReads(responses: ResponseCache, limits: RateLimits): Handler {
  return (request, _response, next) => {
    const { context } = request;
    context.cacheKey = keyOfRead(request);
    const entry = context.cacheKey === null ? undefined : responses.find(context.cacheKey);
    if (!entry) return next();
    context.door = entry.door;
    const charging = charge(context, entry, limits);
    // Synchronous where possible: a cache hit then needs no promise.
    if (charging === null) respond(context, entry.response);
    else void respondWith(context, () => charging.then(() => entry.response));
  };
}

/**
 * Names a request for the log and the metrics, and charges the client's address, as when the response was computed. Returns
 * null if it charged synchronously.
 */
export function charge(
  context: RequestContext,
  { operation, fields, cost, limit }: CachedResponse,
  limits: RateLimits,
): Promise<void> | null {
  context.operation = operation;
  context.fields = fields;
  context.cost = cost;
  return limits.chargeAddress(context, limit, cost);
}

/** Longer URLs are rare, and would fill the memory with keys. */
const maxUrlLength = 1_000;

/** Returns the path and the query of a read, under which its response may be cached; null for any other request. */
function keyOfRead(request: IncomingMessage): string | null {
  const { url = '' } = request;
  return isPlainRead(request) && url.startsWith('/') && url.length <= maxUrlLength ? url : null;
}

/** Returns true for a read without a body. */
export const isPlainRead = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined;
