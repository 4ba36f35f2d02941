import type { RequestHandler } from 'express';
import type { Route } from '../rest/route.js';
import { theExchange } from './exchange.js';
import { limitOf, type RateLimits } from './rate-limits.js';

/** Before anything else a request to REST is named, and its address charged; null: no operation is there. */
export const arriveAtRest =
  (limits: RateLimits, route: Route | null): RequestHandler =>
  async (_req, _res, next) => {
    const exchange = theExchange();
    exchange.door = 'rest';
    exchange.operation = route?.name ?? 'unknown';
    await limits.chargeAddress(exchange, route?.isPublic ? limitOf(route.operation) : 'address');
    next();
  };

/** What a document costs is known only once it is read; until then it counts as one request. */
export const arriveAtGraphQL =
  (limits: RateLimits): RequestHandler =>
  async (_req, _res, next) => {
    const exchange = theExchange();
    exchange.door = 'graphql';
    await limits.chargeAddress(exchange, 'address');
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
