import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pino } from 'pino';
import { createRequestContext, runInRequest } from '../../src/server/request-context.js';
import { respondWithError } from '../../src/server/respond.js';

/** Runs a part of the service in the context of each request, as the pipeline does for the whole. */
export const inRequest =
  (
    handler: (request: IncomingMessage, response: ServerResponse, done: (error: unknown) => void) => void,
  ): RequestListener =>
  (request, response) => {
    const common = { address: '127.0.0.1', log: pino({ level: 'silent' }), commonHeaders: new Map() };
    const context = createRequestContext(request, response, common);
    runInRequest(context, () => handler(request, response, (error) => respondWithError(context, error)));
  };
