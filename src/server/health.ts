import { Router } from 'express';
import { ServiceError } from '../errors.js';
import { restErrorBody } from './error-response.js';
import { type HttpResponse, jsonResponse } from './http-response.js';
import { currentRequest } from './request-context.js';
import { responding } from './routing.js';
import { version } from './version.js';

const healthy = (facts = {}) =>
  jsonResponse(200, JSON.stringify({ status: 'ok', ...facts }), { 'cache-control': 'no-store' });

/** `/livez`: the process responds, with its release. `/readyz`: it also has a database that it can use, and is not about to stop. */
export class HealthChecks {
  private isDraining = false;

  constructor(private readonly checkDatabase: () => Promise<unknown>) {}

  /** Makes `/readyz` fail, although requests are still handled (D252). */
  drain(): void {
    this.isDraining = true;
  }

  router(): Router {
    const router = Router();
    const alive = healthy({ version: version() });
    const ready = healthy();
    router.get(
      '/livez',
      responding(() => alive),
    );
    router.get(
      '/readyz',
      responding(async () => {
        if (this.isDraining) return draining();
        await this.checkDatabase();
        return ready;
      }),
    );
    return router;
  }
}

/** Expected in every deployment, so not logged as an error. */
function draining(): HttpResponse {
  const context = currentRequest();
  const error = new ServiceError('UNAVAILABLE', 'This server is stopping. Send requests to another one.');
  context.code = error.code;
  return jsonResponse(503, restErrorBody(error, context.id), {
    'cache-control': 'no-store',
    'retry-after': '1',
  });
}
