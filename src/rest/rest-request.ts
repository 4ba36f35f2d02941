import type { IncomingMessage } from 'node:http';
import type { RequestContext } from '../server/request-context.js';

/** A request to a route. */
export interface RestRequest {
  readonly context: RequestContext;
  /** The path of the URL, as it was sent. */
  readonly path: string;
  readonly params: { readonly [field: string]: unknown };
  readonly query: { readonly [field: string]: unknown };
  /** The bytes of the body, where it was read. */
  readonly body: unknown;
}

/** The successful result of an operation, as REST sends it and as an Idempotency-Key stores it. */
export interface RestResult {
  status: number;
  etag: string | null;
  json: string;
  /** True for a stored result. */
  replayed?: boolean;
}

/** Longer URLs are rare, and would fill the memory with keys. */
const maxUrlLength = 1_000;

/** Returns the URL of a read that has no body; null for other requests, and for a long URL. */
export const urlOfRead = ({ method, url = '', headers }: IncomingMessage): string | null =>
  (method === 'GET' || method === 'HEAD') &&
  url.length <= maxUrlLength &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined
    ? url
    : null;

/** Returns the key under which the response to a request may be cached; null for a request that is never cached. */
export const cacheKey = (request: IncomingMessage): string | null =>
  request.url?.startsWith('/api/apps') ? urlOfRead(request) : null;
