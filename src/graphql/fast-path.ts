import type { CachedResponse, ResponseCache } from '../cache/response-cache.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { hasSmallJsonBody, readSmallBody } from '../server/body.js';
import type { HttpResponse } from '../server/http-response.js';
import type { FastPath } from '../server/pipeline.js';
import type { RequestContext } from '../server/request-context.js';
import { respondWith } from '../server/respond.js';
import { documentKey, type GraphQLHandler } from './handler.js';

/** Handles GraphQL requests with a short JSON body before Express: from the cache, or by the handler that Express calls. */
export function smallDocuments(
  handler: GraphQLHandler,
  responses: ResponseCache,
  limits: RateLimits,
): FastPath {
  const responseTo = async (context: RequestContext): Promise<HttpResponse> => {
    await handler.admit(context);
    const body = await readSmallBody(context.request);
    const entry = responses.find(documentKey(context, body) ?? '');
    return entry ? charged(context, entry) : handler.handle(context, body);
  };
  const charged = async (context: RequestContext, entry: CachedResponse): Promise<HttpResponse> => {
    context.operation = entry.operation;
    context.fields = entry.fields;
    context.cost = entry.cost;
    if (limits.areEnabled) await limits.chargeAddress(context, entry.limit, entry.cost);
    return entry.response;
  };
  return (context) => {
    if (context.request.url !== '/graphql' || !hasSmallJsonBody(context.request)) return false;
    void respondWith(context, () => responseTo(context));
    return true;
  };
}
