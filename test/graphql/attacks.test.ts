import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { loadOperations } from '../../src/http/operations.js';
import type { Developer } from '../support/actors.js';
import { DatabaseLine } from '../support/database-line.js';
import type { GraphQLBody, Input } from '../support/doors.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let line: DatabaseLine;
let ada: Developer;
beforeAll(async () => {
  service = await startService({}, undefined, {
    databaseVia: async (databaseUrl) => {
      line = await DatabaseLine.to(databaseUrl);
      return line.url;
    },
  });
  ada = await service.aDeveloper();
});
afterAll(async () => {
  await service.close();
  await line.cut();
});

interface Sent {
  method?: string;
  path?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

const send = async ({ method = 'POST', path = '/graphql', body, headers = {} }: Sent) => {
  const response = await service.doors.request(method, path, { body, headers, bearer: ada.key });
  const text = await response.text();
  return { status: response.status, text, headers: response.headers, body: JSON.parse(text) as GraphQLBody };
};
/** What was answered, and that nothing ran for it: no statement reached the database. */
const refused = async (sent: Sent) => {
  const answers: Awaited<ReturnType<typeof send>>[] = [];
  const statements = await line.listenIn(async () => answers.push(await send(sent)));
  expect(statements.filter((statement) => !/pgboss|last_used_at/.test(statement))).toEqual([]);
  return answers[0]!;
};
const ask = (query: string, variables: Input = {}): Sent => ({ body: { query, variables } });
const byGet = (search: Record<string, string>, headers = {}): Sent => ({
  method: 'GET',
  path: `/graphql?${new URLSearchParams(search)}`,
  headers,
});

const nested = (depth: number) => {
  const inner = (left: number): string => (left === 0 ? 'name' : `ofType { ${inner(left - 1)} }`);
  return inner(depth);
};
/** `{ __type { a b c … } }` of so many nested fields. */
const deep = (depth: number) => `{ __type(name: "App") { ${nested(depth - 2)} } }`;
const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');
/** Each fragment spreads the next one twice: 2^count fields once it is written out. */
const explosion = (count: number, last: string) =>
  `{ ...f0 } ${times(count, (index) => `fragment f${index} on Query { ...f${index + 1} ...f${index + 1} }`)} fragment f${count} on Query { ${last} }`;
/** The same, each spread in a field of its own, so that nothing merges. */
const aliasedExplosion = `{ reviewQueue { edges { node { app { ...f0 } } } } } ${times(
  20,
  (index) =>
    `fragment f${index} on App { a${index}: messages { id } b${index}: messages { id } ...f${index + 1} ...f${index + 1} }`,
)} fragment f20 on App { id }`;
const change = 'field before after';
const widest = `{ reviewQueue(first: 100) { edges { node { app { ${times(15, (index) => `a${index}: timeline { changes { ${change} } }`)} } } } } }`;
const page =
  'id slug name description longDescription category environment logoUrl bannerUrl websiteUrl screenshots { url caption order } status featured installCount reviewCount averageRating approvedAt createdAt updatedAt developer { name companyName websiteUrl }';

describe('a document beyond a limit is refused before anything runs', () => {
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
      'aliases in a fragment that is spread often',
      'aliases',
      '60',
      `{ me { ...f ...f ...f } } fragment f on Developer { ${times(20, (index) => `a${index}: id`)} }`,
    ],
    ['5,001 tokens', 'tokens', 'more than 5000', `{ ${'__typename '.repeat(5_000)} }`],
    ['too many directives', 'directives', '51', `{ ${times(51, () => '__typename @include(if: true)')} }`],
    ['lists in lists in a page of 100', 'cost', '', widest],
    [
      'a page of 100 asked for nine times',
      'cost',
      '10\\d\\d\\d',
      `{ ${times(9, (index) => `a${index}: browseApps(limit: 100) { apps { ${page} } pagination { total } }`)} }`,
    ],
    [
      'fifty pages of 100 with little in them',
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
      'the schema asked for ten times',
      'cost',
      '',
      `{ ${times(10, (index) => `a${index}: __schema { types { name } }`)} }`,
    ],
    [
      'fifty fetches in one request',
      'cost',
      '',
      `{ ${times(50, (index) => `a${index}: preflight(id: "x") { ready }`)} }`,
    ],
    [
      'mutations by the dozen',
      'cost',
      '10\\d\\d\\d',
      `mutation { ${times(21, (index) => `a${index}: recordInstall(slug: "x") { installCount }`)} }`,
    ],
    ['2^30 fields by fragments of fragments', 'nodes', 'more than 10000', explosion(30, '__typename')],
    ['2^20 lists by fragments of fragments', 'aliases', '', aliasedExplosion],
    ['one field 1,200 times', 'nodes', 'more than 10000', `{ ${'categories { count } '.repeat(1_200)} }`],
  ])('%s: %s', async (_, limit, figure, query, variables = {}) => {
    const startedAt = performance.now();
    const { status, body } = await refused(ask(query, variables));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect({ status, codes: body.errors!.map(({ extensions }) => extensions.code) }).toEqual({
      status: 400,
      codes: ['QUERY_TOO_COMPLEX'],
    });
    const [{ message, extensions }] = body.errors as [NonNullable<GraphQLBody['errors']>[0]];
    expect(extensions.details).toEqual([{ field: limit, code: 'limit_exceeded', message }]);
    expect(message).toMatch(new RegExp(`^The limit of ${limit} is \\d+, and this document has ${figure}`));
  });
});

