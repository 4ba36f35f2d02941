import type { IncomingMessage } from 'node:http';
import type { Config } from '../config.js';
import { ServiceError } from '../errors.js';
import { originMatcher } from './origins.js';

/** Throws for a request that must not be handled. */
export type RequestGuard = (request: IncomingMessage) => void;

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
const json = /^\s*application\/json\s*(?:;|$)/i;

/** Returns the host name of a `Host` header or an origin, as browsers spell it; null where there is none. */
export function hostnameOf(host: string | undefined): string | null {
  if (!host) return null;
  const url = host.includes('://') ? host : `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') || null : null;
}

/**
 * Rejects mutations that a page of another site sends without a JSON body (D102): a plain form can send those without
 * permission, while for JSON the browser sends a CORS preflight first. Origins in CORS_ORIGINS are trusted, and outside
 * production those of this machine.
 */
export function crossSiteGuard(
  config: Pick<Config, 'corsOrigins' | 'production'>,
  publicUrl: string,
): RequestGuard {
  const isTrusted = originMatcher(config);
  const publicHostname = hostnameOf(publicUrl);
  const isFromAnotherSite = ({ headers }: IncomingMessage): boolean => {
    const { origin, host, 'sec-fetch-site': site } = headers;
    if (isTrusted(origin)) return false;
    if (site !== undefined) return String(site).includes('cross-site');
    // Browsers do not send Sec-Fetch-Site over plain HTTP, but they send Origin.
    if (origin === undefined) return false;
    const hostname = hostnameOf(origin);
    return hostname === null || (hostname !== hostnameOf(host) && hostname !== publicHostname);
  };
  return (request) => {
    if (safeMethods.has(request.method ?? '') || json.test(request.headers['content-type'] ?? '')) return;
    if (isFromAnotherSite(request))
      throw new ServiceError(
        'FORBIDDEN',
        'A page of another site may change something only by a request with "Content-Type: application/json", from an origin in CORS_ORIGINS.',
      );
  };
}
