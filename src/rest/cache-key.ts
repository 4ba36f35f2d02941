import type { IncomingMessage } from 'node:http';

/** Longer URLs are rare, and would fill the memory with keys. */
const maxUrlLength = 1_000;

/** Returns the key under which the response to a request may be cached; null for a request that is never cached. */
export const cacheKey = ({ method, url = '', headers }: IncomingMessage): string | null =>
  (method === 'GET' || method === 'HEAD') &&
  url.startsWith('/api/apps') &&
  url.length <= maxUrlLength &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined
    ? url
    : null;
