import cors from 'cors';
import express, { type Express } from 'express';
import type { Config } from '../config.js';
import { arriveAtSite } from './arrival.js';
import type { Headers } from './security-headers.js';

/** What browser applications of other origins may read. Never pages: in development those hold tokens and mails. */
const readByOthers = ['/api', '/graphql', '/openapi.json', '/schema.graphql', '/.well-known'];

/** Express with what every answer has, whatever it answers. */
export function foundations(
  { trustProxy, corsOrigins }: Pick<Config, 'trustProxy' | 'corsOrigins'>,
  headers: Headers,
): Express {
  const handler = express();
  handler.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  if (trustProxy !== null) handler.set('trust proxy', trustProxy);
  handler.use(arriveAtSite, (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  });
  if (corsOrigins.length > 0) {
    const origin = corsOrigins.includes('*') ? '*' : [...corsOrigins];
    handler.use(
      readByOthers,
      cors({
        origin,
        exposedHeaders: [
          ...['ratelimit', 'ratelimit-policy', 'retry-after'],
          ...['etag', 'link', 'x-request-id', 'x-ignored-fields', 'www-authenticate', 'x-api-key-expires'],
          ...['idempotent-replayed', 'deprecation', 'sunset'],
        ],
      }),
    );
  }
  return handler;
}
