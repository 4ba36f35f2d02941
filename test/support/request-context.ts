import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Logger, pino } from 'pino';
import { ServiceError } from '../../src/errors.js';
import { createRequestContext, runInRequest } from '../../src/server/request-context.js';
import { respondWithError } from '../../src/server/respond.js';

/** Gives each request a context, as the pipeline does, for tests of a part of the service. */
export const withRequestContext =
  (
    handler: (request: IncomingMessage, response: ServerResponse, done: (error?: unknown) => void) => void,
    log: Logger = pino({ level: 'silent' }),
  ): RequestListener =>
  (request, response) => {
    const limits = { chargeDatabaseTime: () => undefined };
    const common = { address: '127.0.0.1', log, limits, commonHeaders: new Map() };
    const context = createRequestContext(request, response, common);
    // Express calls back without an error if no route has matched.
    const done = (error?: unknown) =>
      respondWithError(context, error ?? new ServiceError('NOT_FOUND', 'There is nothing here.'));
    runInRequest(context, () => handler(request, response, done));
  };
