import type { RequestListener } from 'node:http';
import type { Router } from 'express';
import { type Logger, pino } from 'pino';
import { ServiceError } from '../../src/errors.js';
import { createRequestContext, runInRequest } from '../../src/server/request-context.js';
import { respondWithError } from '../../src/server/respond.js';

/** Gives each request a context, as the pipeline does, for tests of a part of the service. */
export const withRequestContext =
  (router: Router, log: Logger = pino({ level: 'silent' })): RequestListener =>
  (request, response) => {
    const limits = { chargeDatabaseTime: () => undefined };
    const common = { address: '127.0.0.1', log, limits, commonHeaders: new Map(), requestMs: 12_000 };
    const context = createRequestContext(request, response, common);
    // The router calls back without an error if no route has matched.
    const done = (error?: unknown) =>
      respondWithError(context, error ?? new ServiceError('NOT_FOUND', 'There is nothing here.'));
    runInRequest(context, () =>
      router(Object.assign(request, { context }) as never, response as never, done),
    );
  };
