import type { RequestHandler } from 'express';
import { limitOf, type RateLimits } from '../limits/rate-limits.js';
import type { Route } from '../rest/route.js';
import type { RequestGuard } from './cross-site.js';
import { theExchange } from './request-context.js';

/** What comes before everything else at both doors. */
interface Arrival {
  limits: RateLimits;
  /** Rejects changes that a page of another site sends unasked. */
  refuseCrossSite: RequestGuard;
}

/** Before anything else a request to REST is named, and its address charged; null: no operation is there. */
export const arriveAtRest =
  ({ limits, refuseCrossSite }: Arrival, route: Route | null): RequestHandler =>
  async (req, _res, next) => {
    const exchange = theExchange();
    exchange.door = 'rest';
    exchange.operation = route?.name ?? 'unknown';
    await limits.chargeAddress(exchange, route?.isPublic ? limitOf(route.operation) : 'address');
    refuseCrossSite(req);
    next();
  };

/** What a document costs is known only once it is read; until then it counts as one request. */
export const arriveAtGraphQL =
  ({ limits, refuseCrossSite }: Arrival): RequestHandler =>
  async (req, _res, next) => {
    const exchange = theExchange();
    exchange.door = 'graphql';
    await limits.chargeAddress(exchange, 'address');
    refuseCrossSite(req);
    next();
  };

/** Charges a request for a page, or for what does not exist. What the API did not answer was charged there. */
export const arriveAtPages =
  (limits: RateLimits): RequestHandler =>
  async (_req, _res, next) => {
    const exchange = theExchange();
    if (exchange.door === 'site') await limits.chargeAddress(exchange, 'pages');
    next();
  };

const pages = new Set([
  'livez',
  'readyz',
  'metrics',
  'docs',
  'playground',
  'dev',
  '.well-known',
  'openapi.json',
  'schema.graphql',
]);

/**
 * The first to see a request: its answer says its id. Pages are named by the first part of their address, if that is one
 * we know, since an address may hold anything.
 */
export const arriveAtSite: RequestHandler = (req, res, next) => {
  const exchange = theExchange();
  res.setHeader('x-request-id', exchange.id);
  const part = req.path.split('/', 2)[1] ?? '';
  if (part === '' || pages.has(part)) exchange.operation = part || 'home';
  next();
};
