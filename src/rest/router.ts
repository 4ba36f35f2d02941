import { Router } from 'express';
import { ServiceError } from '../errors.js';
import { currentRequest } from '../server/request-context.js';
import { type Handler, responding } from '../server/routing.js';
import type { Route } from './route.js';
import { type RestOptions, RouteHandler } from './route-handler.js';

/** Mounts every route of the contract. There is no code per route. */
export function restRouter(routes: readonly Route[], options: RestOptions): Router {
  const router = Router({ caseSensitive: true });
  for (const route of routes) {
    const handler = new RouteHandler(route, options);
    const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    router[method](
      route.path,
      responding((request) => handler.handle(request)),
    );
  }
  router.use('/api', admitUnknown(options));
  for (const path of new Set(routes.map((route) => route.path))) router.all(path, otherMethods(routes, path));
  return router;
}

/** Charges requests below `/api` that match no route. */
const admitUnknown =
  ({ limits, rejectCrossSite }: RestOptions): Handler =>
  async (request, _response, next) => {
    const context = currentRequest();
    context.door = 'rest';
    await limits.chargeAddress(context, 'address');
    rejectCrossSite(request);
    next();
  };

/** Responds to OPTIONS, and rejects methods that a path does not have. */
function otherMethods(routes: readonly Route[], path: string): Handler {
  const methods: string[] = routes.filter((route) => route.path === path).map((route) => route.method);
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return responding(({ method }) => {
    currentRequest().responseHeaders.allow = allow;
    if (method === 'OPTIONS') return { status: 204, headers: { 'cache-control': 'no-store' } };
    throw new ServiceError('METHOD_NOT_ALLOWED', `${method} is not possible here. Use one of: ${allow}.`);
  });
}
