import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ParsedUrlQuery, parse as parseQuery } from 'node:querystring';
import type { RateLimits } from '../limits/rate-limits.js';
import type { HttpResponse } from './http-response.js';
import { currentRequest, type RequestContext, runInRequest } from './request-context.js';
import { presetHeaders, respondWith } from './respond.js';

declare global {
  namespace Express {
    interface Request {
      /** Set by the pipeline. */
      readonly context: RequestContext;
    }
  }
}

/** A request in a router of Express. There is no Express application, whose requests have `path`, `query` and more. */
export interface RoutedRequest extends IncomingMessage {
  readonly context: RequestContext;
  readonly params: { readonly [name: string]: unknown };
  /** The URL as it was sent. Within `use(path)`, `url` is only what follows the path. */
  readonly originalUrl: string;
}

/** A handler in a router of Express. */
export type Handler = (
  request: RoutedRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void | Promise<void>;

/** Makes a handler of a function that returns a response. */
export const responding =
  (handle: (request: RoutedRequest) => HttpResponse | Promise<HttpResponse>): Handler =>
  (request) =>
    void respondWith(request.context, async () => handle(request));

/** Lets all handlers after it, and everything that they start, run within the request. A cached response does without. */
export const requestScope: Handler = ({ context }, _response, next) => runInRequest(context, () => next());

/** A target may be a whole URL (RFC 9112, 3.2.2). */
const target = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/i;

/** Returns the path of a request's URL. */
export const pathOf = ({ url = '' }: IncomingMessage): string => target.exec(url)?.[1] ?? '';

/** Returns the query parameters of a request's URL. */
export function queryOf({ url = '' }: IncomingMessage): ParsedUrlQuery {
  const query = url.includes('?') ? target.exec(url)?.[2] : undefined;
  return query === undefined ? {} : parseQuery(query);
}

/** Everything that is not the API, by the first part of its path. */
const sitePaths = new Set([
  'livez',
  'readyz',
  'metrics',
  'docs',
  'playground',
  'market',
  'console',
  'desk',
  'web',
  'undo',
  'dev',
  '.well-known',
  'openapi.json',
  'schema.graphql',
  'robots.txt',
  'sitemap.xml',
  'sitemaps',
]);

/** Names requests to pages for the log and the metrics; only known names, since a path may hold anything. */
export const nameSiteRequest: Handler = (request, _response, next) => {
  const context = currentRequest();
  const part = pathOf(request).split('/', 2)[1] ?? '';
  if (part === '' || sitePaths.has(part)) context.operation = part || 'home';
  if (request.method === 'OPTIONS') presetHeaders(context);
  next();
};

/** Charges requests to pages and unknown paths. Requests to the API were charged there. */
export const chargePages =
  (limits: RateLimits): Handler =>
  async (request, _response, next) => {
    const context = currentRequest();
    if (context.door === 'site') await limits.chargeAddress(context, 'pages');
    if (request.method === 'OPTIONS') presetHeaders(context);
    next();
  };
