import { Router } from 'express';
import { responding } from './express-app.js';
import { jsonResponse } from './http-response.js';

const healthy = jsonResponse(200, '{"status":"ok"}', { 'cache-control': 'no-store' });

/** `/livez`: the process responds. `/readyz`: it also reaches its database. */
export function health(pingDatabase: () => Promise<unknown>): Router {
  const router = Router();
  router.get(
    '/livez',
    responding(() => healthy),
  );
  router.get(
    '/readyz',
    responding(async () => {
      await pingDatabase();
      return healthy;
    }),
  );
  return router;
}
