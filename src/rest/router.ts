import { type RequestHandler, Router } from 'express';
import { ServiceError } from '../errors.js';
import { readBody } from '../server/body.js';
import { responding } from '../server/express-app.js';
import { currentRequest } from '../server/request-context.js';
import type { Route } from './route.js';
import type { RestOptions, RouteHandler } from './route-handler.js';

/** Mounts every route of the contract in Express. There is no code per route. */
export function restRouter(handlers: readonly RouteHandler[], options: RestOptions): Router {
  const router = Router({ caseSensitive: true });
  for (const handler of handlers) {
    const { method, path: template, bodyFields } = handler.route;
    router[method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'](
      template,
      async (_request, _response, next) => {
        await handler.admit(currentRequest());
        next();
      },
      ...(bodyFields.length > 0 || method === 'POST' ? [readBody] : []),
      responding(({ path, params, query, body }) =>
        handler.handle({ context: currentRequest(), path, params, query, body: body as unknown }),
      ),
    );
  }
  router.use('/api', admitUnknown(options));
  const routes = handlers.map(({ route }) => route);
  for (const path of new Set(routes.map((route) => route.path))) router.all(path, otherMethods(routes, path));
  return router;
}

/** Charges requests below `/api` that match no route. */
const admitUnknown =
  ({ limits, rejectCrossSite }: RestOptions): RequestHandler =>
  async (request, _response, next) => {
    const context = currentRequest();
    context.door = 'rest';
    await limits.chargeAddress(context, 'address');
    rejectCrossSite(request);
    next();
  };

/** Responds to OPTIONS, and rejects methods that a path does not have. */
function otherMethods(routes: readonly Route[], path: string): RequestHandler {
  const methods: string[] = routes.filter((route) => route.path === path).map((route) => route.method);
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  const headers = { ...(path.startsWith('/api/dev') && { 'cache-control': 'no-store' }) };
  return responding(({ method }) => {
    currentRequest().responseHeaders.allow = allow;
    if (method === 'OPTIONS') return { status: 204, headers };
    throw new ServiceError('METHOD_NOT_ALLOWED', `${method} is not possible here. Use one of: ${allow}.`);
  });
}
