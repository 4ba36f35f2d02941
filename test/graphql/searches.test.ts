import { describe, expect, it } from '@jest/globals';
import type { GraphQLBody, Input } from '../support/api-client.js';
import { duringTests } from '../support/before-tests.js';
import { page, times } from './documents.js';
import { GraphQLClient, postRequest } from './graphql-client.js';
import { startGraphQLServer } from './graphql-server.js';

const client = duringTests(() => GraphQLClient.start());

const slugs = '{ edges { node { slug } } }';
const search = (text: string) => `apps(filter: { search: "${text}" }) ${slugs}`;
const aliased = (count: number, field: (index: number) => string) =>
  times(count, (index) => `a${index}: ${field(index)}`);

describe('a document with more than two searches is QUERY_TOO_COMPLEX, and nothing is run (D321)', () => {
  it.each<[by: string, query: string, found: number, variables?: Input]>([
    ['aliases', `{ ${aliased(3, () => search('task'))} }`, 3],
    [
      'aliases with counts',
      `{ ${aliased(49, (index) => `apps(filter: { search: "w${index}" }) { totalCount facets { categories { count } } }`)} }`,
      49,
    ],
    [
      'different operations',
      `{ ${search('a')} browseApps(filter: { search: "b" }) { apps { slug } } suggest(prefix: "c") { slug } }`,
      3,
    ],
    [
      'deep pages',
      `{ ${aliased(20, (index) => `browseApps(limit: 1, page: ${90_000 + index}) { apps { slug } }`)} }`,
      20,
    ],
    [
      'deep pages of the usual size, by a variable',
      `query ($page: Int) { ${aliased(3, () => 'browseApps(page: $page) { apps { slug } }')} }`,
      3,
      { page: 51 },
    ],
    ['suggestions', `{ ${aliased(3, () => 'suggest(prefix: "ta") { slug }')} }`, 3],
    [
      'a fragment',
      `{ ...F a: ${search('a')} b: ${search('b')} } fragment F on Query { c: ${search('c')} }`,
      3,
    ],
    ['an inline fragment', `{ ... on Query { ${aliased(3, () => search('task'))} } }`, 3],
    [
      'a variable',
      `query ($text: String) { ${aliased(3, () => `apps(filter: { search: $text }) ${slugs}`)} }`,
      3,
      { text: 'task' },
    ],
    [
      'a variable with a filter',
      `query ($filter: AppFilter) { ${aliased(4, () => `apps(filter: $filter) ${slugs}`)} }`,
      4,
      { filter: { search: 'task' } },
    ],
    [
      'the default of a variable',
      `query ($text: String = "task") { ${aliased(3, () => `apps(filter: { search: $text }) ${slugs}`)} }`,
      3,
    ],
    [
      'the default of a filter',
      `query ($filter: AppFilter = { search: "task" }) { ${aliased(3, () => `apps(filter: $filter) ${slugs}`)} }`,
      3,
    ],
    [
      'conditions',
      `query ($is: Boolean = true) { ${aliased(3, () => search('task').replace(')', ') @include(if: $is)'))} }`,
      3,
    ],
  ])('by %s', async (_, query, found, variables = {}) => {
    const { status, body } = await client.sendRejected(postRequest(query, variables));
    const [{ message, extensions }] = body.errors as [NonNullable<GraphQLBody['errors']>[0]];
    expect([status, extensions.code]).toEqual([400, 'QUERY_TOO_COMPLEX']);
    expect(message).toMatch(`The limit of searches is 2, and this document has ${found}.`);
    expect(extensions.details).toEqual([{ field: 'searches', code: 'limit_exceeded', message }]);
  });

  it('also if the document has run before with other variables', async () => {
    const query = `query ($text: String) { ${aliased(3, () => `apps(filter: { search: $text }) ${slugs}`)} }`;
    for (const text of ['', null, '', null])
      expect((await client.send(postRequest(query, { text }))).body.errors).toBeUndefined();
    const { body } = await client.sendRejected(postRequest(query, { text: 'task' }));
    expect(body.errors?.[0]?.extensions.code).toBe('QUERY_TOO_COMPLEX');
  });
});

describe('a document within the limit runs (D321)', () => {
  it.each<[what: string, query: string]>([
    ['two searches', `{ ${aliased(2, (index) => search(`w${index}`))} }`],
    ['one search that is selected three times', `{ ${times(3, () => search('task'))} }`],
    [
      'many pages at the beginning of lists',
      `{ ${aliased(10, (index) => `browseApps(page: ${41 + index}) { apps { slug } }`)} }`,
    ],
    ['many lists without a search', `{ ${aliased(10, () => `apps(filter: { search: "" }) ${slugs}`)} }`],
    [
      'a page of 100 apps of a search with all fields, its total and its facets',
      `{ apps(first: 100, filter: { search: "task" }) { edges { cursor node { ${page} } } totalCount facets { categories { category count } environments { environment count } } pageInfo { hasNextPage endCursor } } }`,
    ],
  ])('%s', async (_, query) => {
    const { status, body } = await client.send(postRequest(query));
    expect({ status, errors: body.errors }).toEqual({ status: 200 });
  });

  it('queries a total once, however many aliases it has', async () => {
    const counting = async (selection: string) =>
      (await client.statements(() => client.send(postRequest(`{ apps(first: 7) { ${selection} } }`)))).length;
    expect(await counting(aliased(10, () => 'totalCount'))).toBe(await counting('totalCount'));
  });
});

describe('the cost of a search (D321)', () => {
  it.each<[query: string, cost: number]>([
    ['{ apps(first: 1) { edges { cursor } } }', 0],
    ['{ apps(first: 1) { edges { cursor } ...F ...F } } fragment F on AppConnection { totalCount }', 200],
    ['{ apps(first: 1, filter: { search: "a" }) { edges { cursor } } }', 300],
    ['{ apps(first: 1, filter: { search: "a" }) { totalCount facets { categories { count } } } }', 700],
    ['{ browseApps(limit: 1, filter: { search: "a" }) { pagination { total } } }', 300],
    ['{ browseApps(limit: 1, page: 1001) { pagination { total } } }', 300],
    ['{ suggest(first: 1, prefix: "a") { slug } }', 300],
    ['{ suggest(first: 1, prefix: "") { slug } }', 0],
    ['{ node(id: "a") { id } }', 400],
    ['{ publicDeveloper(id: "a") { appCount } }', 300],
    ['{ nodes(ids: ["a", "b"]) { id } }', 400],
  ])('%s: %d points beside its objects', async (query, cost) => {
    const charged: number[] = [];
    const send = await startGraphQLServer({
      charge: async (points) => {
        charged.push(points);
        throw new Error('Not to be run.');
      },
    });
    await send({ query });
    expect(charged[0]).toBeGreaterThanOrEqual(cost + 1);
    expect(charged[0]).toBeLessThan(cost + 30);
  });
});
