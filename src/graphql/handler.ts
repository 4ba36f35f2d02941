import { type ApolloServer, HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import type { ResponseCache } from '../cache/response-cache.js';
import { ServiceError } from '../errors.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { Context } from '../operations/context.js';
import { jsonBody } from '../server/body.js';
import type { RequestGuard } from '../server/cross-site.js';
import { type HttpResponse, publicReadHeaders } from '../server/http-response.js';
import type { RequestContext } from '../server/request-context.js';
import { traced } from '../tracing/tracing.js';
import { type AdmissionOptions, admitOperation, decideCaching } from './admission.js';
import type { DocumentGate } from './document-gate.js';
import type { RunOperation } from './executor.js';
import type { KnownDocuments, KnownOperation } from './known-documents.js';
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
  schema: GraphQLSchema;
  known: KnownDocuments;
  run: RunOperation;
  admission: AdmissionOptions;
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
    const known = this.options.known.find(request, body);
    const length = Buffer.isBuffer(bytes) ? bytes.length : url.length;
    if (known) await this.options.gate.chargeLength(length);
    else await this.checkDocument(body.query, length);
    const key = known?.operation.operation === 'mutation' ? null : documentKey(context, bytes, url);
    const store = key === null ? null : this.options.responses.begin(key);
    const callContext = this.options.contextOf(context);
    // `admission` gives the span its name.
    const response = await traced(
      'GraphQL Operation',
      async () =>
        (known && (await this.runKnown(known, callContext, body))) ??
        this.runByApollo(context, callContext, body, search),
    );
    const { operation, fields, cost } = context;
    if (response.status === 200 && callContext.caching.isAllowed)
      store?.({ response, operation, fields, cost, limit: 'graphql' });
    return response;
  }

  /** Runs an operation that Apollo has run before. An outcome with an error is left to Apollo, which formats it: null. */
  private async runKnown(
    { document, operation, headers }: KnownOperation,
    callContext: Context,
    body: Record<string, unknown>,
  ): Promise<HttpResponse | null> {
    const { schema, run, admission } = this.options;
    const variables = (body.variables ?? {}) as Record<string, unknown>;
    try {
      await admitOperation({ schema, document, operation, variables }, callContext, admission);
    } catch (refusal) {
      callContext.outcome = { refusal };
      return null;
    }
    try {
      const result = await run(document, operation, variables, callContext);
      if (result.errors === undefined) {
        decideCaching(document, operation, callContext);
        return { status: 200, headers, body: `${JSON.stringify({ data: result.data })}\n` };
      }
      callContext.outcome = { result };
    } catch (failure) {
      callContext.outcome = { failure };
    }
    return null;
  }

  private async runByApollo(
    context: RequestContext,
    callContext: Context,
    body: Record<string, unknown>,
    search: URLSearchParams | null,
  ): Promise<HttpResponse> {
    const { request } = context;
    const httpGraphQLRequest = {
      method: search ? 'GET' : 'POST',
      headers: headerMap(request.headers),
      search: search ? `?${search}` : '',
      body,
    };
    const result = await this.options.apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest,
      context: async () => callContext,
    });
    if (result.body.kind === 'chunked') throw new Error('this schema has no incremental delivery');
    const text = result.body.string;
    const response = httpResponse(result, text, search !== null && callContext.caching.isPublic);
    // Errors would come first.
    if (response.status === 200 && text.startsWith('{"data":'))
      this.options.known.add(request, body, response.headers);
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
