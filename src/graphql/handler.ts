import { type ApolloServer, HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import Negotiator from 'negotiator';
import { charge, isPlainRead } from '../cache/cached-reads.js';
import type { ResponseCache } from '../cache/response-cache.js';
import { ServiceError } from '../errors.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { Context } from '../operations/context.js';
import { jsonBody, readBody } from '../server/body.js';
import type { RequestGuard } from '../server/cross-site.js';
import { type HttpResponse, publicReadHeaders } from '../server/http-response.js';
import { type RequestContext, runInRequest, startDeadline } from '../server/request-context.js';
import { pathOf, queryOf, type RoutedRequest } from '../server/routing.js';
import { traced } from '../tracing/tracing.js';
import type { DocumentGate } from './document-gate.js';
import { GraphQLIdempotency } from './idempotency.js';
import { searchOf } from './parameters.js';

interface GraphQLHandlerOptions {
  apollo: ApolloServer<Context>;
  contextOf: (request: RequestContext) => Context;
  limits: RateLimits;
  rejectCrossSite: RequestGuard;
  responses: ResponseCache;
  gate: DocumentGate;
  /** True if there is a playground. */
  playground: boolean;
}

const allow = 'GET, HEAD, POST, OPTIONS';

/** Handles GraphQL requests. */
export class GraphQLHandler {
  constructor(private readonly options: GraphQLHandlerOptions) {}

  async handle(request: RoutedRequest): Promise<HttpResponse> {
    const { responses, limits } = this.options;
    const { context } = request;
    await this.admit(context);
    const response = this.responseWithoutDocument(context);
    if (response) return response;
    const bytes = await readBody(request);
    if (bytes) startDeadline(context);
    const key = documentKey(request, bytes);
    const entry = key === null ? undefined : responses.find(key);
    if (entry) {
      await charge(context, entry, limits);
      return entry.response;
    }
    return runInRequest(context, () => this.run(request, bytes, key));
  }

  /** Charges the client's address for one request and rejects cross-site requests. The document's cost is charged later. */
  async admit(context: RequestContext): Promise<void> {
    context.door = 'graphql';
    await this.options.limits.chargeAddress(context, 'address');
    this.options.rejectCrossSite(context.request);
  }

  /** Returns the response to a browser and to OPTIONS; rejects methods that a document cannot be sent by. */
  private responseWithoutDocument({ request, responseHeaders }: RequestContext): HttpResponse | null {
    const { method } = request;
    if (method === 'POST') return null;
    if (method === 'GET' || method === 'HEAD')
      return this.options.playground && isBrowser(request) ? toPlayground : null;
    responseHeaders.allow = allow;
    if (method === 'OPTIONS') return { status: 204, headers: { 'cache-control': 'no-store' } };
    throw new ServiceError('METHOD_NOT_ALLOWED', `${method} is not possible here. Use one of: ${allow}.`);
  }

  private async run(
    request: RoutedRequest,
    bytes: Buffer | undefined,
    key: string | null,
  ): Promise<HttpResponse> {
    const { context } = request;
    rejectLongContentType(request.headers['content-type']);
    // Parsed once, so that Apollo runs the document that was checked. The body of a GET is ignored.
    const search = request.method === 'POST' ? null : searchOf(request.originalUrl);
    const body = search ? Object.fromEntries(search) : jsonBody(request, bytes);
    await this.options.gate.admit(body.query, bytes?.length ?? request.originalUrl.length);
    const store = key === null ? null : this.options.responses.begin(key);
    const callContext = this.options.contextOf(context);
    const { 'idempotency-key': idempotencyKey } = request.headers;
    if (idempotencyKey !== undefined)
      callContext.replays = (operation, input) =>
        new GraphQLIdempotency(operation, input, String(idempotencyKey), context);
    // `admission` gives the span its name.
    const response = await traced('GraphQL Operation', () =>
      this.execute(request, callContext, body, search),
    );
    const { operation, fields, cost } = context;
    if (response.status === 200 && callContext.caching.isAllowed)
      store?.({ response, door: 'graphql', operation, fields, cost, limit: 'graphql' });
    return response;
  }

  private async execute(
    request: RoutedRequest,
    callContext: Context,
    body: Record<string, unknown>,
    search: URLSearchParams | null,
  ): Promise<HttpResponse> {
    const httpGraphQLRequest = {
      method: search ? 'GET' : 'POST',
      headers: headersForApollo(request),
      search: search ? `?${search}` : '',
      body,
    };
    const result = await this.options.apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest,
      context: async () => callContext,
    });
    if (result.body.kind === 'chunked') throw new Error('this schema has no incremental delivery');
    return httpResponse(result, result.body.string, search !== null && callContext.caching.isPublic);
  }
}

/** A person who opens `/graphql` in a browser is sent to the playground. */
function isBrowser(request: RequestContext['request']): boolean {
  const { query, extensions } = queryOf(request);
  // Within `/graphql` the path is what follows it.
  if (query || extensions || pathOf(request) !== '/') return false;
  return new Negotiator(request).mediaType(['application/json', 'text/html']) === 'text/html';
}
const toPlayground: HttpResponse = {
  status: 302,
  headers: { location: 'playground', vary: 'Accept', 'content-type': 'text/plain; charset=utf-8' },
  body: 'Found. Redirecting to playground',
};

/** Responses by GET to everyone alike have the caching headers of REST; all others are `no-store` (D109). */
function httpResponse(
  { status = 200, headers }: Pick<HTTPGraphQLResponse, 'status' | 'headers'>,
  body: string,
  isPublicRead: boolean,
): HttpResponse {
  const caching =
    isPublicRead && status === 200
      ? // The same body in another content type is another representation.
        { ...publicReadHeaders(`${headers.get('content-type')}\n${body}`), vary: 'Accept' }
      : { 'cache-control': 'no-store' };
  return { status, headers: { ...Object.fromEntries(headers), ...caching }, body };
}

const maxCachedLength = 8 * 1024;

/** Returns the key under which the response to a GraphQL request may be cached; null for one that is never cached. */
function documentKey(request: RoutedRequest, bytes: Buffer | undefined): string | null {
  const isPost = request.method === 'POST';
  const text = isPost ? bytes : isPlainRead(request) ? request.originalUrl : undefined;
  if (text === undefined || text.length > maxCachedLength) return null;
  const { accept = '', 'content-type': type = '' } = request.headers;
  return `${isPost ? 'POST' : 'GET'}\n${accept}\n${type}\n${text.toString('latin1')}`;
}

/** Apollo parses the header with an expression that takes a second for 16 KB of blanks. */
function rejectLongContentType(contentType = ''): void {
  if (contentType.length <= maxContentTypeLength) return;
  throw new ServiceError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The header Content-Type has more than ${maxContentTypeLength} characters. Send "Content-Type: application/json".`,
  );
}
const maxContentTypeLength = 200;

/** Returns the headers that Apollo reads. */
function headersForApollo({ headers }: RoutedRequest): HeaderMap {
  const map = new HeaderMap();
  for (const name of ['accept', 'content-type'] as const)
    if (headers[name] !== undefined) map.set(name, headers[name]);
  return map;
}
