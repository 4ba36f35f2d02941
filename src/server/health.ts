import { Router } from 'express';

/** `/livez`: the process answers. `/readyz`: it can also reach its database. */
export function health(askDatabase: () => Promise<unknown>): Router {
  const router = Router();
  router.get('/livez', (_req, res) => void res.set('cache-control', 'no-store').json({ status: 'ok' }));
  router.get('/readyz', async (_req, res) => {
    await askDatabase();
    res.set('cache-control', 'no-store').json({ status: 'ok' });
  });
  return router;
}
