import { describe, expect, it } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { loadOperations } from '../../src/pages/playground-presets.js';
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

describe('a document beyond a limit is rejected before any operation runs', () => {
  it.each<[attack: string, limit: string, figure: string, query: string, variables?: Input]>([
    ['13 nested fields', 'depth', '13', deep(13)],
    [
      'nested fields in fragments',
      'depth',
      '14',
      `{ __type(name: "App") { ...a } } fragment a on __Type { ofType { ofType { ofType { ofType { ofType { ofType { ...b } } } } } } } fragment b on __Type { ${nested(6)} }`,
    ],
    ['51 aliases', 'aliases', '51', `{ ${times(51, (index) => `a${index}: categories { count }`)} }`],
    ['aliases of __typename', 'aliases', '51', `{ ${times(51, (index) => `a${index}: __typename`)} }`],
    [
      'aliases in a fragment that is spread three times',
      'aliases',
      '60',
      `{ me { ...f ...f ...f } } fragment f on Developer { ${times(20, (index) => `a${index}: id`)} }`,
    ],
    ['5,001 tokens', 'tokens', 'more than 5000', `{ ${'__typename '.repeat(5_000)} }`],
    ['too many directives', 'directives', '51', `{ ${times(51, () => '__typename @include(if: true)')} }`],
    ['lists in lists in a page of 100', 'cost', '', widest],
    [
      'two pages of 100',
      'cost',
      '15\\d\\d\\d',
      `{ ${times(2, (index) => `a${index}: browseApps(limit: 100) { apps { ${page} } pagination { total } }`)} }`,
    ],
    [
      'fifty pages of 100 with one field',
      'cost',
      '1\\d\\d\\d\\d',
      `{ ${times(50, (index) => `a${index}: browseApps(limit: 100) { apps { id } }`)} }`,
    ],
    [
      'a page whose size is a variable',
      'cost',
      '',
      widest.replace('{', 'query ($first: Int) {').replace('100', '$first'),
      { first: 2_000_000_000 },
    ],
    [
      'long lists in a page, read from their end',
      'cost',
      '',
      '{ reviewQueue(first: 100) { edges { node { app { timeline(last: 100) { edges { node { kind } } } } } } } }',
    ],
    [
      'long lists of all apps of a developer',
      'cost',
      '',
      '{ myApps { timeline(first: 100) { edges { node { kind } } } } }',
    ],
    [
      'the schema ten times',
      'cost',
      '',
      `{ ${times(10, (index) => `a${index}: __schema { types { name } }`)} }`,
    ],
    [
      'the fields of all types, forty times by aliases',
      'cost',
      '',
      `{ __schema { types { ${times(40, (index) => `a${index}: fields { name description }`)} } } }`,
    ],
    [
      'the long texts of a page, twenty times by aliases',
      'cost',
      '',
      `{ browseApps(limit: 100) { apps { ${times(40, (index) => `a${index}: logoUrl`)} } } }`,
    ],
    [
      'fifty operations that fetch from outside',
      'preflights',
      '50',
      `{ ${times(50, (index) => `a${index}: preflight(id: "x") { ready }`)} }`,
    ],
    [
      'twelve mutations that fetch from outside',
      'cost',
      '12\\d\\d\\d',
      `mutation { ${times(12, (index) => `a${index}: submitApp(id: "x") { id }`)} }`,
    ],
    ['2^30 fields by fragments of fragments', 'nodes', 'more than 10000', explosion(30, '__typename')],
    ['2^20 lists by fragments of fragments', 'aliases', '', aliasedExplosion],
    ['one field 1,200 times', 'overlaps', '\\d+', `{ ${'categories { count } '.repeat(1_200)} }`],
    [
      'overlaps in overlaps',
      'overlaps',
      '\\d+',
      `{ ${'apps { edges { node { id name slug } } } '.repeat(300)} }`,
    ],
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
    [
      'newlines before errors',
      'lines',
      'more than 3000',
      `${'\n'.repeat(128_000)}{ ${times(20, (index) => `x${index}`)} }`,
    ],
    ['carriage returns', 'lines', 'more than 3000', `${'\r'.repeat(20_000)}{ __typename }`],
    ['comments', 'lines', 'more than 3000', `${'#\n'.repeat(20_000)}{ __typename }`],
    ['1,600 nested inline fragments', 'nesting', 'more than 50', wrapped(1_600, '... {', '}')],
    ['60 nested inline fragments', 'nesting', 'more than 50', wrapped(60, '... {', '}')],
    ['brackets that are never closed', 'nesting', 'more than 50', '{ a '.repeat(1_000)],
    [
      'nested lists',
      'nesting',
      'more than 50',
      `{ browseApps(filter: ${'['.repeat(2_400)}${']'.repeat(2_400)}) { apps { id } } }`,
    ],
    [
      'nested objects',
      'nesting',
      'more than 50',
      `{ browseApps(filter: ${'{a:'.repeat(1_200)}1${'}'.repeat(1_200)}) { apps { id } } }`,
    ],
    [
      'lists in the type of a variable',
      'nesting',
      'more than 50',
      `query ($a: ${'['.repeat(2_000)}Int${']'.repeat(2_000)}) { __typename }`,
    ],
    [
      'a nested default value',
      'nesting',
      'more than 50',
      `query ($a: AppFilter = ${'{a:'.repeat(1_000)}1${'}'.repeat(1_000)}) { __typename }`,
    ],
    ['a long chain of fragments', 'definitions', '202', chain(200)],
    ['a chain of 60 fragments', 'nesting', '6\\d', chain(60)],
    ['many spreads', 'spreads', 'more than 500', `{ ${times(1_500, (index) => `...f${index}`)} }`],
    ['many operations', 'definitions', '900', times(900, (index) => `query q${index} { __typename }`)],
  ])('%s: %s (D136)', async (_, limit, figure, query, variables = {}) => {
    const { status, body } = await client.sendRejected(postRequest(query, variables));
    expect({ status, codes: body.errors!.map(({ extensions }) => extensions.code) }).toEqual({
      status: 400,
      codes: ['QUERY_TOO_COMPLEX'],
    });
    const [{ message, extensions }] = body.errors as [NonNullable<GraphQLBody['errors']>[0]];
    expect(extensions.details).toEqual([{ field: limit, code: 'limit_exceeded', message }]);
    expect(message).toMatch(new RegExp(`^The limit of ${limit} is \\d+, and this document has ${figure}`));
  });
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
