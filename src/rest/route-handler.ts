import type { CompleteResponse, ResponseCache } from '../cache/response-cache.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { call, callOnce } from '../operations/call.js';
import type { Context } from '../operations/context.js';
import { limitClassOf } from '../operations/limit-class.js';
import { jsonBody, readBody } from '../server/body.js';
import type { RequestGuard } from '../server/cross-site.js';
import { encoded, type HttpResponse, jsonResponse, publicReadHeaders } from '../server/http-response.js';
import { type RequestContext, startDeadline } from '../server/request-context.js';
import { pathOf, queryOf, type RoutedRequest } from '../server/routing.js';
import { deprecationHeaders, expectedRevisions, fieldList, pageLinks } from './headers.js';
import { RestIdempotency } from './idempotency.js';
import { coerceQuery } from './query.js';
import type { RestRequest, RestResult } from './rest-request.js';
import type { Route } from './route.js';
import { serializer } from './serializer.js';

/** The parts of the service that routes use. */
export interface RestOptions {
  contextOf: (request: RequestContext) => Context;
  limits: RateLimits;
  rejectCrossSite: RequestGuard;
  /** The service's address for clients, used in links. */
  publicUrl: string;
  responses: ResponseCache;
}

/** Handles the requests of one route. */
export class RouteHandler {
  private readonly toJson: (value: unknown) => string;
  private readonly limit;

  constructor(
    readonly route: Route,
    private readonly options: RestOptions,
  ) {
    this.toJson = serializer(route.outputType);
    this.limit = route.isPublic ? limitClassOf(route.operation) : 'address';
  }

  /** Charges the client's address and rejects cross-site requests before the body is read. */
  async handle(request: RoutedRequest): Promise<HttpResponse> {
    const { route, limit, options } = this;
    const { context } = request;
    context.door = 'rest';
    context.operation = route.name;
    await options.limits.chargeAddress(context, limit);
    options.rejectCrossSite(request);
    const body = route.takesBody ? await readBody(request) : undefined;
    if (body) startDeadline(context);
    return this.run({
      context,
      path: pathOf(request),
      params: request.params,
      query: queryOf(request),
      body,
    });
  }

  private async run(request: RestRequest): Promise<HttpResponse> {
    const { route, options } = this;
    const { operation } = route;
    const { responseHeaders, request: message, cacheKey } = request.context;
    if (operation.deprecated) Object.assign(responseHeaders, deprecationHeaders(operation.deprecated));
    const store = operation.cached && cacheKey !== null ? options.responses.begin(cacheKey) : null;
    const { input, ignored } = this.inputOf(request);
    if (ignored.length > 0) responseHeaders['x-ignored-fields'] = fieldList(ignored);
    const idempotencyKey = route.method === 'POST' ? message.headers['idempotency-key'] : undefined;
    if (idempotencyKey !== undefined) {
      const replays = new RestIdempotency(route, request, String(idempotencyKey), (result) =>
        this.resultOf(result),
      );
      return this.responseTo(await callOnce(operation, options.contextOf(request.context), input, replays));
    }
    const result = await call(operation, options.contextOf(request.context), input);
    const response = this.responseTo(this.resultOf(result), this.linksTo(request, result));
    store?.(this.entryOf(request.context, response));
    return response;
  }

  private entryOf(
    { responseHeaders, fields, cost }: RequestContext,
    response: HttpResponse,
  ): CompleteResponse {
    const headers = { ...responseHeaders, ...response.headers };
    return {
      response: { ...response, headers },
      door: 'rest',
      operation: this.route.name,
      fields,
      cost,
      limit: this.limit,
    };
  }

  /** Collects the input from query, headers, body and path; the path wins. Published fields that are no input are set aside. */
  private inputOf({ context, params, query, body }: RestRequest) {
    const { operation, bodyFields, published, queryFields, pathFields, takesIfMatch } = this.route;
    const isIgnored = (field: string) =>
      !bodyFields.includes(field) && (operation.unknownFields === 'ignore' || published.has(field));
    const ignored: string[] = [];
    // An object of entries: a body may have tens of thousands of fields, and one of them may be `__proto__`.
    const fields = Object.entries(coerceQuery(operation.input.shape, queryFields, query));
    if (takesIfMatch) fields.push(...Object.entries(expectedRevisions(context.request.headers['if-match'])));
    for (const field of Object.entries(jsonBody(context.request, body))) {
      if (isIgnored(field[0])) ignored.push(field[0]);
      else fields.push(field);
    }
    for (const field of pathFields) fields.push([field, params[field]]);
    return { input: Object.fromEntries(fields) as Record<string, unknown>, ignored };
  }

  private resultOf(result: unknown): RestResult {
    const { status = 200, revision, collection } = this.route.operation;
    const json = this.toJson(result);
    return {
      status: typeof status === 'function' ? status(result) : status,
      etag: revision ? `"${revision(result)}"` : null,
      json: collection ? `{${JSON.stringify(collection)}:${json}}` : json,
    };
  }

  /** Public reads can be revalidated by their ETag. Private responses are `no-store`, and so never a 304. */
  private responseTo({ status, etag, json, replayed }: RestResult, headers: HttpResponse['headers'] = {}) {
    const isPublicRead = this.route.isPublic && this.route.method === 'GET';
    const body = encoded(json);
    return jsonResponse(status, body, {
      ...headers,
      ...(etag && { etag }),
      ...(replayed && { 'idempotent-replayed': 'true' }),
      ...(isPublicRead && publicReadHeaders(body)),
      ...(!this.route.isPublic && { 'cache-control': 'no-store' }),
    });
  }

  private linksTo({ path, query }: RestRequest, result: unknown): HttpResponse['headers'] {
    const { operation, queryFields } = this.route;
    if (!operation.pagination) return {};
    const links = pageLinks(
      { path, query },
      this.options.publicUrl,
      queryFields,
      operation.pagination(result),
    );
    return links ? { link: links } : {};
  }
}
