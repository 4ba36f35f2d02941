import { describe, expect, it } from '@jest/globals';
import { duringTests } from '../support/before-tests.js';
import { leastCpuMs, maxMs } from '../support/cpu.js';
import { deep, times } from './documents.js';
import { GraphQLClient, type GraphQLRequest, getRequest, postRequest } from './graphql-client.js';

const client = duringTests(() => GraphQLClient.start());

const persisted = (fields: object) => ({ persistedQuery: { version: 1, sha256Hash: 'x', ...fields } });

describe('a hostile request is rejected before any operation runs', () => {
  const query = '{ me { id } }';
  const mutation = 'mutation { recordInstall(slug: "x") { slug } }';
  const post = (type: string, body: unknown) => ({ body, headers: { 'content-type': type } });
  const nested = (count: number) => '['.repeat(count) + ']'.repeat(count);
  const filtered = 'query ($filter: AppFilter) { browseApps(filter: $filter) { apps { id } } }';
  const creation = 'mutation ($input: CreateAppInput!) { createApp(input: $input) { id } }';
  const listing = '"name":"x","description":"x","category":"OTHER","environment":"staging"';

  it.each<[attack: string, request: GraphQLRequest]>([
    ['two queries in the URL', { ...getRequest({ query }), path: `/graphql?query=${query}&query=${query}` }],
    ['variables that are no JSON, by GET', getRequest({ query, variables: '{' })],
    [
      'a subscription with a condition that validation cannot evaluate',
      postRequest(
        'subscription ($if: Boolean!) { ...a } fragment a on Subscription { catalogChanged @include(if: $if) { slug } }',
        { if: true },
      ),
    ],
    [
      'circular fragments',
      postRequest('{ me { ...a } } fragment a on Developer { id ...b } fragment b on Developer { id ...a }'),
    ],
    [
      'two fragments of one name, of which one would multiply',
      postRequest(
        `{ ...F } fragment F on Query { ${'...G '.repeat(450)} } fragment F on Query { __typename } fragment G on Query { ${times(3_000, (index) => `x${index}`)} }`,
      ),
    ],
    ['an unknown operation name', { body: { query: `query a ${query}`, operationName: 'b' } }],
    [
      'the hash of another document',
      { body: { query, extensions: persisted({ sha256Hash: '0'.repeat(64) }) } },
    ],
    ['an unknown version of persisted queries', { body: { query, extensions: persisted({ version: 9 }) } }],
    ['a malformed hash', { body: { query, extensions: persisted({ sha256Hash: 'x' }) } }],
    [
      'a circular introspection',
      postRequest(
        '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
      ),
    ],
    [
      '__proto__ in variables',
      {
        body: `{"query":"${creation}","variables":{"__proto__":{"admin":true},"input":{"__proto__":{"name":"x"},${listing}}}}`,
      },
    ],
    [
      'null for a required argument with a default',
      postRequest('query ($slug: String = "x") { app(slug: $slug) { id } }', { slug: null }),
    ],
  ])('%s: 400 VALIDATION_FAILED (D7)', (_, request) => expectRejected(request, 400, 'VALIDATION_FAILED'));

  it.each<[attack: string, status: number, code: string, request: GraphQLRequest]>([
    ['a batch', 400, 'MALFORMED_JSON', { body: [{ query }, { query }] }],
    ['a mutation by GET', 405, 'METHOD_NOT_ALLOWED', getRequest({ query: mutation })],
    ['a long query string', 400, 'QUERY_TOO_COMPLEX', getRequest({ query, variables: 'x'.repeat(8_200) })],
    ['a form', 415, 'UNSUPPORTED_MEDIA_TYPE', post('application/x-www-form-urlencoded', `query=${query}`)],
    ['text/plain', 415, 'UNSUPPORTED_MEDIA_TYPE', post('text/plain', { query })],
    ['XML', 415, 'UNSUPPORTED_MEDIA_TYPE', post('application/xml', '<query/>')],
    ['a body that is not UTF-8', 400, 'MALFORMED_JSON', { body: Buffer.from('7b22ff223a317d', 'hex') }],
    ['variables of 300 KB', 413, 'PAYLOAD_TOO_LARGE', postRequest(query, { a: 'x'.repeat(300_000) })],
    [
      'variables nested 10,000 times',
      400,
      'MALFORMED_JSON',
      { body: `{"query":"${filtered}","variables":{"filter":${nested(10_000)}}}` },
    ],
    [
      'a literal nested 1,000 times',
      400,
      'QUERY_TOO_COMPLEX',
      postRequest(`{ browseApps(filter: ${nested(1_000)}) { apps { id } } }`),
    ],
  ])('%s: %i %s', (_, status, code, request) => expectRejected(request, status, code));

  async function expectRejected(request: GraphQLRequest, status: number, code: string): Promise<void> {
    const { status: found, body } = await client.sendRejected(request);
    expect({ status: found, code: body.errors?.[0]?.extensions.code }).toEqual({ status, code });
    for (const { extensions } of body.errors!)
      expect(Object.keys(extensions).sort()).toEqual(['code', 'details', 'requestId']);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  }

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
    const body = { extensions: persisted({ sha256Hash: 'f'.repeat(64) }) };
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

  it('a long word before an error is rejected quickly (D100)', async () => {
    const request = postRequest(`# ${'x'.repeat(120_000)}\n{ browseApps(page: "two") { apps { id } } }`);
    const send = async () => {
      const { body } = await client.sendRejected(request);
      expect(body.errors![0]!.extensions.code).toBe('VALIDATION_FAILED');
    };
    // Backtracking would take a quarter of a minute.
    expect(await leastCpuMs(send)).toBeLessThan(maxMs);
  });
});
