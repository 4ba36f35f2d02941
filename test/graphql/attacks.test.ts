import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { maxMs } from '../support/cpu.js';
import type { Input } from '../support/doors.js';
import { Attacker, ask, byGet, type Sent } from './attacker.js';
import { deep, explosion, times, widest } from './documents.js';

let attacker: Attacker;
beforeAll(async () => {
  attacker = await Attacker.arrive();
});
afterAll(() => attacker.leave());

describe('a request that means harm is refused before anything runs', () => {
  const query = '{ me { id } }';
  const mutation = 'mutation { recordInstall(slug: "x") { slug } }';
  const preflighted = { 'apollo-require-preflight': '1' };
  it.each<[attack: string, status: number, code: string, sent: Sent]>([
    ['a batch', 400, 'MALFORMED_JSON', { body: [{ query }, { query }] }],
    ['a mutation by GET', 405, 'METHOD_NOT_ALLOWED', byGet({ query: mutation }, preflighted)],
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
      'a fragment that hides another of its name, which would multiply',
      400,
      'VALIDATION_FAILED',
      ask(
        `{ ...F } fragment F on Query { ${'...G '.repeat(450)} } fragment F on Query { __typename } fragment G on Query { ${times(3_000, (index) => `x${index}`)} }`,
      ),
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
      'MALFORMED_JSON',
      {
        body: `{"query":"query ($filter: AppFilter) { browseApps(filter: $filter) { apps { id } } }","variables":{"filter":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`,
      },
    ],
    [
      'a literal nested 1,000 times',
      400,
      'QUERY_TOO_COMPLEX',
      ask(`{ browseApps(filter: ${'['.repeat(1_000)}${']'.repeat(1_000)}) { apps { id } } }`),
    ],
    [
      'a hidden argument that is null',
      400,
      'VALIDATION_FAILED',
      ask('query ($slug: String = "x") { app(slug: $slug) { id } }', { slug: null }),
    ],
  ])('%s: %i %s', async (_, status, code, sent) => {
    const answer = await attacker.refused(sent);
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
      const { status, body, headers } = await attacker.refused({ method, body: { query } });
      expect({ status, code: body.errors![0]!.extensions.code, allow: headers.get('allow') }).toEqual({
        status: 405,
        code: 'METHOD_NOT_ALLOWED',
        allow: 'GET, POST, OPTIONS',
      });
    },
  );

  it('thousands of mistakes are told of twenty at a time', async () => {
    const { status, body } = await attacker.refused(
      ask(`{ ${times(2_000, (index) => `categoriez${index}`)} }`),
    );
    expect({ status, count: body.errors!.length }).toEqual({ status: 400, count: 21 });
  });

  it('of two keys of one name the last counts, and the limits see no other', async () => {
    const body = `{"query":"{ __typename }","query":${JSON.stringify(deep(13))}}`;
    expect((await attacker.refused({ body })).body.errors![0]!.extensions.code).toBe('QUERY_TOO_COMPLEX');
  });

  it('a hash that nobody registered is told in the protocol’s own code, whole', async () => {
    const body = { extensions: { persistedQuery: { version: 1, sha256Hash: 'f'.repeat(64) } } };
    const { body: answer, headers } = await attacker.refused({ body });
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
    const { body } = await attacker.refused(ask(text));
    const details = body.errors!.flatMap(({ extensions }) => extensions.details);
    expect(details.map(({ field, code }) => `${field}: ${code}`)).toEqual([problem]);
  });

  it.each<[string, Sent, string]>([
    [
      'a long word before a mistake',
      ask(`# ${'x'.repeat(120_000)}\n{ browseApps(page: "two") { apps { id } } }`),
      'VALIDATION_FAILED',
    ],
    [
      'a long gap in the type of the body',
      { body: {}, headers: { 'content-type': `application/json; charset=${' '.repeat(4_000)}x"y` } },
      'UNSUPPORTED_MEDIA_TYPE',
    ],
  ])('%s holds up nobody', async (_, sent, code) => {
    const started = performance.now();
    expect((await attacker.refused(sent)).body.errors![0]!.extensions.code).toBe(code);
    // It would take a quarter of a minute and more.
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('what fails inside says nothing of its cause', async () => {
    await attacker.service.sql('alter table apps rename column average_rating to elsewhere');
    try {
      const { status, text, body } = await attacker.send(ask('{ browseApps { apps { id } } }'));
      expect({ status, codes: body.errors?.map(({ extensions }) => extensions.code) }).toEqual({
        status: 200,
        codes: ['INTERNAL'],
      });
      expect(text).not.toMatch(/average_rating|elsewhere|select|relation|stack|node_modules|\.js/);
    } finally {
      await attacker.service.sql('alter table apps rename column elsewhere to average_rating');
    }
  });
});

describe('variables with thousands of mistakes', () => {
  const createApp = 'mutation ($input: CreateAppInput!) { createApp(input: $input) { id } }';
  const good = { name: 'x', description: 'x', category: 'OTHER', environment: 'staging' };
  const many = (count: number, name: (index: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), 1]));
  const attacks: [attack: string, query: string, variables: Input][] = [
    ['wrong items', createApp, { input: { ...good, screenshots: Array(20_000).fill(1) } }],
    ['wrong objects', createApp, { input: { ...good, screenshots: Array(20_000).fill({ x: 1 }) } }],
    ['empty objects', createApp, { input: { ...good, screenshots: Array(60_000).fill({}) } }],
    ['nulls', createApp, { input: { ...good, screenshots: Array(50_000).fill(null) } }],
    ['unknown fields', createApp, { input: many(2_500, (index) => `f${index}`.padEnd(90, 'x')) }],
    ['unknown short fields', createApp, { input: many(20_000, (index) => `f${index}`) }],
    [
      'a long value beside them',
      createApp,
      { input: { ...many(60, (index) => `f${index}`), name: 'y'.repeat(200_000) } },
    ],
    ['a long field among them', createApp, { input: { ...good, ['z'.repeat(200_000)]: 1 } }],
    [
      'a long value of a wrong kind',
      'query ($sort: AppSort) { browseApps(sort: $sort) { apps { id } } }',
      { sort: 'a'.repeat(200_000) },
    ],
    [
      'wrong values of many variables',
      `query (${times(600, (index) => `$v${index}: Int`)}) { __typename ${times(40, (index) => `a${index}: browseApps(page: $v${index}) { apps { id } }`)} }`,
      many(600, (index) => `v${index}`),
    ],
  ];

  it.each(attacks)(
    'are told of 50 at most, in little time and few words: %s (D100)',
    async (_, query, variables) => {
      let least = Infinity;
      // Compiled, too; and a garbage collection of somebody else's is not counted.
      for (let sent = 0; sent < 5; sent += 1) {
        const started = process.cpuUsage();
        const { status, body, text } = await attacker.refused(ask(query, variables));
        const { user, system } = process.cpuUsage(started);
        least = Math.min(least, user + system);
        expect({ status, errors: body.errors!.length }).toMatchObject({ status: 400 });
        expect(new Set(body.errors!.map(({ extensions }) => extensions.code))).toEqual(
          new Set(['VALIDATION_FAILED']),
        );
        expect(body.errors!.flatMap(({ extensions }) => extensions.details).length).toBeLessThanOrEqual(50);
        expect(text.length).toBeLessThan(64 * 1024);
      }
      expect(least / 1_000).toBeLessThan(maxMs);
    },
  );

  it('say how many there are, or that there are more than are told (D100, D137)', async () => {
    const messageFor = async (screenshots: unknown[]) =>
      (await attacker.refused(ask(createApp, { input: { ...good, screenshots } }))).body.errors![0]!.message;
    expect(await messageFor([1])).toBe('The variables are not valid: they have one problem, see details.');
    expect(await messageFor(Array(50).fill(1))).toMatch(/they have 50 problems/);
    expect(await messageFor(Array(51).fill(1))).toMatch(/they have more than 50 problems/);
  });
});

