import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import { pino } from 'pino';
import { Answers } from '../../src/cache/answers.js';
import { CatalogVersion } from '../../src/cache/catalog-version.js';
import type { Context } from '../../src/context.js';
import { ServiceError } from '../../src/errors.js';
import { hashOf } from '../../src/graphql/document-cache.js';
import { buildGraphQLSchema } from '../../src/graphql/schema.js';
import { graphqlRouter } from '../../src/graphql/server.js';
import { beginExchange, within } from '../../src/http/exchange.js';
import { errorHandler } from '../../src/rest/error-handler.js';
import type { GraphQLBody } from '../support/doors.js';

/** The GraphQL door alone, without a service behind it: for what must not get that far. */
let schema: GraphQLSchema;
const servers: Server[] = [];
beforeAll(async () => {
  schema = await buildGraphQLSchema();
});
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

type Options = Partial<Parameters<typeof graphqlRouter>[0]['config']> &
  Pick<Parameters<typeof graphqlRouter>[0], 'charge'>;

async function openDoor({ charge, ...settings }: Options) {
  const log = pino({ level: 'silent' });
  const { router } = await graphqlRouter({
    schema,
    config: { introspection: true, playground: false, graphqlSafelist: null, ...settings },
    contextOf: () => ({}) as Context,
    log,
    answers: new Answers(new CatalogVersion(() => false)),
    ...(charge && { charge }),
  });
  const inExchange: RequestHandler = (req, res, next) => within(beginExchange(req, res, '127.0.0.1'), next);
  const server = createServer(express().use(inExchange, router, errorHandler(log)));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  return async (body: object) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as GraphQLBody;
    return { status: response.status, code: answer.errors?.[0]?.extensions.code ?? null, answer };
  };
}

describe('what an operation costs', () => {
  it('is charged before it runs, and by whom it is refused decides the answer (D81)', async () => {
    const charged: number[] = [];
    const ask = await openDoor({
      charge: async (_context, cost) => {
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

  it('is not charged for what is refused anyway', async () => {
    const charged: number[] = [];
    const ask = await openDoor({ charge: async (_context, cost) => void charged.push(cost) });
    await ask({ query: '{ nothing }' });
    await ask({ query: `{ ${'__typename '.repeat(6_000)} }` });
    await ask({
      query: 'query ($page: Int) { browseApps(page: $page) { apps { id } } }',
      variables: { page: 'x' },
    });
    expect(charged).toEqual([]);
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
