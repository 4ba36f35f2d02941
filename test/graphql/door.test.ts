import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GraphQLSchema } from 'graphql';
import { pino } from 'pino';
import { CatalogVersion } from '../../src/cache/catalog-version.js';
import { ResponseCache } from '../../src/cache/response-cache.js';
import { ServiceError } from '../../src/errors.js';
import { hashOf } from '../../src/graphql/document-cache.js';
import { buildGraphQLSchema } from '../../src/graphql/schema.js';
import { startGraphQL } from '../../src/graphql/server.js';
import { RateLimits } from '../../src/limits/rate-limits.js';
import type { Context } from '../../src/operations/context.js';
import { createExpressApp, errorHandler } from '../../src/server/express-app.js';
import type { GraphQLBody } from '../support/doors.js';
import { withRequestContext } from '../support/request-context.js';

/** The GraphQL door alone, without a service behind it: for what must not get that far. */
let schema: GraphQLSchema;
const servers: Server[] = [];
beforeAll(async () => {
  schema = await buildGraphQLSchema();
});
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

type Options = Partial<Parameters<typeof startGraphQL>[0]['config']> & {
  /** Charged before an operation runs. */
  charge?: (cost: number) => Promise<void>;
  /** Charged for parsing and validating. */
  chargeParsing?: (points: number) => Promise<void>;
};

const free = async () => undefined;

async function openDoor({ charge = free, chargeParsing = free, ...settings }: Options) {
  const log = pino({ level: 'silent' });
  class ParsingLimits extends RateLimits {
    override async chargeAddress(_request: object, limit: string, points = 1) {
      if (limit === 'graphql') await chargeParsing(points);
    }
  }
  const { router } = await startGraphQL({
    schema,
    config: { introspection: true, playground: false, graphqlSafelist: null, ...settings },
    contextOf: () => ({ caching: {}, chargeCost: charge }) as unknown as Context,
    log,
    responses: new ResponseCache(new CatalogVersion(() => false)),
    limits: new ParsingLimits(null, { databaseUrl: null, log }),
    rejectCrossSite: () => undefined,
  });
  const app = createExpressApp({ trustProxy: null }).use(router, errorHandler);
  const server = createServer(withRequestContext(app));
  servers.push(server);
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
        : await fetch(`${url}?${search}`, { headers: { 'apollo-require-preflight': '1' } });
    const answer = (await response.json()) as GraphQLBody;
    return { status: response.status, code: answer.errors?.[0]?.extensions.code ?? null, answer };
  };
}

describe('what an operation costs', () => {
  it('is charged before it runs, and by whom it is refused decides the answer (D81)', async () => {
    const charged: number[] = [];
    const ask = await openDoor({
      charge: async (cost) => {
        charged.push(cost);
        if (cost > 1) throw new ServiceError('FORBIDDEN', 'Not today.');
      },
    });
    expect(await ask({ query: '{ __typename }' })).toMatchObject({ status: 200, code: null });
    expect(await ask({ query: '{ browseApps(limit: 10) { apps { id } } }' })).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
      answer: { errors: [{ message: 'Not today.' }] },
    });
    expect(charged).toEqual([1, 23]);
  });

  it('is not charged for what is refused before it could run', async () => {
    const charged: number[] = [];
    const ask = await openDoor({ charge: async (cost) => void charged.push(cost) });
    await ask({ query: '{ nothing }' });
    await ask({ query: `{ ${'__typename '.repeat(6_000)} }` });
    await ask({
      query: 'query ($page: Int) { browseApps(page: $page) { apps { id } } }',
      variables: { page: 'x' },
    });
    expect(charged).toEqual([]);
  });
});

describe('what parsing and validating cost', () => {
  const chargesOf = async (...bodies: object[]) => {
    const charged: number[] = [];
    const ask = await openDoor({ chargeParsing: async (points) => void charged.push(points) });
    for (const body of bodies) await ask(body);
    return charged;
  };
  const query = '{ categories { count } }';

  it('is charged by tokens, once for a document that is valid (D135)', async () => {
    expect(await chargesOf({ query }, { query }, { query })).toEqual([12]);
  });

  it.each([
    ['an unknown field', '{ nothing { count } }', 12],
    ['a syntax error', '{ categories { count }', 10],
    ['too many tokens', `{ ${'__typename '.repeat(6_000)} }`, 10_002 + 578],
    ['too much nesting', `{ ${'a { '.repeat(2_000)}`, 202],
    ['a cycle', '{ ...a } fragment a on Query { ...a }', 24],
  ])('is charged every time for one that is refused: %s (D135)', async (_, refused, points) => {
    expect(await chargesOf({ query: refused }, { query: refused })).toEqual([points, points]);
  });

  it('is charged by the length of a long request, known document or not (D135)', async () => {
    const long = { query, variables: { unknown: 'x'.repeat(108_192) } };
    expect(await chargesOf({ query }, long)).toEqual([12, 1000]);
  });

  it('is charged for an operation that is too expensive to run (D135)', async () => {
    const dear = '{ browseApps(limit: 100) { apps { id } } '.repeat(1);
    const nine = `{ ${Array.from({ length: 50 }, (_, index) => `a${index}: ${dear.slice(2)}`).join(' ')} }`;
    expect((await chargesOf({ query: nine }, { query: nine })).slice(1)).toEqual([10_000, 10_000]);
  });

  it('is refused where the sender has spent all', async () => {
    const ask = await openDoor({
      chargeParsing: async () => {
        throw new ServiceError('RATE_LIMITED', 'Later.');
      },
    });
    expect(await ask({ query })).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  });
});

