import { createHash } from 'node:crypto';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Answers } from '../cache/response-cache.js';
import type { OperationTable } from '../contract.js';
import { ServiceError } from '../errors.js';
import type { Context } from '../operations/context.js';
import { call, callOnce } from '../operations/operation.js';
import { jsonBody, readBody } from '../server/body.js';
import { deprecationHeaders, fieldList, isKnownTo, pageLinks } from './headers.js';
import { Idempotency } from './idempotency.js';
import { type Route, routesOf } from './route.js';
import { type Answer, answering, inputOf } from './translation.js';

interface RestOptions {
  schema: GraphQLSchema;
  contextOf: (req: Request) => Context;
  /** What happens to a request before anything else; null: to one that asks for no operation. */
  arrive: (route: Route | null) => RequestHandler;
  /** Where callers reach the service, for links. */
  publicUrl: string;
  /** The contract, unless told. */
  table?: OperationTable;
  /** Where answers to public questions are kept for those who ask next. */
  answers: Answers;
}

/** Mounts every contract entry that has a REST route. There is no code per route. */
export function restRouter(options: RestOptions): Router {
  const router = Router({ caseSensitive: true });
  const routes = routesOf(options.schema, options.table);
  router.use('/api/dev', (_req, res, next) => {
    res.set('cache-control', 'no-store');
    next();
  });
  for (const route of routes) {
    const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    router[method](
      route.path,
      options.arrive(route),
      ...(route.bodyFields.length > 0 || route.method === 'POST' ? [readBody] : []),
      handler(route, options),
    );
  }
  router.use('/api', options.arrive(null));
  for (const path of new Set(routes.map((route) => route.path))) router.all(path, refuseMethod(routes, path));
  return router;
}

function handler(route: Route, { contextOf, publicUrl, answers }: RestOptions): RequestHandler {
  const { operation } = route;
  const answerOf = answering(route);
  return async (req, res) => {
    if (operation.deprecated) res.set(deprecationHeaders(operation.deprecated));
    const { input, ignored } = inputOf(route, {
      query: req.query,
      ifMatch: req.get('if-match'),
      body: jsonBody(req),
      path: req.params,
    });
    if (ignored.length > 0) res.set('x-ignored-fields', fieldList(ignored));
    const key = route.method === 'POST' ? req.get('idempotency-key') : undefined;
    if (key !== undefined) {
      const memory = new Idempotency(route, req, key, answerOf);
      return send(route, req, res, await callOnce(operation, contextOf(req), input, memory), answers);
    }
    const result = await call(operation, contextOf(req), input);
    const links =
      operation.pagination && pageLinks(req, publicUrl, route.queryFields, operation.pagination(result));
    if (links) res.set('link', links);
    send(route, req, res, answerOf(result), answers);
  };
}

/** Public reads can be revalidated by their ETag; nothing under `/api/dev/` ever answers 304. */
function send(route: Route, req: Request, res: Response, answer: Answer, answers: Answers): void {
  const { body } = answer;
  res.status(answer.status).type('json');
  if (answer.etag) res.set('etag', answer.etag);
  if (answer.replayed) res.set('idempotent-replayed', 'true');
  if (route.isPublic && route.method === 'GET') {
    res.set('cache-control', 'public, max-age=0, must-revalidate');
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
    res.set('etag', etag);
    if (route.operation.cached) answers.keep(req, res, body);
    if (isKnownTo(req.get('if-none-match'), etag)) {
      res.removeHeader('content-type');
      return void res.status(304).end();
    }
  }
  res.set('content-length', String(Buffer.byteLength(body))).end(req.method === 'HEAD' ? undefined : body);
}

function refuseMethod(routes: Route[], path: string): RequestHandler {
  const methods: string[] = routes.filter((route) => route.path === path).map((route) => route.method);
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return (req, res) => {
    res.set('allow', allow);
    if (req.method === 'OPTIONS') return void res.status(204).end();
    throw new ServiceError('METHOD_NOT_ALLOWED', `${req.method} is not possible here. Use one of: ${allow}.`);
  };
}
