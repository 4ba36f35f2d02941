import { createHash, timingSafeEqual } from 'node:crypto';
import { type Request, Router } from 'express';
import type { Registry } from 'prom-client';
import { bearerOf } from '../auth/authenticate.js';
import type { Config } from '../config.js';
import type { LocalOnly } from '../pages/local-only.js';

const digest = (text: string) => createHash('sha256').update(text).digest();
const loopback = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** `/metrics`: for whoever has the token; without one set, for this machine, and in production for nobody. */
export function metricsPage(
  read: () => Promise<string>,
  { metricsToken, production }: Pick<Config, 'metricsToken' | 'production'>,
  localOnly: LocalOnly,
): Router {
  const mayRead = (req: Request): boolean => {
    if (metricsToken === null)
      return !production && loopback.test(req.socket.remoteAddress ?? '') && localOnly.allows(req);
    return timingSafeEqual(digest(bearerOf(req.get('authorization')) ?? ''), digest(metricsToken));
  };
  const router = Router();
  router.get('/metrics', async (req, res, next) => {
    // To everybody else it is an address like any other where there is nothing.
    if (!mayRead(req)) return next();
    const text = await read();
    res.set('cache-control', 'no-store').type(contentType).send(text);
  });
  return router;
}

const contentType: Registry['contentType'] = 'text/plain; version=0.0.4; charset=utf-8';