describe('INTROSPECTION=off', () => {
  it.each([
    ['introspection', '{ __schema { types { name } } }', {}],
    ['an unknown field', '{ categoriez { count } }', {}],
    ['an unknown argument', '{ browseApps(pag: 1) { apps { id } } }', {}],
    ['an unknown type', 'query ($a: AppFiltr) { browseApps(filter: $a) { apps { id } } }', {}],
    ['an unknown field of an input', '{ browseApps(filter: { serch: "x" }) { apps { id } } }', {}],
    ['an unknown enum value', '{ browseApps(sort: newes) { apps { id } } }', {}],
    [
      'an unknown enum value in a variable',
      'query ($sort: AppSort) { browseApps(sort: $sort) { apps { id } } }',
      { sort: 'newes' },
    ],
    ['no selection', '{ categories }', {}],
  ])('is refused, and suggests nothing: %s', async (_, query, variables) => {
    const ask = await openDoor({ introspection: false });
    const { status, code, answer } = await ask({ query, variables });
    expect({ status, code }).toEqual({ status: 400, code: 'VALIDATION_FAILED' });
    expect(JSON.stringify(answer)).not.toMatch(/did you mean/i);
  });
});

describe('GRAPHQL_SAFELIST', () => {
  const listed = 'query Kind { __typename }';
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'marketplace-safelist-'));
    await writeFile(join(folder, 'kind.graphql'), `${listed}\n`);
    const manifest = {
      format: 'apollo-persisted-query-manifest',
      version: 1,
      operations: [{ id: hashOf(listed), name: 'Kind', type: 'query', body: listed }],
    };
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const byHash = (text: string) => ({
    extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(text) } },
  });

  it.each(['', 'manifest.json'])(
    'runs the documents of a list, by text and by hash (D82): %s',
    async (file) => {
      const ask = await openDoor({ graphqlSafelist: join(folder, file) });
      for (const body of [{ query: listed }, { query: `${listed}\n` }, byHash(listed)])
        expect(await ask(body)).toMatchObject({ status: 200, answer: { data: { __typename: 'Query' } } });
    },
  );

  it('refuses every other one before it is parsed, also with a hash (D82)', async () => {
    const ask = await openDoor({ graphqlSafelist: folder });
    for (const query of ['{ __typename }', '{ not even GraphQL'])
      for (const body of [{ query }, { query, ...byHash(query) }])
        expect(await ask(body)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect((await ask(byHash('{ __typename }'))).code).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  it.each([
    ['a thousand parameters before it', `${'a=1&'.repeat(1_001)}query=%7B__typename%7D`],
    ['a second one', `query=${encodeURIComponent(listed)}&query=%7B__typename%7D`],
    ['another spelling of its name', 'q%75ery=%7B__typename%7D'],
    ['a plus for a blank', 'query=%7B+__typename+%7D'],
    ['parameters parted by semicolons', `query=${encodeURIComponent(listed)};query=%7B__typename%7D`],
    ['brackets', 'query%5B%5D=%7B__typename%7D&query=%7B__typename%7D'],
    [
      'a hash of a listed one beside it',
      `query=%7B__typename%7D&extensions=${encodeURIComponent(JSON.stringify(byHash(listed).extensions))}`,
    ],
  ])('cannot be passed by GET with %s (D82)', async (_, search) => {
    const ask = await openDoor({ graphqlSafelist: folder });
    const { code, answer } = await ask({}, search);
    expect(answer.data).toBeUndefined();
    expect(['FORBIDDEN', 'VALIDATION_FAILED']).toContain(code);
  });

  it('runs a listed document by GET', async () => {
    const ask = await openDoor({ graphqlSafelist: folder });
    expect(await ask({}, `a=1&query=${encodeURIComponent(listed)}&b=2`)).toMatchObject({ status: 200 });
  });

  it('takes our presets as they are', async () => {
    const ask = await openDoor({ graphqlSafelist: 'schema/operations' });
    const query = await readFile('schema/operations/31-me.graphql', 'utf8');
    expect((await ask({ query })).status).toBe(200);
  });
});

describe('a document that a client registers by its hash', () => {
  it('is known by it from then on', async () => {
    const ask = await openDoor({});
    const query = '{ __typename }';
    const persisted = { extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(query) } } };
    expect((await ask(persisted)).code).toBe('PERSISTED_QUERY_NOT_FOUND');
    expect((await ask({ query, ...persisted })).status).toBe(200);
    expect((await ask(persisted)).answer.data).toEqual({ __typename: 'Query' });
  });
});
