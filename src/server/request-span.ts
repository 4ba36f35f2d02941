import { errorStatus, isOurFault } from '../errors.js';
import { mask } from '../log.js';
import type { Tracer } from '../tracing/opentelemetry.js';
import { currentTracer } from '../tracing/tracing.js';
import type { RequestContext } from './request-context.js';

/** Requested every few seconds by monitoring. */
const healthChecks = /^\/(livez|readyz|metrics)(?=[/?]|$)/;
const maxPathLength = 200;

type RequestSpan = ReturnType<Tracer['startRequest']>;

/** The span of a request that is being handled. */
interface OpenRequest extends Pick<RequestSpan, 'run'> {
  /** Ends the span with what was learned about the request meanwhile. */
  end(): void;
}

/** Starts the span of a request; null without tracing, and for health checks. `routes` has the paths of REST by operation. */
export function startRequestSpan(
  context: RequestContext,
  routes: ReadonlyMap<string, string>,
): OpenRequest | null {
  const tracer = currentTracer();
  const { request, id } = context;
  if (tracer === null || healthChecks.test(request.url ?? '')) return null;
  const span = tracer.startRequest(request, id);
  // Routers change the URL.
  const [path = ''] = (request.url ?? '').split(/[?#]/, 1);
  return { run: span.run, end: () => span.isRecording && end(span, path, context, routes) };
}

function end(
  span: RequestSpan,
  path: string,
  { request: { method = 'GET' }, response, operation, door, code }: RequestContext,
  routes: ReadonlyMap<string, string>,
): void {
  const route = door === 'graphql' ? graphqlRoute(path) : routes.get(operation);
  const attributes = {
    'url.path': mask(path.slice(0, maxPathLength)),
    'marketplace.operation': operation,
    ...(route && { 'http.route': route }),
    // A client that disconnected early got no response.
    ...(response.writableFinished && { 'http.response.status_code': response.statusCode }),
    ...(code !== null && { 'error.type': code }),
  };
  const isFailure = code !== null && isCode(code) && isOurFault(code);
  span.end(route ? `${method} ${route}` : method, attributes, { isFailure });
}

/** GraphQL has codes of Apollo's too. */
const isCode = (code: string): code is keyof typeof errorStatus => Object.hasOwn(errorStatus, code);

const graphqlRoute = (path: string) => (path === '/graphql/stream' ? path : '/graphql');
