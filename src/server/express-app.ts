import express, { type Express, type Request, type RequestHandler } from 'express';
import type { Config } from '../config.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { HttpResponse } from './http-response.js';
import { currentRequest } from './request-context.js';
import { respond } from './respond.js';

/** Creates the Express application. It routes and reads bodies; `respond()` writes the responses. */
export function createExpressApp({ trustProxy }: Pick<Config, 'trustProxy'>): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  if (trustProxy !== null) app.set('trust proxy', trustProxy);
  return app.use(nameSiteRequest, prepareOptions);
}

/** Makes an Express handler of a function that returns a response. */
export const responding =
  (handle: (request: Request) => HttpResponse | Promise<HttpResponse>): RequestHandler =>
  async (request) =>
    respond(currentRequest(), await handle(request));

/** Everything that is not the API, by the first part of its path. */
const sitePaths = new Set([
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

/** Names requests to pages for the log and the metrics; only known names, since a path may hold anything. */
const nameSiteRequest: RequestHandler = (request, _response, next) => {
  const part = request.path.split('/', 2)[1] ?? '';
  if (part === '' || sitePaths.has(part)) currentRequest().operation = part || 'home';
  next();
};

/** Express responds to OPTIONS by itself where a router has no handler for it; the response has the common headers too. */
const prepareOptions: RequestHandler = ({ method }, response, next) => {
  if (method === 'OPTIONS') {
    const { id, commonHeaders } = currentRequest();
    response.setHeader('x-request-id', id).setHeader('cache-control', 'no-store');
    for (const [name, value] of commonHeaders) response.setHeader(name, value);
  }
  next();
};

/** Charges requests to pages and unknown paths. Requests to the API were charged there. */
export const chargePages =
  (limits: RateLimits): RequestHandler =>
  async (_request, _response, next) => {
    const context = currentRequest();
    if (context.door === 'site') await limits.chargeAddress(context, 'pages');
    next();
  };
