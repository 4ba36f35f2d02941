import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { printSchema } from 'graphql';
import { pino } from 'pino';
import { buildSchema, Query, Resolver } from 'type-graphql';
import { anyone } from '../../src/auth/policy.js';
import { CatalogVersion } from '../../src/cache/catalog-version.js';
import { ResponseCache } from '../../src/cache/response-cache.js';
import { operations } from '../../src/contract.js';
import { buildGraphQLSchema } from '../../src/graphql/schema.js';
import { RateLimits } from '../../src/limits/rate-limits.js';
import { CategoryCount } from '../../src/modules/catalog/app-facets.types.js';
import { Context, type Runtime } from '../../src/operations/context.js';
import { Expose } from '../../src/operations/expose.js';
import { Nothing } from '../../src/operations/input.js';
import { query } from '../../src/operations/operation.js';
import { openApiDocument } from '../../src/rest/openapi/openapi.js';
import { routesOf } from '../../src/rest/route.js';
import { restRouter } from '../../src/rest/router.js';
import type { RequestContext } from '../../src/server/request-context.js';
import { withRequestContext } from '../support/request-context.js';

/** A deprecated entry of the contract. */
const oldCategories = query({
  summary: 'Lists categories in an old form.',
  rest: 'GET /api/apps/categories/old',
  collection: 'categories',
  deprecated: {
    since: new Date('2026-01-01T00:00:00Z'),
    sunset: new Date('2026-07-01T00:00:00Z'),
    instead: 'Use categories.',
  },
  policy: anyone,
  input: Nothing,
  output: [CategoryCount],
  run: async () => [{ category: 'OTHER', count: 1 }],
});
const table = [['categories', oldCategories]] as const;
const note = 'Use categories. This will be gone on 2026-07-01.';

describe('a deprecated operation', () => {
  it('has Deprecation and Sunset in each of its responses over REST (D36)', async () => {
    // The operation does not use the database.
    const limits = new RateLimits(null, { databaseUrl: null, log: pino({ level: 'silent' }) });
    const runtime = { readServices: () => null, limits } as unknown as Runtime;
    const schema = await buildGraphQLSchema();
    const options = {
      limits,
      responses: new ResponseCache(new CatalogVersion(() => false)),
      contextOf: (request: RequestContext) => new Context(runtime, 'rest', null, request),
      rejectCrossSite: () => undefined,
      publicUrl: 'http://127.0.0.1',
    };
    const server = createServer(withRequestContext(restRouter(routesOf(schema, table), options)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/api/apps/categories/old`);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(await response.json()).toEqual({ categories: [{ category: 'OTHER', count: 1 }] });
    expect(response.headers.get('deprecation')).toBe('@1767225600');
    expect(response.headers.get('sunset')).toBe('Wed, 01 Jul 2026 00:00:00 GMT');
  });

  it('is marked in the OpenAPI document, with its replacement (D36)', async () => {
    const document = openApiDocument(await buildGraphQLSchema(), table) as {
      paths: Record<string, Record<string, object>>;
    };
    expect(document.paths['/api/apps/categories/old']?.get).toMatchObject({
      deprecated: true,
      description: expect.stringContaining(note),
      responses: { 200: { headers: { Deprecation: expect.anything(), Sunset: expect.anything() } } },
    });
  });

  it('is marked in the GraphQL schema (D36)', async () => {
    @Resolver()
    class OldResolver {
      @Expose(oldCategories)
      oldCategories() {
        return [];
      }

      @Query(() => String)
      current() {
        return '';
      }
    }
    const sdl = printSchema(await buildSchema({ resolvers: [OldResolver], validate: false }));
    expect(sdl).toMatch(
      /oldCategories: .* @deprecated\(reason: "Use categories\. This will be gone on 2026-07-01\."\)/,
    );
    expect(sdl).toMatch(/current: String!\n/);
  });

  it('stays for six months after its deprecation (D36)', () => {
    const months = (since: Date, sunset: Date) =>
      (sunset.getUTCFullYear() - since.getUTCFullYear()) * 12 + sunset.getUTCMonth() - since.getUTCMonth();
    for (const [name, { deprecated }] of [...operations, ...table])
      if (deprecated) expect([name, months(deprecated.since, deprecated.sunset) >= 6]).toEqual([name, true]);
  });
});
