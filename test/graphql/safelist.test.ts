import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { hashOf } from '../../src/graphql/document-cache.js';
import { Safelist } from '../../src/graphql/safelist.js';
import { aFolder } from '../support/folder.js';
import { startGraphQLServer } from './graphql-server.js';

describe('GRAPHQL_SAFELIST', () => {
  const listed = 'query Kind { __typename }';
  let folder: string;
  beforeAll(async () => {
    folder = await aFolder();
    await writeFile(join(folder, 'kind.graphql'), `${listed}\n`);
    const manifest = {
      format: 'apollo-persisted-query-manifest',
      version: 1,
      operations: [{ id: hashOf(listed), name: 'Kind', type: 'query', body: listed }],
    };
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  });
  const byHash = (text: string) => ({
    extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(text) } },
  });

  it.each(['', 'manifest.json'])(
    'allows the documents of the list, by text and by hash (D82): %s',
    async (file) => {
      const send = await startGraphQLServer({ graphqlSafelist: join(folder, file) });
      for (const body of [{ query: listed }, { query: `${listed}\n` }, byHash(listed)])
        expect(await send(body)).toMatchObject({ status: 200, result: { data: { __typename: 'Query' } } });
    },
  );

  it('rejects any other document before it is parsed, also with a hash (D82)', async () => {
    const send = await startGraphQLServer({ graphqlSafelist: folder });
    for (const query of ['{ __typename }', '{ not even GraphQL'])
      for (const body of [{ query }, { query, ...byHash(query) }])
        expect(await send(body)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect((await send(byHash('{ __typename }'))).code).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  it.each([
    ['a thousand parameters before it', `${'a=1&'.repeat(1_001)}query=%7B__typename%7D`],
    ['a second one', `query=${encodeURIComponent(listed)}&query=%7B__typename%7D`],
    ['another spelling of its name', 'q%75ery=%7B__typename%7D'],
    ['a plus for a space', 'query=%7B+__typename+%7D'],
    ['parameters separated by semicolons', `query=${encodeURIComponent(listed)};query=%7B__typename%7D`],
    ['brackets', 'query%5B%5D=%7B__typename%7D&query=%7B__typename%7D'],
    [
      'the hash of a listed document beside it',
      `query=%7B__typename%7D&extensions=${encodeURIComponent(JSON.stringify(byHash(listed).extensions))}`,
    ],
  ])('cannot be bypassed by GET with %s (D82)', async (_, search) => {
    const send = await startGraphQLServer({ graphqlSafelist: folder });
    const { code, result } = await send({}, search);
    expect(result.data).toBeUndefined();
    expect(['FORBIDDEN', 'VALIDATION_FAILED']).toContain(code);
  });

  it('allows a listed document by GET', async () => {
    const send = await startGraphQLServer({ graphqlSafelist: folder });
    expect(await send({}, `a=1&query=${encodeURIComponent(listed)}&b=2`)).toMatchObject({ status: 200 });
  });

  it.each([true, false])(
    'has the documents of the tool and, if they are served, of the pages (D82): %s',
    async (web) => {
      const own: Record<'web' | 'cli', string[]> = JSON.parse(await readFile('dist/documents.json', 'utf8'));
      expect(own.web.length).toBeGreaterThan(150);
      expect(own.cli.length).toBeGreaterThan(10);
      const safelist = Safelist.read(folder, web);
      const isListed = (text: string) => {
        try {
          safelist.check(text);
          return true;
        } catch {
          return false;
        }
      };
      expect(own.cli.filter(isListed)).toEqual(own.cli);
      expect(own.web.filter(isListed)).toEqual(web ? own.web : []);
      const schema = buildSchema(await readFile('schema/schema.graphql', 'utf8'));
      for (const text of [...own.cli, ...own.web]) expect(validate(schema, parse(text))).toEqual([]);
    },
  );

  it('accepts the folder of our own documents', async () => {
    const send = await startGraphQLServer({ graphqlSafelist: 'schema/operations' });
    const query = await readFile('schema/operations/251-me.graphql', 'utf8');
    expect((await send({ query })).status).toBe(200);
  });
});

describe('a document that is registered by its hash', () => {
  it('can be sent by its hash from then on', async () => {
    const send = await startGraphQLServer({});
    const query = '{ __typename }';
    const persisted = { extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(query) } } };
    expect((await send(persisted)).code).toBe('PERSISTED_QUERY_NOT_FOUND');
    expect((await send({ query, ...persisted })).status).toBe(200);
    expect((await send(persisted)).result.data).toEqual({ __typename: 'Query' });
  });
});
