import { type ApolloServer, HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import type { ResponseCache } from '../cache/response-cache.js';
import { ServiceError } from '../errors.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { Context } from '../operations/context.js';
import { jsonBody } from '../server/body.js';
import type { RequestGuard } from '../server/cross-site.js';
import { type HttpResponse, publicReadHeaders } from '../server/http-response.js';
import type { RequestContext } from '../server/request-context.js';
import { traced } from '../tracing/tracing.js';
import type { DocumentGate } from './document-gate.js';
import { searchOf } from './parameters.js';
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

const allow = 'GET, HEAD, POST, OPTIONS';

/** Handles GraphQL requests, whether Express or the fast path has read their body. */
export class GraphQLHandler {
  constructor(private readonly options: GraphQLHandlerOptions) {}

  /** Charges the client's address for one request and rejects cross-site requests. The document's cost is charged later. */
  async admit(context: RequestContext): Promise<void> {
    context.door = 'graphql';
    await this.options.limits.chargeAddress(context, 'address');
    this.options.rejectCrossSite(context.request);
  }

  /** Returns the response to OPTIONS; rejects methods that a document cannot be sent by. */
  checkMethod({ request: { method }, responseHeaders }: RequestContext): HttpResponse | null {
    if (method === 'GET' || method === 'HEAD' || method === 'POST') return null;
    responseHeaders.allow = allow;
    if (method === 'OPTIONS') return { status: 204, headers: { 'cache-control': 'no-store' } };
    throw new ServiceError('METHOD_NOT_ALLOWED', `${method} is not possible here. Use one of: ${allow}.`);
  }

  /** `url` is the whole one: Express takes the path of the router away from the request's own. */
  async handle(context: RequestContext, bytes: unknown, url: string): Promise<HttpResponse> {
    const { request } = context;
    rejectLongContentType(request.headers['content-type']);
    // Parsed once, so that Apollo runs the document that was checked. The body of a GET is ignored.
    const search = request.method === 'POST' ? null : searchOf(url);
    const body = search ? Object.fromEntries(search) : jsonBody(request, bytes);
    await this.checkDocument(body.query, Buffer.isBuffer(bytes) ? bytes.length : url.length);
    const key = documentKey(context, bytes, url);
    const store = key === null ? null : this.options.responses.begin(key);
    const callContext = this.options.contextOf(context);
    const httpGraphQLRequest = {
      method: search ? 'GET' : 'POST',
      headers: headerMap(request.headers),
      search: search ? `?${search}` : '',
      body,
    };
    // `admission` gives the span its name.
    const result = await traced('GraphQL Operation', () =>
      this.options.apollo.executeHTTPGraphQLRequest({ httpGraphQLRequest, context: async () => callContext }),
    );
    if (result.body.kind === 'chunked') throw new Error('this schema has no incremental delivery');
    const { isPublic, isAllowed } = callContext.caching;
    const response = httpResponse(result, result.body.string, search !== null && isPublic);
    const { operation, fields, cost } = context;
    if (response.status === 200 && isAllowed)
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

/** Responses by GET to everyone alike have the caching headers of REST; all others are `no-store` (D109). */
function httpResponse(
  { status = 200, headers }: Pick<HTTPGraphQLResponse, 'status' | 'headers'>,
  body: string,
  isPublicRead: boolean,
): HttpResponse {
  // A rejected `Accept` header is noticed after execution.
  const caching =
    isPublicRead && status === 200
      ? // The same body in another content type is another representation.
        { ...publicReadHeaders(`${headers.get('content-type')}\n${body}`), vary: 'Accept' }
      : { 'cache-control': 'no-store' };
  return { status, headers: { ...Object.fromEntries(headers), ...caching }, body };
}

/** Returns the key under which the response to a GraphQL request may be cached; null for one that is never cached. */
export function documentKey({ request }: RequestContext, bytes: unknown, url: string): string | null {
  const text = request.method === 'POST' ? bodyText(bytes) : isPlainRead(request, url) ? url : null;
  if (text === null || text.length > maxCachedLength) return null;
  const { accept = '', 'content-type': type = '' } = request.headers;
  return `${request.method === 'POST' ? 'POST' : 'GET'}\n${accept}\n${type}\n${text}`;
}
const maxCachedLength = 8 * 1024;

const bodyText = (bytes: unknown) =>
  Buffer.isBuffer(bytes) && bytes.length <= maxCachedLength ? bytes.toString('latin1') : null;

const isPlainRead = ({ method, headers }: RequestContext['request'], url: string) =>
  (method === 'GET' || method === 'HEAD') &&
  url.startsWith('/graphql?') &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined;

/** Apollo parses the header with an expression that takes a second for 16 KB of blanks. */
function rejectLongContentType(contentType = ''): void {
  if (contentType.length <= maxContentTypeLength) return;
  throw new ServiceError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The header Content-Type has more than ${maxContentTypeLength} characters. Send "Content-Type: application/json".`,
  );
}
const maxContentTypeLength = 200;

function headerMap(headers: RequestContext['request']['headers']): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(', ') : value);
  return map;
}
