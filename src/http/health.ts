import { Router } from 'express';
import { ServiceError } from '../errors.js';

/** `/livez`: the process answers. `/readyz`: it can also reach its database. */
export function health(canReachDatabase: () => Promise<boolean>): Router {
  const router = Router();
  router.get('/livez', (_req, res) => void res.set('cache-control', 'no-store').json({ status: 'ok' }));
  router.get('/readyz', async (_req, res) => {
    if (!(await canReachDatabase())) throw new ServiceError('UNAVAILABLE', 'The database cannot be reached.');
    res.set('cache-control', 'no-store').json({ status: 'ok' });
  });
  return router;
}
