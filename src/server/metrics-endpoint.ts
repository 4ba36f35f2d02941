import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Router } from 'express';
import type { Registry } from 'prom-client';
import { bearerOf } from '../auth/authenticate.js';
import type { Config } from '../config.js';
import { currentRequest } from './request-context.js';
import { respond } from './respond.js';

const digest = (text: string) => createHash('sha256').update(text).digest();
const loopback = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/** `/metrics`: for clients with the token. Without METRICS_TOKEN, for this machine, and in production for nobody. */
export function metricsEndpoint(
  read: () => Promise<string>,
  { metricsToken, production }: Pick<Config, 'metricsToken' | 'production'>,
  isLocal: (request: IncomingMessage) => boolean,
): Router {
  const mayRead = (request: IncomingMessage): boolean => {
    if (metricsToken === null)
      return !production && loopback.test(request.socket.remoteAddress ?? '') && isLocal(request);
    return timingSafeEqual(digest(bearerOf(request.headers.authorization) ?? ''), digest(metricsToken));
  };
  const router = Router();
  router.get('/metrics', async (request, _response, next) => {
    // For everybody else there is nothing here.
    if (!mayRead(request)) return next();
    respond(currentRequest(), {
      status: 200,
      headers: { 'cache-control': 'no-store', 'content-type': contentType },
      body: await read(),
    });
  });
  return router;
}

const contentType: Registry['contentType'] = 'text/plain; version=0.0.4; charset=utf-8';
