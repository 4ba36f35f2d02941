import { Router } from 'express';
import { ServiceError } from '../errors.js';
import { restErrorBody } from './error-response.js';
import { type HttpResponse, jsonResponse } from './http-response.js';
import { currentRequest } from './request-context.js';
import { responding } from './routing.js';

const healthy = jsonResponse(200, '{"status":"ok"}', { 'cache-control': 'no-store' });

/** `/livez`: the process responds. `/readyz`: it also has a database that it can use, and is not about to stop. */
export class HealthChecks {
  private isDraining = false;

  constructor(private readonly checkDatabase: () => Promise<unknown>) {}

  /** Makes `/readyz` fail, although requests are still handled (D252). */
  drain(): void {
    this.isDraining = true;
  }

  router(): Router {
    const router = Router();
    router.get(
      '/livez',
      responding(() => healthy),
    );
    router.get(
      '/readyz',
      responding(async () => {
        if (this.isDraining) return draining();
        await this.checkDatabase();
        return healthy;
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
