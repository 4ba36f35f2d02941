import type { Request, RequestHandler } from 'express';
import { ServiceError } from '../errors.js';
import { jsonBody, readBody } from '../server/body.js';
import type { DocumentGate } from './document-gate.js';
import type { Safelist } from './safelist.js';

const allow = 'GET, POST, OPTIONS';

/** Accepts GET and POST; rejects other methods as REST does. Responses are not shared. */
const allowedMethods: RequestHandler = (req, res, next) => {
  res.set('cache-control', 'no-store');
  if (req.method === 'GET' || req.method === 'POST') return next();
  res.set('allow', allow);
  if (req.method === 'OPTIONS') return void res.status(204).end();
  throw new ServiceError('METHOD_NOT_ALLOWED', `${req.method} is not possible here. Use one of: ${allow}.`);
};

/** What Apollo reads of a query string. */
const parameters = new Set(['query', 'operationName', 'variables', 'extensions']);

/**
 * The parameters of a GET. The request's URL is written anew from what was read here, so that Apollo, which parses it
 * again, runs the text that was checked; it rejects a parameter that is given twice.
 */
function readSearch(req: Request): Record<string, string> {
  const given = new URL(req.url, 'http://localhost').searchParams;
  const read = [...given].filter(([name]) => parameters.has(name));
  req.url = `/?${new URLSearchParams(read)}`;
  return Object.fromEntries(read);
}

/** Reads a request once and holds its document to the safelist and the limits. */
const checkDocument =
  (safelist: Safelist | null, gate: DocumentGate): RequestHandler =>
  async (req, _res, next) => {
    const bytes: unknown = req.body;
    const length = Buffer.isBuffer(bytes) ? bytes.length : req.url.length;
    // As REST reads it: one JSON object in UTF-8, so that there are no batches. The body of a GET is ignored.
    const read = req.method === 'POST' ? jsonBody(req) : readSearch(req);
    const { query } = read;
    req.body = read;
    if (typeof query === 'string' && query !== '') {
      safelist?.check(query);
      await gate.admit(query, length);
    } else await gate.chargeLength(length);
    next();
  };

/** Everything that comes before Apollo: the method, the size, type and form of the body, the safelist, the limits. */
export const transport = (safelist: Safelist | null, gate: DocumentGate): RequestHandler[] => [
  allowedMethods,
  readBody,
  checkDocument(safelist, gate),
];