describe('a document that is asked for again and again', () => {
  const again = async (query: string, variables: Input = {}) => {
    const answers: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const { status, body, headers } = await attacker.send(ask(query, variables));
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
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heapMegabytes = () => {
    collect();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  const attacks = [deep(200), explosion(30, '__typename'), widest, `{ ${'__typename '.repeat(6_000)} }`];

  // Kept, the long ones would be 40 MB; the last of them may not have been collected yet.
  it.each<[attack: string, megabytes: number, sent: (index: number) => Sent]>([
    ['documents beyond the limits', 15, (index) => ask(`# ${index}\n${attacks[index % attacks.length]}`)],
    [
      'long names of variables that nobody declared',
      30,
      (index) => ask(`# ${index % 20}\n{ __typename }`, { [`${index}`.padEnd(200_000, 'x')]: null }),
    ],
    [
      'long values of variables that only another operation has',
      30,
      (index) => ({
        body: {
          query: `# ${index % 20}\nquery a { __typename } query b($n: Int) { browseApps(limit: $n) { apps { id } } }`,
          operationName: 'a',
          variables: { n: `${index}`.padEnd(200_000, 'x') },
        },
      }),
    ],
  ])('leaves the memory as it was: %s', async (_, megabytes, sent) => {
    const attack = (index: number) => attacker.send(sent(index));
    for (let index = 0; index < 20; index += 1) await attack(index);
    const before = heapMegabytes();
    for (let index = 0; index < 200; index += 1) await attack(1_000 + index);
    expect(heapMegabytes() - before).toBeLessThan(megabytes);
    expect((await attacker.send(ask('{ __typename }'))).status).toBe(200);
  });
});
