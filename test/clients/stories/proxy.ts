import { createLogger } from '@stoplight/prism-core';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';

/** A Prism proxy, which validates requests and responses against the OpenAPI document. */
export interface ValidatingProxy {
  readonly url: string;
  /** The routes that were called, such as `GET /api/apps/{slug}`. */
  readonly routes: ReadonlySet<string>;
  readonly violations: readonly string[];
  close(): Promise<void>;
}

export async function startProxy(upstream: string): Promise<ValidatingProxy> {
  const operations = await getHttpOperationsFromSpec(`${upstream}/openapi.json`);
  const routes = new Set<string>();
  const violations: string[] = [];
  const server = createServer(operations, {
    cors: false,
    components: { logger: createLogger('prism', { level: 'silent' }) },
    config: {
      isProxy: true,
      upstream: new URL(upstream),
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
      upstreamProxy: undefined,
      mock: { dynamic: false },
    },
  });
  const address = await server.listen(0, '127.0.0.1');
  const send = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const response = await send(request);
    if (!request.url.startsWith(address)) return response;
    const path = new URL(request.url).pathname;
    const found = response.headers.get('sl-violations');
    if (found) violations.push(`${request.method} ${path} ${response.status}: ${found}`);
    const route = operations.find(
      (operation) =>
        operation.method.toUpperCase() === request.method &&
        new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
    routes.add(`${request.method} ${route?.path ?? path}`);
    return response;
  };
  return { url: address, routes, violations, close: () => server.close() };
}
