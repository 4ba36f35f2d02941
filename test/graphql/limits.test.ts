import { describe, expect, it } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { loadOperations } from '../../src/pages/playground-presets.js';
import { documents } from '../fuzz/cost/documents.js';
import type { GraphQLBody, Input } from '../support/api-client.js';
import { duringTests } from '../support/before-tests.js';
import {
  aliasedExplosion,
  chain,
  deep,
  explosion,
  nested,
  page,
  times,
  widest,
  wrapped,
} from './documents.js';
import { GraphQLClient, postRequest } from './graphql-client.js';

const client = duringTests(() => GraphQLClient.start());

/** Rejects a document before any statement, and names the limit that it exceeds, and by how much. */
async function expectBeyond(
  limit: string,
  figure: string,
  query: string,
  variables: Input = {},
): Promise<void> {
  const { status, body } = await client.sendRejected(postRequest(query, variables));
  expect({ status, codes: body.errors!.map(({ extensions }) => extensions.code) }).toEqual({
    status: 400,
    codes: ['QUERY_TOO_COMPLEX'],
  });
  const [{ message, extensions }] = body.errors as [NonNullable<GraphQLBody['errors']>[0]];
  expect(extensions.details).toEqual([{ field: limit, code: 'limit_exceeded', message }]);
  expect(message).toMatch(new RegExp(`^The limit of ${limit} is \\d+, and this document has ${figure}`));
}

describe('a document beyond a limit is rejected before any operation runs', () => {
  const aliased = (count: number, field: string) => `{ ${times(count, (index) => `a${index}: ${field}`)} }`;

  it.each<[document: string, size: number, limit: string, figure: string]>([
    ['nested inline fragments', 1_600, 'nesting', 'more than 50'],
    ['nested inline fragments', 60, 'nesting', 'more than 50'],
    ['open braces', 1_000, 'nesting', 'more than 50'],
    ['nested list literal', 2_400, 'nesting', 'more than 50'],
    ['nested object literal', 1_200, 'nesting', 'more than 50'],
    ['nested type of a variable', 2_000, 'nesting', 'more than 50'],
    ['nested default value', 1_000, 'nesting', 'more than 50'],
    ['fragment chain', 60, 'nesting', '6\\d'],
    ['fragment chain', 200, 'definitions', '202'],
    ['operations', 900, 'definitions', '900'],
    ['unknown fragments', 1_500, 'spreads', 'more than 500'],
    ['fragments that double', 30, 'nodes', 'more than 10000'],
    ['one field again and again', 5_000, 'tokens', 'more than 5000'],
    ['aliases', 51, 'aliases', '51'],
    ['directives on one field', 51, 'directives', '51'],
    ['one object field again and again', 300, 'overlaps', '\\d+'],
    ['many comments', 20_000, 'lines', 'more than 3000'],
    ['many mistakes far down', 128_000, 'lines', 'more than 3000'],
  ])('%s, %i times: %s (D136)', (document, size, limit, figure) =>
    expectBeyond(limit, figure, documents[document]!(size)),
  );

  it.each<[attack: string, limit: string, figure: string, query: string]>([
    ['13 nested fields', 'depth', '13', deep(13)],
    [
      'nested fields in fragments',
      'depth',
      '14',
      `{ __type(name: "App") { ...a } } fragment a on __Type { ofType { ofType { ofType { ofType { ofType { ofType { ...b } } } } } } } fragment b on __Type { ${nested(6)} }`,
    ],
    ['aliases of objects', 'aliases', '51', aliased(51, 'categories { count }')],
    [
      'aliases in a fragment that is spread three times',
      'aliases',
      '60',
      `{ me { ...f ...f ...f } } fragment f on Developer { ${times(20, (index) => `a${index}: id`)} }`,
    ],
    ['2^20 lists by fragments of fragments', 'aliases', '', aliasedExplosion],
    ['too many directives', 'directives', '51', `{ ${times(51, () => '__typename @include(if: true)')} }`],
    ['one field 1,200 times', 'overlaps', '\\d+', `{ ${'categories { count } '.repeat(1_200)} }`],
    [
      'overlaps in an unused fragment',
      'overlaps',
      '\\d+',
      `{ __typename } fragment a on Query { ${'categories { count } '.repeat(600)} }`,
    ],
    [
      'an unused fragment that multiplies',
      'nodes',
      'more than 10000',
      `{ __typename } ${explosion(30, '__typename').slice('{ ...f0 } '.length)}`,
    ],
    ['carriage returns', 'lines', 'more than 3000', `${'\r'.repeat(20_000)}{ __typename }`],
    [
      'fifty operations that fetch from outside',
      'preflights',
      '50',
      aliased(50, 'preflight(id: "x") { ready }'),
    ],
  ])('%s: %s (D136)', (_, limit, figure, query) => expectBeyond(limit, figure, query));

  it.each<[attack: string, figure: string, query: string, variables?: Input]>([
    ['lists in lists in a page of 100', '', widest],
    [
      'two pages of 100',
      '15\\d\\d\\d',
      aliased(2, `browseApps(limit: 100) { apps { ${page} } pagination { total } }`),
    ],
    [
      'fifty pages of 100 with one field',
      '1\\d\\d\\d\\d',
      aliased(50, 'browseApps(limit: 100) { apps { id } }'),
    ],
    [
      'a page whose size is a variable',
      '',
      widest.replace('{', 'query ($first: Int) {').replace('100', '$first'),
      { first: 2_000_000_000 },
    ],
    [
      'long lists in a page, read from their end',
      '',
      '{ reviewQueue(first: 100) { edges { node { app { timeline(last: 100) { edges { node { kind } } } } } } } }',
    ],
    [
      'long lists of all apps of a developer',
      '',
      '{ myApps { timeline(first: 100) { edges { node { kind } } } } }',
    ],
    ['the schema ten times', '', aliased(10, '__schema { types { name } }')],
    [
      'the fields of all types, forty times by aliases',
      '',
      `{ __schema { types ${aliased(40, 'fields { name description }')} } }`,
    ],
    [
      'the texts of a page, forty times by aliases',
      '',
      `{ browseApps(limit: 100) { apps ${aliased(40, 'logoUrl')} } }`,
    ],
    [
      'twelve mutations that fetch from outside',
      '12\\d\\d\\d',
      `mutation ${aliased(12, 'submitApp(id: "x") { id }')}`,
    ],
  ])('%s: cost (D136)', (_, figure, query, variables = {}) => expectBeyond('cost', figure, query, variables));
});

