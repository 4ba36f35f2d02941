import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';
import type { Config } from '../config.js';
import { allowedOrigins } from './origins.js';
import type { CorsHeaders } from './request-context.js';
import { respond } from './respond.js';
import type { Handler } from './routing.js';

/** The paths that pages of other origins may read. Never our own pages: in development those hold tokens and mails. */
const readableByOthers =
  /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?\/(?:api|graphql|openapi\.json|schema\.graphql|\.well-known)(?=[/?#]|$)/i;

/** Most services have a few origins. In development every port of this machine is one. */
const maxOrigins = 100;

/** Decides the CORS headers of a request, once for each origin, and responds to preflight requests. */
export function corsHeaders(config: Pick<Config, 'corsOrigins' | 'production'>): Handler {
  const allowed = allowedOrigins(config);
  if (allowed.length === 0) return (_request, _response, next) => next();
  const isAnyAllowed = allowed.includes('*');
  // Never with credentials: browsers would send cookies, and this service has none.
  const setHeaders = cors({
    origin: isAnyAllowed ? '*' : [...allowed],
    preflightContinue: true,
    exposedHeaders: [
      ...['ratelimit', 'ratelimit-policy', 'retry-after'],
      ...['etag', 'link', 'x-request-id', 'x-ignored-fields', 'www-authenticate', 'x-api-key-expires'],
      ...['allow', 'idempotent-replayed', 'deprecation', 'sunset'],
    ],
  });
  const forOthers = headersSetBy(setHeaders, { method: 'GET', headers: {} });
  const byOrigin = new Map<string, CorsHeaders>();
  const headersFor = ({ method, headers }: IncomingMessage): CorsHeaders => {
    const { origin } = headers;
    if (method === 'OPTIONS') return headersSetBy(setHeaders, { method, headers });
    if (origin === undefined || isAnyAllowed) return forOthers;
    const known = byOrigin.get(origin);
    if (known) return known;
    const decided = headersSetBy(setHeaders, { method: 'GET', headers: { origin } });
    if (!('access-control-allow-origin' in decided)) return forOthers;
    if (byOrigin.size < maxOrigins) byOrigin.set(origin, decided);
    return decided;
  };
  return (request, _response, next) => {
    const { context } = request;
    if (readableByOthers.test(request.url ?? '')) context.cors = headersFor(request);
    if (request.method === 'OPTIONS' && 'access-control-allow-origin' in context.cors)
      respond(context, { status: 204, headers: {} });
    else next();
  };
}

/** Returns the headers that the middleware sets for a request. */
function headersSetBy(
  setHeaders: ReturnType<typeof cors>,
  request: Pick<IncomingMessage, 'method' | 'headers'>,
): CorsHeaders {
  const headers: Record<string, string> = {};
  const response = {
    getHeader: (name: string) => headers[name.toLowerCase()],
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
  };
  setHeaders(request as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}
