import { parse as parseQuery } from 'node:querystring';
import type { CachedResponse, ResponseCache } from '../cache/response-cache.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { hasSmallJsonBody, readSmallBody } from '../server/body.js';
import type { HttpResponse } from '../server/http-response.js';
import type { FastPath } from '../server/pipeline.js';
import { type RequestContext, runInRequest } from '../server/request-context.js';
import { respond, respondWith } from '../server/respond.js';
import { cacheKey, type RestRequest, urlOfRead } from './rest-request.js';
import type { RouteHandler } from './route-handler.js';

/** Serves cached responses before Express, which would take most of the time of such a request. */
export function cachedReads(responses: ResponseCache, limits: RateLimits): FastPath {
  return (context) => {
    const key = cacheKey(context.request);
    const entry = key === null ? undefined : responses.find(key);
    if (!entry) return false;
    context.door = 'rest';
    context.operation = entry.operation;
    if (limits.areEnabled) void respondWith(context, () => charged(context, entry, limits));
    else respond(context, entry.response);
    return true;
  };
}

async function charged(
  context: RequestContext,
  { limit, response }: CachedResponse,
  limits: RateLimits,
): Promise<HttpResponse> {
  await limits.chargeAddress(context, limit);
  return response;
}

/**
 * Handles reads that are not cached before Express, if their URL needs no decoding and they have no body. The handler is
 * the one that Express calls.
 */
export function uncachedReads(handlers: readonly RouteHandler[]): FastPath {
  // In the order of the router: the first route that matches is the one that Express would take.
  const routes = handlers.filter(({ route: { method } }) => method === 'GET').map(withPattern);
  return (context) => {
    const url = urlOfRead(context.request);
    if (url === null || url.includes('#')) return false;
    const queryAt = url.indexOf('?');
    const path = queryAt === -1 ? url : url.slice(0, queryAt);
    for (const { handler, pattern } of routes) {
      const params = pattern.exec(path)?.groups;
      if (!params) continue;
      const query = queryAt === -1 ? {} : parseQuery(url.slice(queryAt + 1));
      void runInRequest(context, () =>
        respondWith(context, () => read({ context, path, params, query, body: undefined }, handler)),
      );
      return true;
    }
    return false;
  };
}

async function read(request: RestRequest, handler: RouteHandler): Promise<HttpResponse> {
  await handler.admit(request.context);
  return handler.handle(request);
}

/** Adds the pattern of a route's paths that need no decoding. */
function withPattern(handler: RouteHandler): { handler: RouteHandler; pattern: RegExp } {
  const path = handler.route.path.replace(/:(\w+)/g, '(?<$1>[a-z0-9-]+)');
  // The empty group makes `groups` an object for paths without parameters too.
  return { handler, pattern: new RegExp(`^${path}(?<none>)$`) };
}

/**
 * Handles installs before Express, since they come in large numbers: requests with a short JSON body to a public
 * operation that shares its transactions. The handler is the one that Express calls.
 */
export function sharedMutations(handlers: readonly RouteHandler[]): FastPath {
  const routes = handlers
    .filter(({ route: { method, isPublic, operation } }) => {
      return method === 'POST' && isPublic && operation.transaction === 'shared';
    })
    .map(withPattern);
  return (context) => {
    if (!hasSmallJsonBody(context.request)) return false;
    for (const { handler, pattern } of routes) {
      const params = pattern.exec(context.request.url ?? '')?.groups;
      if (!params) continue;
      void runInRequest(context, () => respondWith(context, () => handle(context, handler, params)));
      return true;
    }
    return false;
  };
}

async function handle(
  context: RequestContext,
  handler: RouteHandler,
  params: Record<string, string>,
): Promise<HttpResponse> {
  await handler.admit(context);
  const body = await readSmallBody(context.request);
  return handler.handle({ context, path: context.request.url ?? '', params, query: {}, body });
}
