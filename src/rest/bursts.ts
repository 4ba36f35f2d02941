import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { limitOf, type RateLimits } from '../limits/rate-limits.js';
import type { Context } from '../operations/context.js';
import { call } from '../operations/operation.js';
import { jsonObject } from '../server/body.js';
import { type Exchange, theExchange } from '../server/request-context.js';
import type { Headers } from '../server/security-headers.js';
import { isSmallJson, peek } from '../server/small-body.js';
import { fieldList } from './headers.js';
import { type Route, routesOf } from './route.js';
import { answering, inputOf } from './translation.js';

interface BurstOptions {
  schema: GraphQLSchema;
  limits: RateLimits;
  /** What every answer has. */
  headers: Headers;
  contextOf: (exchange: Exchange) => Context;
  refuse: (exchange: Exchange, error: unknown) => void;
  /** Whatever is unusual is answered there. */
  next: RequestListener;
}

/**
 * Callers of a public operation that share transactions come in bursts: an everyday request of theirs is answered
 * without Express, which would take most of its time, and by the same rules. False: it is not such a request.
 */
export function bursts(options: BurstOptions): (req: IncomingMessage, res: ServerResponse) => boolean {
  const lanes = routesOf(options.schema).filter(isForBursts).map(laneOf(options));
  return (req, res) => isEveryday(req) && lanes.some((lane) => lane(req, res as Response));
}

const isForBursts = ({ method, isPublic, operation }: Route) =>
  method === 'POST' && isPublic && operation.transaction === 'shared' && !operation.deprecated;

/** Browsers of other origins and those who want an answer twice ask for more than is done here. */
const isEveryday = (req: IncomingMessage) =>
  isSmallJson(req) && req.headers.origin === undefined && req.headers['idempotency-key'] === undefined;

type Response = ServerResponse & { req: IncomingMessage };

const laneOf =
  ({ limits, headers, contextOf, refuse, next }: BurstOptions) =>
  (route: Route) => {
    const address = new RegExp(`^${route.path.replace(/:(\w+)/g, '(?<$1>[a-z0-9-]+)')}$`);
    const answerOf = answering(route);
    const fixed = [...headers.flat(), 'content-type', 'application/json; charset=utf-8'];

    const answer = async (path: Record<string, string>, body: Record<string, unknown>, res: Response) => {
      const exchange = Object.assign(theExchange(), { door: 'rest', operation: route.name });
      try {
        await limits.chargeAddress(exchange, limitOf(route.operation));
        const { input, ignored } = inputOf(route, { query: {}, ifMatch: undefined, body, path });
        const told = ignored.length > 0 ? ['x-ignored-fields', fieldList(ignored)] : [];
        const { status, body: json } = answerOf(await call(route.operation, contextOf(exchange), input));
        const length = String(Buffer.byteLength(json));
        res.writeHead(status, [...fixed, 'x-request-id', exchange.id, ...told, 'content-length', length]);
        res.end(json);
      } catch (error) {
        refuse(exchange, error);
      }
    };
    return (req: IncomingMessage, res: Response): boolean => {
      const path = address.exec(req.url ?? '')?.groups;
      if (!path) return false;
      peek(req, (bytes) => {
        const body = readable(bytes);
        if (body) return void answer(path, body, res);
        req.unshift(bytes);
        next(req, res);
      });
      return true;
    };
  };

/** What cannot be read is explained where everything is. */
function readable(bytes: Buffer): Record<string, unknown> | null {
  try {
    return jsonObject(bytes);
  } catch {
    return null;
  }
}
