import type { RequestHandler } from 'express';
import { ServiceError } from '../errors.js';
import { jsonBody, readBody } from '../rest/body.js';

const allow = 'GET, POST, OPTIONS';

/** Questions may come by GET, everything by POST; all else is refused as REST does. No answer is anybody else's. */
const allowedMethods: RequestHandler = (req, res, next) => {
  res.set('cache-control', 'no-store');
  if (req.method === 'GET' || req.method === 'POST') return next();
  res.set('allow', allow);
  if (req.method === 'OPTIONS') return void res.status(204).end();
  throw new ServiceError('METHOD_NOT_ALLOWED', `${req.method} is not possible here. Use one of: ${allow}.`);
};

/** The body as REST reads it: one JSON object in UTF-8, so that there are no batches. A GET has none, whatever it sends. */
const strictBody: RequestHandler = (req, _res, next) => {
  req.body = req.method === 'POST' ? jsonBody(req) : {};
  next();
};

/** What comes before GraphQL: the method, the size, the type and the form of the body. */
export const transport: readonly RequestHandler[] = [allowedMethods, readBody, strictBody];