describe('what is allowed still passes', () => {
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
    ['50 aliases', `{ ${times(50, (index) => `a${index}: __typename`)} }`],
  ])('%s', async (_, query) => {
    const { status, body } = await send(ask(query));
    expect({ status, errors: body.errors }).toEqual({ status: 200 });
  });

  it.each(loadOperations().map(({ name, query, variables = '{}' }) => ({ name, query, variables })))(
    'the preset "$name" is within every limit',
    async ({ query, variables }) => {
      // Whoever it is for, it gets as far as being run.
      const { body } = await send(ask(query, JSON.parse(variables) as Input));
      expect(body.errors?.map(({ extensions }) => extensions.code) ?? []).not.toContain('QUERY_TOO_COMPLEX');
    },
  );
});

describe('a request that means harm is refused before anything runs', () => {
  const query = '{ me { id } }';
  const mutation = 'mutation { recordInstall(slug: "x") { slug } }';
  const preflighted = { 'apollo-require-preflight': '1' };
  it.each<[attack: string, status: number, code: string, sent: Sent]>([
    ['a batch', 400, 'MALFORMED_JSON', { body: [{ query }, { query }] }],
    ['a mutation by GET', 405, 'VALIDATION_FAILED', byGet({ query: mutation }, preflighted)],
    ['a GET that a page of another site can send', 400, 'VALIDATION_FAILED', byGet({ query })],
    [
      'a query given twice in the address',
      400,
      'VALIDATION_FAILED',
      { ...byGet({ query }, preflighted), path: `/graphql?query=${query}&query=${query}` },
    ],
    [
      'a form',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      { body: `query=${query}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    [
      'text/plain',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      { body: { query }, headers: { 'content-type': 'text/plain' } },
    ],
    [
      'XML',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      { body: '<query/>', headers: { 'content-type': 'application/xml' } },
    ],
    [
      'a body that is not UTF-8',
      400,
      'MALFORMED_JSON',
      { body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) },
    ],
    ['variables of 300 KB', 413, 'PAYLOAD_TOO_LARGE', ask(query, { a: 'x'.repeat(300_000) })],
    [
      'circular fragments',
      400,
      'VALIDATION_FAILED',
      ask('{ me { ...a } } fragment a on Developer { id ...b } fragment b on Developer { id ...a }'),
    ],
    [
      'an unknown operation',
      400,
      'VALIDATION_FAILED',
      { body: { query: `query a ${query}`, operationName: 'b' } },
    ],
    [
      'a hash of another text',
      400,
      'VALIDATION_FAILED',
      { body: { query, extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } } },
    ],
    [
      'an introspection that goes round in circles',
      400,
      'VALIDATION_FAILED',
      ask(
        '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
      ),
    ],
    [
      'prototypes in variables',
      400,
      'VALIDATION_FAILED',
      {
        body: `{"query":"mutation ($input: CreateAppInput!) { createApp(input: $input) { id } }","variables":{"__proto__":{"admin":true},"input":{"__proto__":{"name":"x"},"name":"x","description":"x","category":"OTHER","environment":"staging"}}}`,
      },
    ],
    [
      'variables nested 10,000 times',
      400,
      'VALIDATION_FAILED',
      {
        body: `{"query":"query ($filter: AppFilter) { browseApps(filter: $filter) { apps { id } } }","variables":{"filter":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`,
      },
    ],
    [
      'a literal nested 1,000 times',
      400,
      'VALIDATION_FAILED',
      ask(`{ browseApps(filter: ${'['.repeat(1_000)}${']'.repeat(1_000)}) { apps { id } } }`),
    ],
    [
      'a hidden argument that is null',
      400,
      'VALIDATION_FAILED',
      ask('query ($slug: String = "x") { app(slug: $slug) { id } }', { slug: null }),
    ],
  ])('%s: %i %s', async (_, status, code, sent) => {
    const answer = await refused(sent);
    expect({ status: answer.status, code: answer.body.errors?.[0]?.extensions.code }).toEqual({
      status,
      code,
    });
    for (const { extensions } of answer.body.errors!)
      expect(Object.keys(extensions).sort()).toEqual(['code', 'details', 'requestId']);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it.each(['PUT', 'PATCH', 'DELETE'])(
    '%s: 405 METHOD_NOT_ALLOWED, and what is allowed (D80)',
    async (method) => {
      const { status, body, headers } = await refused({ method, body: { query } });
      expect({ status, code: body.errors![0]!.extensions.code, allow: headers.get('allow') }).toEqual({
        status: 405,
        code: 'METHOD_NOT_ALLOWED',
        allow: 'GET, POST, OPTIONS',
      });
    },
  );

  it('thousands of mistakes are told of twenty at a time', async () => {
    const { status, body } = await refused(ask(`{ ${times(2_000, (index) => `categoriez${index}`)} }`));
    expect({ status, count: body.errors!.length }).toEqual({ status: 400, count: 21 });
  });

  it('of two keys of one name the last counts, and the limits see no other', async () => {
    const body = `{"query":"{ __typename }","query":${JSON.stringify(deep(13))}}`;
    expect((await refused({ body })).body.errors![0]!.extensions.code).toBe('QUERY_TOO_COMPLEX');
  });

  it('a hash that nobody registered is told in the protocol’s own code, whole', async () => {
    const body = { extensions: { persistedQuery: { version: 1, sha256Hash: 'f'.repeat(64) } } };
    const { body: answer, headers } = await refused({ body });
    expect(answer.errors).toEqual([
      {
        message: 'PersistedQueryNotFound',
        extensions: {
          code: 'PERSISTED_QUERY_NOT_FOUND',
          details: [],
          requestId: headers.get('x-request-id'),
        },
      },
    ]);
  });

  it.each([
    ['{ browseApps(page: "two") { apps { id } } }', 'page: invalid_type'],
    ['{ browseApps(filter: { environment: prod }) { apps { id } } }', 'environment: invalid_type'],
  ])('a literal of a wrong type is told by its field: %s (D7)', async (text, problem) => {
    const { body } = await refused(ask(text));
    const details = body.errors!.flatMap(({ extensions }) => extensions.details);
    expect(details.map(({ field, code }) => `${field}: ${code}`)).toEqual([problem]);
  });

  it('what fails inside says nothing of its cause', async () => {
    await service.sql('alter table apps rename column average_rating to elsewhere');
    try {
      const { status, text, body } = await send(ask('{ browseApps { apps { id } } }'));
      expect({ status, codes: body.errors?.map(({ extensions }) => extensions.code) }).toEqual({
        status: 200,
        codes: ['INTERNAL'],
      });
      expect(text).not.toMatch(/average_rating|elsewhere|select|relation|stack|node_modules|\.js/);
    } finally {
      await service.sql('alter table apps rename column elsewhere to average_rating');
    }
  });
});

describe('a document that is asked for again and again', () => {
  const again = async (query: string, variables: Input = {}) => {
    const answers: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const { status, body, headers } = await send(ask(query, variables));
      answers.push(JSON.stringify({ status, body }).replaceAll(headers.get('x-request-id')!, ''));
    }
    return [...new Set(answers)].map((answer) => JSON.parse(answer) as unknown);
  };

  it.each<[string, string, Input?]>([
    [
      'data',
      '{ browseApps(limit: 5) { apps { id createdAt category developer { name } } pagination { total } } }',
    ],
    [
      'directives',
      'query ($yes: Boolean!) { me { id @skip(if: $yes) name @include(if: $yes) } }',
      { yes: true },
    ],
    [
      'what is left out',
      'query ($yes: Boolean!) { me @skip(if: $yes) { id } categories { count } }',
      { yes: true },
    ],
    ['a refusal', 'mutation { approveApp(id: "x", revision: 1) { id } }'],
    ['one refusal of several', '{ one: app(slug: "nothing") { id } two: categories { category count } }'],
    [
      'all problems of an input',
      'mutation { createApp(input: { name: "", description: "", category: OTHER, environment: staging }) { id } }',
    ],
    [
      'variables of a wrong type',
      'mutation ($input: CreateAppInput!) { createApp(input: $input) { id } }',
      { input: { name: 7, nmae: 'x' } },
    ],
    ['a default', 'query ($limit: Int = 3) { browseApps(limit: $limit) { pagination { limit } } }'],
    [
      'fragments',
      '{ me { ...a ... on Developer { status } __typename } } fragment a on Developer { id updatedAt }',
    ],
  ])('has the same answer once it is compiled: %s (D83)', async (_, query, variables = {}) => {
    expect(await again(query, variables)).toHaveLength(1);
  });
});

describe('attack after attack', () => {
  it('leaves the memory as it was', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heapMegabytes = () => {
      collect();
      return process.memoryUsage().heapUsed / 2 ** 20;
    };
    const attacks = [deep(200), explosion(30, '__typename'), widest, `{ ${'__typename '.repeat(6_000)} }`];
    const attack = async (index: number) => send(ask(`# ${index}\n${attacks[index % attacks.length]}`));
    for (let index = 0; index < 20; index += 1) await attack(index);
    const before = heapMegabytes();
    for (let index = 0; index < 200; index += 1) await attack(1_000 + index);
    expect(heapMegabytes() - before).toBeLessThan(15);
    expect((await send(ask('{ __typename }'))).status).toBe(200);
  });
});

describe('a list with what belongs to it', () => {
  it('takes as many statements for four as for one', async () => {
    const statements = async () => {
      const heard = await line.listenIn(() =>
        send(ask(`{ browseApps { apps { ${page} } } featuredApps { slug developer { name } } }`)),
      );
      return heard.filter((statement) => !/pgboss|last_used_at/.test(statement)).length;
    };
    await service.anApp(ada, 'APPROVED');
    const forOne = await statements();
    for (let count = 0; count < 3; count += 1) await service.anApp(ada, 'APPROVED');
    expect([forOne, await statements()]).toEqual([3, 3]);
  });
});
