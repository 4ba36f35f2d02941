import type { CachedResponse, ResponseCache } from '../cache/response-cache.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { hasSmallJsonBody, readSmallBody } from '../server/body.js';
import type { HttpResponse } from '../server/http-response.js';
import type { FastPath } from '../server/pipeline.js';
import { type RequestContext, runInRequest } from '../server/request-context.js';
import { respondWith } from '../server/respond.js';
import { documentKey, type GraphQLHandler } from './handler.js';

const path = '/graphql';

/**
 * Handles GraphQL requests before Express: those with a short JSON body from the cache or by the handler that Express
 * calls, and those by GET from the cache only.
 */
export function smallDocuments(
  handler: GraphQLHandler,
  responses: ResponseCache,
  limits: RateLimits,
): FastPath {
  const responseTo = async (context: RequestContext): Promise<HttpResponse> => {
    await handler.admit(context);
    const body = await readSmallBody(context.request);
    const entry = responses.find(documentKey(context, body, path) ?? '');
    return entry ? charged(context, entry) : runInRequest(context, () => handler.handle(context, body, path));
  };
  const charged = async (context: RequestContext, entry: CachedResponse): Promise<HttpResponse> => {
    context.operation = entry.operation;
    context.fields = entry.fields;
    context.cost = entry.cost;
    if (limits.areEnabled) await limits.chargeAddress(context, entry.limit, entry.cost);
    return entry.response;
  };
  const cachedRead = async (context: RequestContext, entry: CachedResponse): Promise<HttpResponse> => {
    await handler.admit(context);
    return charged(context, entry);
  };
  return (context) => {
    const { request } = context;
    if (request.url === path && hasSmallJsonBody(request)) {
      void respondWith(context, () => responseTo(context));
      return true;
    }
    const key = request.method === 'POST' ? null : documentKey(context, null, request.url ?? '');
    const entry = key === null ? undefined : responses.find(key);
    if (!entry) return false;
    void respondWith(context, () => cachedRead(context, entry));
    return true;
  };
}
