import { type ApolloServer, HeaderMap } from '@apollo/server';
import type { ResponseCache } from '../cache/response-cache.js';
import { ServiceError } from '../errors.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { Context } from '../operations/context.js';
import { jsonBody } from '../server/body.js';
import type { RequestGuard } from '../server/cross-site.js';
import type { HttpResponse } from '../server/http-response.js';
import type { RequestContext } from '../server/request-context.js';
import type { DocumentGate } from './document-gate.js';
import type { Safelist } from './safelist.js';

interface GraphQLHandlerOptions {
  apollo: ApolloServer<Context>;
  contextOf: (request: RequestContext) => Context;
  limits: RateLimits;
  rejectCrossSite: RequestGuard;
  responses: ResponseCache;
  safelist: Safelist | null;
  gate: DocumentGate;
}

const allow = 'GET, POST, OPTIONS';
/** The parameters that Apollo reads from a query string. */
const parameters = new Set(['query', 'operationName', 'variables', 'extensions']);

/** Handles GraphQL requests, whether Express or the fast path has read their body. */
export class GraphQLHandler {
  constructor(private readonly options: GraphQLHandlerOptions) {}

  /** Charges the client's address for one request and rejects cross-site requests. The document's cost is charged later. */
  async admit(context: RequestContext): Promise<void> {
    context.door = 'graphql';
    await this.options.limits.chargeAddress(context, 'address');
    this.options.rejectCrossSite(context.request);
  }

  /** Returns the response to OPTIONS; rejects other methods than GET and POST. */
  checkMethod({ request: { method }, responseHeaders }: RequestContext): HttpResponse | null {
    if (method === 'GET' || method === 'POST') return null;
    responseHeaders.allow = allow;
    if (method === 'OPTIONS') return { status: 204, headers: { 'cache-control': 'no-store' } };
    throw new ServiceError('METHOD_NOT_ALLOWED', `${method} is not possible here. Use one of: ${allow}.`);
  }

  async handle(context: RequestContext, bytes: unknown): Promise<HttpResponse> {
    const { request } = context;
    // Parsed once, so that Apollo runs the document that was checked. The body of a GET is ignored.
    const search = request.method === 'POST' ? null : searchOf(request.url ?? '');
    const body = search ? Object.fromEntries(search) : jsonBody(request, bytes);
    await this.checkDocument(body.query, Buffer.isBuffer(bytes) ? bytes.length : (request.url ?? '').length);
    const key = documentKey(context, bytes);
    const store = key === null ? null : this.options.responses.begin(key);
    const callContext = this.options.contextOf(context);
    const result = await this.options.apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method: request.method ?? '',
        headers: headerMap(request.headers),
        search: search ? `?${search}` : '',
        body,
      },
      context: async () => callContext,
    });
    if (result.body.kind === 'chunked') throw new Error('this schema has no incremental delivery');
    const response: HttpResponse = {
      status: result.status ?? 200,
      headers: { 'cache-control': 'no-store', ...Object.fromEntries(result.headers) },
      body: result.body.string,
    };
    const { operation, fields, cost } = context;
    if (response.status === 200 && callContext.caching.isAllowed)
      store?.({ response, operation, fields, cost, limit: 'graphql' });
    return response;
  }

  /** Checks a document against the safelist and the limits before Apollo parses it. */
  private async checkDocument(query: unknown, length: number): Promise<void> {
    const { safelist, gate } = this.options;
    if (typeof query !== 'string' || query === '') return gate.chargeLength(length);
    safelist?.check(query);
    await gate.admit(query, length);
  }
}

/** Returns the key under which the response to a GraphQL request may be cached; null for a GET. */
export const documentKey = (
  { request: { headers, method } }: RequestContext,
  bytes: unknown,
): string | null =>
  method === 'POST' && Buffer.isBuffer(bytes) && bytes.length <= maxCachedRequestBytes
    ? `POST\n${headers.accept ?? ''}\n${headers['content-type']}\n${bytes.toString('latin1')}`
    : null;
const maxCachedRequestBytes = 8 * 1024;

/** Reads the parameters of a GET. A parameter that is given twice stays so, and Apollo rejects it. */
function searchOf(url: string): URLSearchParams {
  // Not by `new URL()`, which throws for an absolute URL with a malformed host or port.
  const [target = ''] = url.split('#', 1);
  const start = target.indexOf('?');
  const given = new URLSearchParams(start < 0 ? '' : target.slice(start));
  return new URLSearchParams([...given].filter(([name]) => parameters.has(name)));
}

function headerMap(headers: RequestContext['request']['headers']): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(', ') : value);
  return map;
}
