import type { RequestListener } from 'node:http';
import { type Logger, pino } from 'pino';
import { createRequestContext, runInRequest } from '../../src/server/request-context.js';

/** Gives each request a context, as the pipeline does, for tests of a part of the service. */
export const withRequestContext =
  (handler: RequestListener, log: Logger = pino({ level: 'silent' })): RequestListener =>
  (request, response) => {
    const common = { address: '127.0.0.1', log, commonHeaders: new Map() };
    runInRequest(createRequestContext(request, response, common), () => handler(request, response));
  };
