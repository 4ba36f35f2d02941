import express, { type Express, type Request, type RequestHandler } from 'express';
import type { Config } from '../config.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { HttpResponse } from './http-response.js';
import { currentRequest } from './request-context.js';
import { presetHeaders, respond } from './respond.js';

/** Creates the Express application. It routes and reads bodies; `respond()` writes the responses. */
export function createExpressApp({ trustProxy }: Pick<Config, 'trustProxy'>): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  if (trustProxy !== null) app.set('trust proxy', trustProxy);
  return app.use(nameSiteRequest);
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
  'market',
  'console',
  'desk',
  'web',
  'undo',
  'dev',
  '.well-known',
  'openapi.json',
  'schema.graphql',
]);

/** Names requests to pages for the log and the metrics; only known names, since a path may hold anything. */
const nameSiteRequest: RequestHandler = (request, _response, next) => {
  const context = currentRequest();
  const part = request.path.split('/', 2)[1] ?? '';
  if (part === '' || sitePaths.has(part)) context.operation = part || 'home';
  if (request.method === 'OPTIONS') presetHeaders(context);
  next();
};

/** Charges requests to pages and unknown paths. Requests to the API were charged there. */
export const chargePages =
  (limits: RateLimits): RequestHandler =>
  async (request, _response, next) => {
    const context = currentRequest();
    if (context.door === 'site') await limits.chargeAddress(context, 'pages');
    if (request.method === 'OPTIONS') presetHeaders(context);
    next();
  };
