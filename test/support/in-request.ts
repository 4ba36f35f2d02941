import type { RequestListener } from 'node:http';
import { pino } from 'pino';
import { createRequestContext, runInRequest } from '../../src/server/request-context.js';

/** Runs a part of the service in the context of each request, as the pipeline does for the whole. */
export const inRequest =
  (handler: RequestListener): RequestListener =>
  (request, response) => {
    const common = { address: '127.0.0.1', log: pino({ level: 'silent' }), commonHeaders: new Map() };
    runInRequest(createRequestContext(request, response, common), () => handler(request, response));
  };