describe('a document with the size of a list in a variable', () => {
  it.each(['first', 'last'])('is charged by the value of %s', async (size) => {
    const query = `query ($size: Int) { reviewQueue(first: 100) { edges { node { app { timeline(${size}: $size) { edges { node { kind } } } } } } } }`;
    const codes = async (value: number) => {
      const { body } = await client.send(postRequest(query, { size: value }));
      return body.errors?.map(({ extensions }) => extensions.code);
    };
    expect(await codes(1)).not.toContain('QUERY_TOO_COMPLEX');
    expect(await codes(100)).toEqual(['QUERY_TOO_COMPLEX']);
  });
});

describe('a document within the limits is run', () => {
  const introspection = getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  });
  it.each([
    ['the standard introspection query', introspection],
    [
      'a page of 100 with all its fields',
      `{ browseApps(limit: 100) { apps { ${page} } pagination { page limit total totalPages } } }`,
    ],
    ['12 nested fields', deep(12)],
    ['a chain of 40 fragments', chain(40)],
    ['40 nested inline fragments', wrapped(40, '... {', '}')],
    ['the same field 200 times', `{ ${'__typename '.repeat(200)} }`],
    ['50 aliases', `{ ${times(50, (index) => `a${index}: __typename`)} }`],
  ])('%s', async (_, query) => {
    const { status, body } = await client.send(postRequest(query));
    expect({ status, errors: body.errors }).toEqual({ status: 200 });
  });

  it.each(loadOperations().map(({ name, query, variables = '{}' }) => ({ name, query, variables })))(
    'the preset "$name" is within every limit',
    async ({ query, variables }) => {
      const { body } = await client.send(postRequest(query, JSON.parse(variables) as Input));
      expect(body.errors?.map(({ extensions }) => extensions.code) ?? []).not.toContain('QUERY_TOO_COMPLEX');
    },
  );
});

describe('a list with related objects', () => {
  it('needs as many statements for four apps as for one', async () => {
    const query = `{ browseApps { apps { ${page} } } featuredApps { slug developer { name } } }`;
    const statements = async () => (await client.statements(() => client.send(postRequest(query)))).length;
    await client.service.anApp(client.developer, 'APPROVED');
    const forOne = await statements();
    for (let count = 0; count < 3; count += 1) await client.service.anApp(client.developer, 'APPROVED');
    expect([forOne, await statements()]).toEqual([2, 2]);
  });
});
