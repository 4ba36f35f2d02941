import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { CatalogVersion } from '../../src/cache/catalog-version.js';
import { ResponseCache } from '../../src/cache/response-cache.js';
import { buildGraphQLSchema } from '../../src/graphql/schema.js';
import { createGraphQL } from '../../src/graphql/server.js';
import { RateLimits } from '../../src/limits/rate-limits.js';
import type { Context } from '../../src/operations/context.js';
import { StreamHub } from '../../src/operations/stream-hub.js';
import type { GraphQLBody } from '../support/api-client.js';
import { withRequestContext } from '../support/request-context.js';
import { closeAtEnd } from '../support/shared.js';

type Options = Partial<Parameters<typeof createGraphQL>[0]['config']> & {
  /** Charged before an operation runs. */
  charge?: (cost: number) => Promise<void>;
  /** Charged for parsing and validating. */
  chargeParsing?: (points: number) => Promise<void>;
};

const free = async () => undefined;

/**
 * Starts the GraphQL server without the rest of the service, for documents that must not reach it. Returns a function
 * that sends a body, or a GET with a query string.
 */
export async function startGraphQLServer({ charge = free, chargeParsing = free, ...settings }: Options) {
  const log = pino({ level: 'silent' });
  class ParsingLimits extends RateLimits {
    override async chargeAddress(_request: object, limit: string, points = 1) {
      if (limit === 'graphql') await chargeParsing(points);
    }
  }
  const { router } = createGraphQL({
    schema: await buildGraphQLSchema(),
    config: { introspection: true, playground: false, graphqlSafelist: null, web: false, ...settings },
    contextOf: () => ({ caching: {}, chargeCost: charge }) as unknown as Context,
    log,
    responses: new ResponseCache(new CatalogVersion(() => false)),
    limits: new ParsingLimits(null, { databaseUrl: null, log }),
    rejectCrossSite: () => undefined,
    // No room for streams, so that the other parts are not needed.
    streams: new StreamHub({ max: 0 } as ConstructorParameters<typeof StreamHub>[0]),
  });
  const server = createServer(withRequestContext(router));
  closeAtEnd({ close: async () => void server.close().closeAllConnections() });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  return async (body: object, search: string | null = null) => {
    const response =
      search === null
        ? await fetch(url, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          })
        : await fetch(`${url}?${search}`);
    const result = (await response.json()) as GraphQLBody;
    return { status: response.status, code: result.errors?.[0]?.extensions.code ?? null, result };
  };
}
