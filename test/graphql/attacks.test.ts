import { describe, expect, it } from '@jest/globals';
import { duringTests } from '../support/before-tests.js';
import { leastCpuMs, maxMs } from '../support/cpu.js';
import { deep, times } from './documents.js';
import { GraphQLClient, type GraphQLRequest, getRequest, postRequest } from './graphql-client.js';

const client = duringTests(() => GraphQLClient.start());

describe('a hostile request is rejected before any operation runs', () => {
  const query = '{ me { id } }';
  const mutation = 'mutation { recordInstall(slug: "x") { slug } }';
  it.each<[attack: string, status: number, code: string, request: GraphQLRequest]>([
    ['a batch', 400, 'MALFORMED_JSON', { body: [{ query }, { query }] }],
    ['a mutation by GET', 405, 'METHOD_NOT_ALLOWED', getRequest({ query: mutation })],
    ['a long query string', 400, 'QUERY_TOO_COMPLEX', getRequest({ query, variables: 'x'.repeat(8_200) })],
    ['variables that are no JSON, by GET', 400, 'VALIDATION_FAILED', getRequest({ query, variables: '{' })],
    [
      'two queries in the URL',
      400,
      'VALIDATION_FAILED',
      { ...getRequest({ query }), path: `/graphql?query=${query}&query=${query}` },
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
    ['variables of 300 KB', 413, 'PAYLOAD_TOO_LARGE', postRequest(query, { a: 'x'.repeat(300_000) })],
    [
      'a subscription with a condition that validation cannot evaluate',
      400,
      'VALIDATION_FAILED',
      postRequest(
        'subscription ($if: Boolean!) { ...a } fragment a on Subscription { catalogChanged @include(if: $if) { slug } }',
        { if: true },
      ),
    ],
    [
      'circular fragments',
      400,
      'VALIDATION_FAILED',
      postRequest('{ me { ...a } } fragment a on Developer { id ...b } fragment b on Developer { id ...a }'),
    ],
    [
      'two fragments of one name, of which one would multiply',
      400,
      'VALIDATION_FAILED',
      postRequest(
        `{ ...F } fragment F on Query { ${'...G '.repeat(450)} } fragment F on Query { __typename } fragment G on Query { ${times(3_000, (index) => `x${index}`)} }`,
      ),
    ],
    [
      'an unknown operation name',
      400,
      'VALIDATION_FAILED',
      { body: { query: `query a ${query}`, operationName: 'b' } },
    ],
    [
      'the hash of another document',
      400,
      'VALIDATION_FAILED',
      { body: { query, extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } } },
    ],
    [
      'a circular introspection',
      400,
      'VALIDATION_FAILED',
      postRequest(
        '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
      ),
    ],
    [
      '__proto__ in variables',
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
      postRequest(`{ browseApps(filter: ${'['.repeat(1_000)}${']'.repeat(1_000)}) { apps { id } } }`),
    ],
    [
      'null for a required argument with a default',
      400,
      'VALIDATION_FAILED',
      postRequest('query ($slug: String = "x") { app(slug: $slug) { id } }', { slug: null }),
    ],
  ])('%s: %i %s', async (_, status, code, request) => {
    const response = await client.sendRejected(request);
    expect({ status: response.status, code: response.body.errors?.[0]?.extensions.code }).toEqual({
      status,
      code,
    });
    for (const { extensions } of response.body.errors!)
      expect(Object.keys(extensions).sort()).toEqual(['code', 'details', 'requestId']);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('%s: 405 METHOD_NOT_ALLOWED with Allow (D80)', async (method) => {
    const { status, body, headers } = await client.sendRejected({ method, body: { query } });
    expect({ status, code: body.errors![0]!.extensions.code, allow: headers.get('allow') }).toEqual({
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
      allow: 'GET, HEAD, POST, OPTIONS',
    });
  });

  it('thousands of validation errors: 20 of them are reported', async () => {
    const { status, body } = await client.sendRejected(
      postRequest(`{ ${times(2_000, (index) => `categoriez${index}`)} }`),
    );
    expect({ status, count: body.errors!.length }).toEqual({ status: 400, count: 21 });
  });

  it('two queries in one body: the last one counts, for the limits, too', async () => {
    const body = `{"query":"{ __typename }","query":${JSON.stringify(deep(13))}}`;
    expect((await client.sendRejected({ body })).body.errors![0]!.extensions.code).toBe('QUERY_TOO_COMPLEX');
  });

  it('an unknown hash: the error code of the persisted query protocol', async () => {
    const body = { extensions: { persistedQuery: { version: 1, sha256Hash: 'f'.repeat(64) } } };
    const { body: rejected, headers } = await client.sendRejected({ body });
    expect(rejected.errors).toEqual([
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
  ])('a literal of a wrong type: the error names its field: %s (D7)', async (text, problem) => {
    const { body } = await client.sendRejected(postRequest(text));
    const details = body.errors!.flatMap(({ extensions }) => extensions.details);
    expect(details.map(({ field, code }) => `${field}: ${code}`)).toEqual([problem]);
  });

  it.each<[string, GraphQLRequest, string]>([
    [
      'a long word before an error',
      postRequest(`# ${'x'.repeat(120_000)}\n{ browseApps(page: "two") { apps { id } } }`),
      'VALIDATION_FAILED',
    ],
    [
      'many spaces in the Content-Type',
      { body: {}, headers: { 'content-type': `application/json; charset=${' '.repeat(4_000)}x"y` } },
      'UNSUPPORTED_MEDIA_TYPE',
    ],
  ])('%s is rejected quickly (D100)', async (_, request, code) => {
    const send = async () => {
      const { body } = await client.sendRejected(request);
      expect(body.errors![0]!.extensions.code).toBe(code);
    };
    // Backtracking would take a quarter of a minute.
    expect(await leastCpuMs(send)).toBeLessThan(maxMs);
  });

  it.each([
    ['an unknown version', { version: 9, sha256Hash: 'x' }],
    ['a malformed hash', { version: 1, sha256Hash: 'x' }],
  ])('a persisted query with %s: VALIDATION_FAILED (D7)', async (_, persistedQuery) => {
    const body = { query: '{ __typename }', extensions: { persistedQuery } };
    const { errors } = (await client.sendRejected({ body })).body;
    expect(errors!.map(({ extensions }) => extensions.code)).toEqual(['VALIDATION_FAILED']);
  });

  it('an unexpected error does not show its cause', async () => {
    await client.service.sql('alter table apps rename column banner_url to elsewhere');
    try {
      const { status, text, body } = await client.send(postRequest('{ browseApps { apps { bannerUrl } } }'));
      expect({ status, codes: body.errors?.map(({ extensions }) => extensions.code) }).toEqual({
        status: 200,
        codes: ['INTERNAL'],
      });
      expect(text).not.toMatch(/banner_url|elsewhere|select|relation|stack|node_modules|\.js/);
    } finally {
      await client.service.sql('alter table apps rename column elsewhere to banner_url');
    }
  });
});
