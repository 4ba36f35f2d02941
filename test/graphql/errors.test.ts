import { describe, expect, it } from '@jest/globals';
import type { GraphQLBody, Input } from '../support/api-client.js';
import { beforeTests } from '../support/before-tests.js';
import { sharedService } from '../support/service.js';

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());

const post = async (
  body: unknown,
  { headers = {}, bearer = null }: { headers?: Record<string, string>; bearer?: string | null } = {},
) => {
  const response = await service.client.request('POST', '/graphql', { body, headers, bearer });
  const text = await response.text();
  return { response, status: response.status, body: (text ? JSON.parse(text) : {}) as GraphQLBody };
};
const send = (query: string, variables: Input = {}, bearer: string | null = null) =>
  post({ query, variables }, { bearer });

/** Every error has the same three fields as over REST, and shows no internals. */
const expectErrorFields = ({ response, body }: Sent) => {
  expect(body.errors?.length).toBeGreaterThan(0);
  for (const { message, extensions } of body.errors!) {
    expect(message).toBeTruthy();
    expect(Object.keys(extensions).sort()).toEqual(['code', 'details', 'requestId']);
    expect(extensions.requestId).toBe(response.headers.get('x-request-id'));
    expect(Array.isArray(extensions.details)).toBe(true);
    expect(message).not.toMatch(/node_modules|at \w+ \(/);
  }
};

type Sent = Awaited<ReturnType<typeof post>>;
const codesOf = ({ body }: Sent) => body.errors!.map(({ extensions }) => extensions.code);
const problemsOf = ({ body }: Sent) =>
  body.errors!.flatMap(({ extensions }) => extensions.details).map(({ field, code }) => `${field}: ${code}`);

const createApp = 'mutation ($input: CreateAppInput!) { createApp(input: $input) { id } }';
const browse =
  'query ($filter: AppFilter, $page: Int) { browseApps(filter: $filter, page: $page) { apps { id } } }';
const valid = { name: 'x', description: 'x', category: 'OTHER', environment: 'production' };

describe('variables of a wrong type', () => {
  const expectRejected = async (query: string, variables: Input, problems: string[]) => {
    const response = await send(query, variables, ada.key);
    expect(response.status).toBe(400);
    expectErrorFields(response);
    expect(new Set(codesOf(response))).toEqual(new Set(['VALIDATION_FAILED']));
    expect(problemsOf(response).sort()).toEqual(problems.sort());
  };

  it.each<[string, Input, ...string[]]>([
    ['a number for a text', { name: 7 }, 'name: invalid_type'],
    ['an unknown enum value', { category: 'GAMES' }, 'category: invalid_type'],
    ['a missing field', { name: undefined }, 'name: required'],
    ['null for a required field', { name: null }, 'name: required'],
    ['an unknown field', { nmae: 'x' }, 'nmae: unknown_field'],
    ['a field that cannot be set', { status: 'APPROVED' }, 'status: unknown_field'],
    [
      'an unknown field inside a list',
      { screenshots: [{ url: 'https://a.example', captoin: 'x' }] },
      'screenshots.0.captoin: unknown_field',
    ],
    [
      'a missing field inside a list',
      { screenshots: [{ url: 'https://a.example' }, {}] },
      'screenshots.1.url: required',
    ],
    ['several problems', { name: 7, category: 7 }, 'name: invalid_type', 'category: invalid_type'],
  ])('are rejected with 400 VALIDATION_FAILED in an input: %s (D7)', (_, fields, ...problems) =>
    expectRejected(createApp, { input: { ...valid, ...fields } }, problems),
  );

  it.each<[string, string, Input, ...string[]]>([
    ['no variable at all', createApp, {}, 'input: required'],
    ['a text for a number', browse, { page: 'two' }, 'page: invalid_type'],
    ['a fraction', browse, { page: 1.5 }, 'page: invalid_type'],
    ['a number beyond 32 bits', browse, { page: 3_000_000_000 }, 'page: invalid_type'],
    ['an unknown enum value', browse, { filter: { environment: 'prod' } }, 'environment: invalid_type'],
    ['an unknown field', browse, { filter: { serach: 'x' } }, 'serach: unknown_field'],
    [
      'variables with names of their own',
      `mutation ($app: CreateAppInput!, $s: [ScreenshotInput!], $c: Category!, $u: String!) {
        createApp(input: $app) { id }
        b: createApp(input: { name: "x", description: "x", environment: production, category: $c, screenshots: $s }) { id }
        c: createApp(input: { name: "x", description: "x", environment: production, category: OTHER, screenshots: [{ url: "x" }, { url: $u }] }) { id }
      }`,
      { app: { ...valid, name: 7 }, c: 'GAMES', s: [{ url: 'x' }, {}], u: 7 },
      ...['name: invalid_type', 'category: invalid_type'],
      ...['screenshots.1.url: required', 'screenshots.1.url: invalid_type'],
    ],
  ])('are rejected with 400 VALIDATION_FAILED: %s (D7)', (_, query, variables, ...problems) =>
    expectRejected(query, variables, problems),
  );
});

describe('an invalid document', () => {
  it.each([
    ['does not parse', '{'],
    ['is empty', ''],
    ['selects an unknown field', '{ nothing }'],
    ['selects a private field', '{ app(slug: "x") { developer { email } } }'],
    ['lacks an argument', '{ app { id } }'],
    ['has an unknown argument', '{ categories(first: 1) { count } }'],
    ['has a literal of a wrong type', '{ browseApps(page: "two") { apps { id } } }'],
    ['has an unknown enum literal', '{ browseApps(sort: oldest) { apps { id } } }'],
    ['has an input literal with an unknown field', '{ browseApps(filter: { serach: "x" }) { apps { id } } }'],
    ['has an input literal without a required field', 'mutation { createApp(input: {}) { id } }'],
    ['selects no field of an object', '{ categories }'],
    ['has two operations and no name', 'query a { __typename } query b { __typename }'],
    ['uses an unknown fragment', '{ ...nothing }'],
    ['is a subscription', 'subscription { me { id } }'],
  ])('is rejected with 400 VALIDATION_FAILED and details if it %s (D7)', async (_, query) => {
    const response = await send(query, {}, ada.key);
    expect(response.status).toBe(400);
    expectErrorFields(response);
    expect(new Set(codesOf(response))).toEqual(new Set(['VALIDATION_FAILED']));
    for (const { extensions } of response.body.errors!) expect(extensions.details).toHaveLength(1);
  });

  it.each([
    ['{ browseApps(filter: { serach: "x" }) { apps { id } } }', 'serach: unknown_field'],
    ['mutation { recordInstall(slug: "x", input: { versoin: "1" }) { slug } }', 'versoin: unknown_field'],
    ['mutation { rejectApp(id: "x", input: { revision: 1, reasons: [] }) { id } }', 'guidance: required'],
    ...(
      [
        ['{ url: "x" }, { url: 5 }', 'screenshots.1.url: invalid_type'],
        ['{ url: "x", order: "x" }', 'screenshots.0.order: invalid_type'],
        ['{ url: "x", foo: 1 }', 'screenshots.0.foo: unknown_field'],
        ['{ caption: "x" }', 'screenshots.0.url: required'],
        ['{ url: null }', 'screenshots.0.url: invalid_type'],
      ] as const
    ).map(([screenshots, problem]): [string, string] => [
      `mutation { createApp(input: { name: "a", description: "b", category: OTHER, environment: production, screenshots: [${screenshots}] }) { id } }`,
      problem,
    ]),
    [
      'mutation { createApiKey(input: { name: "k", scopes: [APP_READ, BAD] }) { id } }',
      'scopes.1: invalid_type',
    ],
    ['{ browseApps(page: "two") { apps { id } } }', 'page: invalid_type'],
    ['{ browseApps(filter: { environment: prod }) { apps { id } } }', 'environment: invalid_type'],
  ])('is rejected with the name of the field of a literal: %s (D7)', async (query, problem) => {
    expect(problemsOf(await send(query, {}, ada.key))).toContain(problem);
  });
});

describe('a request without a GraphQL document', () => {
  it.each([
    ['without a query', {}],
    ['with a query that is no string', { query: 7 }],
    ['with variables that are no object', { query: '{ __typename }', variables: 'x' }],
  ])('is rejected with 400 VALIDATION_FAILED: %s (D7)', async (_, body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expectErrorFields(response);
    expect(response.body.errors![0]!.extensions.code).toBe('VALIDATION_FAILED');
  });

  const json = 'application/json';
  const tooLarge = JSON.stringify({ query: '#'.repeat(300_000) });
  it.each([
    ['malformed JSON', '{"query":', 'MALFORMED_JSON', 400, json],
    ['JSON that is no object', '"query"', 'MALFORMED_JSON', 400, json],
    ['too large', tooLarge, 'PAYLOAD_TOO_LARGE', 413, json],
    ['a wrong charset', '{}', 'UNSUPPORTED_MEDIA_TYPE', 415, 'application/json; charset=latin1'],
  ])('is rejected with an error in the form of GraphQL: %s (D6)', async (_, body, code, status, type) => {
    const response = await post(body, { headers: { 'content-type': type } });
    expect([response.status, codesOf(response)]).toEqual([status, [code]]);
    expectErrorFields(response);
  });

  it('cannot be a mutation by GET', async () => {
    const query = encodeURIComponent('mutation { recordInstall(slug: "x") { slug } }');
    for (const method of ['GET', 'HEAD']) {
      const response = await service.client.request(method, `/graphql?query=${query}`);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });
});

describe('an error of an operation', () => {
  it.each([
    ['app', 'app(slug: "nothing-here") { id }', 'NOT_FOUND'],
    ['me', 'me { id }', 'UNAUTHENTICATED'],
    ['myApp', 'myApp(id: "x") { id }', 'UNAUTHENTICATED'],
    ['appAnalytics', 'appAnalytics(id: "x") { installCount }', 'UNAUTHENTICATED'],
    ['preflight', 'preflight(id: "x") { ready }', 'UNAUTHENTICATED'],
    ['developer', 'developer(id: "x") { id }', 'UNAUTHENTICATED'],
    ['myRating', 'myRating(slug: "x") { id }', 'UNAUTHENTICATED'],
  ])(
    'makes only the look-up null, and the rest of the document is returned: %s (D7, D140)',
    async (name, field, code) => {
      // At the third request the document runs compiled.
      for (let request = 1; request <= 3; request += 1) {
        const response = await send(`{ categories { category } found: ${field} }`);
        expect([name, response.status]).toEqual([name, 200]);
        expectErrorFields(response);
        expect(response.body).toMatchObject({
          data: { categories: expect.arrayContaining([{ category: 'AI_ML' }]), found: null },
          errors: [{ path: ['found'], extensions: { code, details: [] } }],
        });
        expect(response.response.headers.get('cache-control')).toBe('no-store');
      }
    },
  );

  it('makes the whole data null if the field is a list (D140)', async () => {
    const { body } = await send('{ categories { category } myApps { id } }');
    expect(body).toMatchObject({ data: null, errors: [{ path: ['myApps'] }] });
  });

  it('has the details of all problems of the input, with their paths (D7)', async () => {
    const input = { ...valid, name: '', screenshots: [{ url: 'nonsense' }] };
    const response = await send(createApp, { input }, ada.key);
    expect(response.status).toBe(200);
    expectErrorFields(response);
    expect(response.body.errors![0]!.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [
        { field: 'name', code: 'too_short' },
        { field: 'screenshots.0.url', code: 'invalid_url' },
      ],
    });
  });

  it('does not undo the other mutations of a request', async () => {
    const mutation = `mutation ($slug: String!) {
      good: recordInstall(slug: $slug) { installCount }
      bad: recordInstall(slug: "nothing-here") { installCount }
    }`;
    const { slug } = await service.anApp(ada, 'APPROVED');
    const { body } = await send(mutation, { slug });
    // An error of a non-null field makes the whole data null; the first mutation is committed.
    expect(body.data).toBeNull();
    expect(body.errors).toMatchObject([{ path: ['bad'], extensions: { code: 'NOT_FOUND' } }]);
    expect(await service.must('app', { slug })).toMatchObject({ installCount: 1 });
  });

  it('is VALIDATION_FAILED for a forged cursor, such as one of the year 0 (D7)', async () => {
    const cursor = '0000-01-01T00:00:00.000Z 01890000-0000-7000-8000-000000000000';
    const after = Buffer.from(cursor).toString('base64url');
    const { code } = await service.callAsAdmin('developers', { after });
    expect(code).toBe('VALIDATION_FAILED');
  });
});
