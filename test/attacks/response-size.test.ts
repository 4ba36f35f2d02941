import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { costOf, rootLists, texts } from '../../src/graphql/cost.js';
import { limits } from '../../src/graphql/limits.js';
import { buildGraphQLSchema } from '../../src/graphql/schema.js';
import { greatestItems, greatestLength } from '../../src/graphql/text-lengths.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';

let schema: GraphQLSchema;
beforeAll(async () => {
  schema = await buildGraphQLSchema();
});

const costOfText = (text: string) => {
  const document = parse(text);
  const operation = document.definitions[0] as OperationDefinitionNode;
  return costOf({ schema, document, operation, variables: {} });
};

/** Selects every field of a type that is its own: scalars, and objects that are no relation and no list of its own. */
const ownObjects = ['Screenshot', 'PublicDeveloper', 'Rejection', 'RejectionReason'];
const allFields = (type: GraphQLObjectType): string =>
  Object.values(type.getFields())
    .filter(({ args }) => args.length === 0)
    .map(({ name, type: fieldType }) => {
      const named = getNamedType(fieldType);
      if (isLeafType(named)) return name;
      return isObjectType(named) && ownObjects.includes(named.name) ? `${name} { ${allFields(named)} }` : '';
    })
    .join(' ');
const fieldsOf = (name: string) => allFields(schema.getType(name) as GraphQLObjectType);

describe('the cost of a text', () => {
  it('is known for every text of every type: a new one needs an input rule or an entry (D356)', () => {
    const unknown = Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
      .flatMap((type) =>
        Object.values((type as GraphQLObjectType).getFields())
          .filter((field) => texts.has(getNamedType(field.type).name))
          .filter((field) => greatestLength(type.name, field.name) === null)
          .map((field) => `${type.name}.${field.name}`),
      );
    expect(unknown).toEqual([]);
  });

  it('is counted for every item of the lists that are queries: a new one needs its length (D356)', () => {
    const lists = Object.values(schema.getQueryType()!.getFields())
      .filter(({ type }) => isListType(getNullableType(type)))
      .filter(({ args }) => !args.some(({ name }) => ['first', 'limit', 'ids'].includes(name)));
    expect(Object.keys(rootLists).sort()).toEqual(lists.map(({ name }) => name).sort());
  });

  it.each([
    'trustedPublishers { app { longDescription releaseNotes } }',
    'myApiKeys { app { longDescription releaseNotes } }',
  ])('cannot be repeated by aliases of a list: %s (D356)', (field) => {
    const documentOf = (count: number) =>
      `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')} }`;
    expect(costOfText(documentOf(3))).toBeGreaterThan(limits.cost);
  });

  it('follows from the greatest length in the rules of the input (D356)', () => {
    expect(greatestLength('PublicApp', 'longDescription')).toBe(20_000);
    expect(greatestLength('Rating', 'text')).toBe(2_000);
    expect(greatestLength('Screenshot', 'url')).toBe(2_048);
    expect(greatestItems('PublicApp', 'screenshots')).toBe(6);
    expect(greatestLength('PublicApp', 'nothing')).toBeNull();
  });
});

describe('the largest page of the contract', () => {
  it.each([
    [
      'browseApps',
      () => `{ browseApps(limit: 100) { apps { ${fieldsOf('PublicApp')} } pagination { total } } }`,
    ],
    [
      'apps',
      () =>
        `{ apps(first: 100) { edges { cursor node { ${fieldsOf('PublicApp')} } } pageInfo { endCursor } } }`,
    ],
    ['myApps', () => `{ myApps { ${fieldsOf('App')} } }`],
    ['adminApps', () => `{ adminApps(first: 100) { edges { cursor node { ${fieldsOf('App')} } } } }`],
  ])('of %s passes, 100 apps with all their fields (D356)', (_, document) => {
    const cost = costOfText(document());
    expect(cost).toBeLessThanOrEqual(limits.cost);
    expect(cost).toBeGreaterThan(0.75 * limits.cost);
  });
});

describe('a small document', () => {
  const service = duringTests(startService);
  const app = beforeTests(async () => service.anApp(await service.aDeveloper(), 'APPROVED'));
  beforeAll(async () => {
    // The longest ratings that an account can give.
    await service.sql(
      `insert into ratings (id, app_id, account_user_id, rating, author_name, title, text, reply, created_at, updated_at)
       select gen_random_uuid(), $1, 'user-' || n, 5, repeat('a', 100), repeat('b', 120), repeat('c', 2000), repeat('d', 2000),
         now(), now() from generate_series(1, 100) n`,
      [app.id],
    );
  });

  const rating = 'id rating authorName title text reply createdAt updatedAt';
  const ratings = (count: number, selection = rating) =>
    `{ ${Array.from(
      { length: count },
      (_, at) => `a${at}: appRatings(slug: "${app.slug}", first: 100) { edges { node { ${selection} } } }`,
    ).join(' ')} }`;

  const rejected: [string, () => string][] = [
    ['100 ratings under 24 aliases', () => ratings(24)],
    ['100 ratings under 12 aliases', () => ratings(12)],
    ['one text of 100 ratings under 40 aliases', () => ratings(40, 'text')],
    [
      'one text of each rating under 40 aliases',
      () => ratings(1, Array.from({ length: 24 }, (_, at) => `t${at}: text u${at}: reply`).join(' ')),
    ],
    [
      'the ratings of 100 apps',
      () => `{ browseApps(limit: 100) { apps { id developer { bio } } } ${ratings(11).slice(1)}`,
    ],
    [
      'short fields under aliases of 2,000 characters',
      () => ratings(1, Array.from({ length: 40 }, (_, at) => `${'x'.repeat(2_000)}${at}: id`).join(' ')),
    ],
    [
      'the listing of an app in a fragment, under 43 aliases',
      () =>
        `{ browseApps(limit: 100) { apps { ...F } } } fragment F on PublicApp { ${Array.from({ length: 40 }, (_, at) => `d${at}: description`).join(' ')} longDescription again: longDescription third: longDescription }`,
    ],
  ];
  it.each(rejected)('is QUERY_TOO_COMPLEX if it asks for %s (D356)', async (_, document) => {
    const { errors } = await service.client.graphql(document());
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
  });

  it('gets at most as much as the largest page of apps has (D356)', async () => {
    let largest = 0;
    let passed = 0;
    for (let count = 1; count <= 24; count += 1) {
      const response = await service.client.request('POST', '/graphql', { body: { query: ratings(count) } });
      if (response.status !== 200) break;
      largest = (await response.text()).length;
      passed = count;
    }
    expect(passed).toBeGreaterThanOrEqual(5);
    expect(largest).toBeLessThan(limits.cost * 640);
  });
});
