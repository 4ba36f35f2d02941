import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Developer } from '../support/actors.js';
import type { GraphQLBody, Input } from '../support/doors.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let ada: Developer;
beforeAll(async () => {
  service = await startService();
  ada = await service.aDeveloper();
});
afterAll(() => service.close());

const post = async (
  body: unknown,
  { headers = {}, bearer = null }: { headers?: Record<string, string>; bearer?: string | null } = {},
) => {
  const response = await service.doors.request('POST', '/graphql', { body, headers, bearer });
  const text = await response.text();
  return { response, status: response.status, body: (text ? JSON.parse(text) : {}) as GraphQLBody };
};
const ask = (query: string, variables: Input = {}, bearer: string | null = null) =>
  post({ query, variables }, { bearer });

/** Every error has the three extensions that REST’s body has, and nothing of our insides. */
const expectWhole = ({ response, body }: Awaited<ReturnType<typeof post>>) => {
  expect(body.errors?.length).toBeGreaterThan(0);
  for (const { message, extensions } of body.errors!) {
    expect(message).toBeTruthy();
    expect(Object.keys(extensions).sort()).toEqual(['code', 'details', 'requestId']);
    expect(extensions.requestId).toBe(response.headers.get('x-request-id'));
    expect(Array.isArray(extensions.details)).toBe(true);
    expect(message).not.toMatch(/node_modules|at \w+ \(/);
  }
};

const createApp = 'mutation ($input: CreateAppInput!) { createApp(input: $input) { id } }';
const browse =
  'query ($filter: AppFilter, $page: Int) { browseApps(filter: $filter, page: $page) { apps { id } } }';
const good = { name: 'x', description: 'x', category: 'OTHER', environment: 'production' };

describe('variables of a wrong type', () => {
  it.each<[string, string, Input, string[]]>([
    ['a number for a text', createApp, { input: { ...good, name: 7 } }, ['name: invalid_type']],
    ['an unknown value', createApp, { input: { ...good, category: 'GAMES' } }, ['category: invalid_type']],
    ['a missing field', createApp, { input: { ...good, name: undefined } }, ['name: required']],
    ['null for a required field', createApp, { input: { ...good, name: null } }, ['name: required']],
    ['an unknown field', createApp, { input: { ...good, nmae: 'x' } }, ['nmae: unknown_field']],
    [
      'a field that cannot be set',
      createApp,
      { input: { ...good, status: 'APPROVED' } },
      ['status: unknown_field'],
    ],
    [
      'an unknown field inside a list',
      createApp,
      { input: { ...good, screenshots: [{ url: 'https://a.example', captoin: 'x' }] } },
      ['screenshots.0.captoin: unknown_field'],
    ],
    [
      'a missing field inside a list',
      createApp,
      { input: { ...good, screenshots: [{ url: 'https://a.example' }, {}] } },
      ['screenshots.1.url: required'],
    ],
    ['no variable at all', createApp, {}, ['input: required']],
    [
      'several at once',
      createApp,
      { input: { ...good, name: 7, category: 7 } },
      ['name: invalid_type', 'category: invalid_type'],
    ],
    ['a text for a number', browse, { page: 'two' }, ['page: invalid_type']],
    ['a fraction', browse, { page: 1.5 }, ['page: invalid_type']],
    ['a number beyond all', browse, { page: 3_000_000_000 }, ['page: invalid_type']],
    [
      'an unknown value in the filter',
      browse,
      { filter: { environment: 'prod' } },
      ['environment: invalid_type'],
    ],
    ['an unknown field in the filter', browse, { filter: { serach: 'x' } }, ['serach: unknown_field']],
  ])('are VALIDATION_FAILED with 400: %s (D7)', async (_, query, variables, problems) => {
    const answer = await ask(query, variables, ada.key);
    expect(answer.status).toBe(400);
    expectWhole(answer);
    expect(answer.body.errors!.every(({ extensions }) => extensions.code === 'VALIDATION_FAILED')).toBe(true);
    const details = answer.body.errors!.flatMap(({ extensions }) => extensions.details);
    expect(details.map(({ field, code }) => `${field}: ${code}`).sort()).toEqual(problems.sort());
  });
});

describe('a document that is wrong', () => {
  it.each([
    ['does not parse', '{'],
    ['is empty', ''],
    ['asks for an unknown field', '{ nothing }'],
    ['asks for a private field', '{ app(slug: "x") { developer { email } } }'],
    ['leaves out an argument', '{ app { id } }'],
    ['has an unknown argument', '{ categories(first: 1) { count } }'],
    ['has a literal of a wrong type', '{ browseApps(page: "two") { apps { id } } }'],
    ['has an unknown enum literal', '{ browseApps(sort: oldest) { apps { id } } }'],
    ['has an input literal with an unknown field', '{ browseApps(filter: { serach: "x" }) { apps { id } } }'],
    ['has an input literal without a required field', 'mutation { createApp(input: {}) { id } }'],
    ['asks for nothing of an object', '{ categories }'],
    ['has two operations and no name', 'query a { __typename } query b { __typename }'],
    ['uses an unknown fragment', '{ ...nothing }'],
    ['is a subscription', 'subscription { me { id } }'],
  ])('is VALIDATION_FAILED with 400 and details: it %s (D7)', async (_, query) => {
    const answer = await ask(query, {}, ada.key);
    expect(answer.status).toBe(400);
    expectWhole(answer);
    for (const { extensions } of answer.body.errors!) {
      expect(extensions.code).toBe('VALIDATION_FAILED');
      expect(extensions.details).toHaveLength(1);
    }
  });

  it.each([
    ['{ browseApps(filter: { serach: "x" }) { apps { id } } }', 'serach: unknown_field'],
    ['mutation { recordInstall(slug: "x", input: { versoin: "1" }) { slug } }', 'versoin: unknown_field'],
    ['mutation { rejectApp(id: "x", input: { revision: 1, reasons: [] }) { id } }', 'guidance: required'],
  ])('names the field of a literal: %s (D7)', async (query, problem) => {
    const { body } = await ask(query, {}, ada.key);
    expect(
      body.errors!.flatMap(({ extensions }) =>
        extensions.details.map(({ field, code }) => `${field}: ${code}`),
      ),
    ).toContain(problem);
  });

  it('is VALIDATION_FAILED when the request names an operation that it has not', async () => {
    const answer = await post({ query: 'query a { __typename }', operationName: 'b' });
    expect(answer.status).toBe(400);
    expectWhole(answer);
  });
});

describe('a request that is no GraphQL', () => {
  it.each([
    ['without a query', {}],
    ['with a query that is no text', { query: 7 }],
    ['with variables that are no object', { query: '{ __typename }', variables: 'x' }],
  ])('is VALIDATION_FAILED with 400: %s (D7)', async (_, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expectWhole(answer);
    expect(answer.body.errors![0]!.extensions.code).toBe('VALIDATION_FAILED');
  });

  it.each([
    ['malformed JSON', '{"query":', 'MALFORMED_JSON', 400, 'application/json'],
    ['JSON that is no object', '"query"', 'MALFORMED_JSON', 400, 'application/json'],
    [
      'too large',
      JSON.stringify({ query: '#'.repeat(300_000) }),
      'PAYLOAD_TOO_LARGE',
      413,
      'application/json',
    ],
    [
      'a wrong charset',
      '{"query":"{ __typename }"}',
      'UNSUPPORTED_MEDIA_TYPE',
      415,
      'application/json; charset=latin1',
    ],
  ])('is refused by the transport in GraphQL’s shape: %s (D6)', async (_, body, code, status, type) => {
    const answer = await post(body, { headers: { 'content-type': type } });
    expect(answer.status).toBe(status);
    expectWhole(answer);
    expect(answer.body.errors![0]!.extensions.code).toBe(code);
  });

  it('cannot be sent by a form of another site', async () => {
    const answer = await post('query={ __typename }', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    const get = await service.doors.request('GET', '/graphql?query={__typename}');
    expect(get.status).toBe(400);
  });

  it('cannot change anything with a GET', async () => {
    const query = encodeURIComponent('mutation { recordInstall(slug: "x") { slug } }');
    const response = await service.doors.request('GET', `/graphql?query=${query}`, {
      headers: { 'apollo-require-preflight': '1' },
    });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('a refusal of an operation', () => {
  it('comes with HTTP 200 and its code in the extensions (D7)', async () => {
    const answer = await ask('{ me { id } }');
    expect(answer.status).toBe(200);
    expectWhole(answer);
    expect(answer.body).toMatchObject({
      data: null,
      errors: [{ path: ['me'], extensions: { code: 'UNAUTHENTICATED', details: [] } }],
    });
  });

  it('has the details of all problems of the input, by their paths (D7)', async () => {
    const input = { ...good, name: '', screenshots: [{ url: 'nonsense' }] };
    const answer = await ask(createApp, { input }, ada.key);
    expect(answer.status).toBe(200);
    expectWhole(answer);
    expect(answer.body.errors![0]!.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [
        { field: 'name', code: 'too_short' },
        { field: 'screenshots.0.url', code: 'invalid_url' },
      ],
    });
  });

  it('leaves the answers of the other operations of a request alone', async () => {
    const mutation = `mutation ($slug: String!) {
      good: recordInstall(slug: $slug) { installCount }
      bad: recordInstall(slug: "nothing-here") { installCount }
    }`;
    const { slug } = await service.anApp(ada, 'APPROVED');
    const { body } = await ask(mutation, { slug });
    // A non-null field that fails takes the whole answer along; what was done stays done.
    expect(body.data).toBeNull();
    expect(body.errors).toMatchObject([{ path: ['bad'], extensions: { code: 'NOT_FOUND' } }]);
    expect(await service.doors.must('app', { slug })).toMatchObject({ installCount: 1 });
  });

  it('is the same for one caller in each operation of a request', async () => {
    const { body } = await ask('{ me { id } myApps { id } categories { count } }', {}, 'mkt_nonsense');
    expect(body.errors!.map(({ extensions }) => extensions.code)).toContain('INVALID_API_KEY');
  });
});

describe('INTROSPECTION=off', () => {
  it('closes introspection and /schema.graphql, and nothing else', async () => {
    const closed = await startService({ INTROSPECTION: 'off' });
    try {
      const { response, errors } = await closed.doors.graphql('{ __schema { types { name } } }');
      expect(response.status).toBe(400);
      expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
      expect((await closed.doors.request('GET', '/schema.graphql')).status).toBe(404);
      expect((await closed.doors.graphql('{ categories { count } }')).data).toBeTruthy();
    } finally {
      await closed.close();
    }
  });
});
