import { beforeAll, describe, expect, it } from '@jest/globals';
import { operations } from '../../src/contract.js';
import { duringTests } from '../support/before-tests.js';
import {
  graphqlRequest,
  headerOf,
  jsonRequest,
  type RawRequest,
  type RawResponse,
  sendRequest,
} from '../support/send-request.js';
import { startService } from '../support/service.js';

const allowedOrigin = 'https://tasks.example';
let slug: string;
const service = duringTests(() =>
  startService({
    CORS_ORIGINS: allowedOrigin,
    TRUST_PROXY: '1',
    RATE_LIMITS:
      'public=40,install=40,address=1000000,graphql=1000000,read=1000000,write=1000000,credentials=1000000,failures=1000000',
  }),
);
beforeAll(async () => {
  slug = (await service.anApp(await service.aDeveloper(), 'APPROVED')).slug;
});

/** Each case comes from an address of its own, so that each starts with fresh rate limits. */
let lastAddress = 0;
async function send(requests: readonly RawRequest[], origin: Record<string, string>): Promise<RawResponse[]> {
  lastAddress += 1;
  const address = { 'x-forwarded-for': `10.9.${lastAddress >> 8}.${lastAddress & 255}` };
  const responses: RawResponse[] = [];
  for (const request of requests)
    responses.push(
      await sendRequest(service.url, { ...request, headers: { ...request.headers, ...origin, ...address } }),
    );
  return responses;
}

/** The status of a response, and its error code. */
const outcome = ({ status, body }: RawResponse) =>
  [status, /"code":"([A-Z_]+)"/.exec(body)?.[1] ?? 'OK'] as const;
const times = <T>(count: number, value: T) => Array.from({ length: count }, () => value);
const path = (template: string) => template.replace(':slug', slug).replace(/:\w+/g, crypto.randomUUID());

const routes = operations.flatMap(([, operation]) => {
  const [method = '', template = ''] = operation.rest?.split(' ') ?? [];
  return operation.rest ? [{ method, template, isPublic: operation.policy.kind === 'anyone' }] : [];
});

describe.each<[string, Record<string, string>]>([
  ['no page', {}],
  ['a page of an allowed origin', { origin: allowedOrigin }],
  ['a page of another origin', { origin: 'https://stranger.example' }],
])('a request of %s', (_, origin) => {
  // Pages of other origins may send nothing but reads and JSON (D102).
  const isStranger = origin.origin === 'https://stranger.example';
  /** Only pages of allowed origins can read the response, whatever it is. */
  const expectOrigin = (responses: readonly RawResponse[]) => {
    const allowed = origin.origin === allowedOrigin ? allowedOrigin : undefined;
    expect(responses.map((response) => headerOf(response, 'access-control-allow-origin'))).toEqual(
      responses.map(() => allowed),
    );
    for (const response of responses) expect(headerOf(response, 'vary')).toMatch(/^Origin\b/);
  };

  it.each(routes.filter(({ method }) => method === 'GET'))(
    'to GET $template has the same response with a body, a credential that is not needed and a slash',
    async ({ template, isPublic }) => {
      const plain = { path: path(template) };
      const responses = await send(
        [
          { ...plain, method: 'PATCH' },
          { ...plain, method: 'OPTIONS' },
          { ...plain, headers: { 'content-length': '2' }, body: ['{}'] },
          { ...plain, headers: { authorization: 'Bearer nonsense' } },
          { path: `${plain.path}/` },
        ],
        origin,
      );
      const found = isPublic ? [200, 'OK'] : [401, 'UNAUTHENTICATED'];
      expect(responses.map(outcome)).toEqual([
        isStranger ? [403, 'FORBIDDEN'] : [405, 'METHOD_NOT_ALLOWED'],
        [204, 'OK'],
        found,
        isPublic ? found : [401, 'INVALID_TOKEN'],
        found,
      ]);
      expectOrigin(responses);
    },
  );

  it.each(routes.filter(({ method }) => method === 'POST' || method === 'PUT'))(
    'to $method $template has its body read before its credential is checked',
    async ({ method, template, isPublic }) => {
      const json = (body: string, headers: Record<string, string> = {}): RawRequest => ({
        ...jsonRequest(path(template), body, headers),
        method,
      });
      const responses = await send(
        [
          json('{"installationId":'),
          json('[]'),
          json('{}', { 'content-type': 'text/plain' }),
          json('{"installationId":7,"name":7}', { authorization: 'Bearer mkt_nonsense' }),
        ],
        origin,
      );
      expect(responses.map(outcome)).toEqual([
        [400, 'MALFORMED_JSON'],
        [400, 'MALFORMED_JSON'],
        isStranger ? [403, 'FORBIDDEN'] : [415, 'UNSUPPORTED_MEDIA_TYPE'],
        isPublic ? [400, 'VALIDATION_FAILED'] : [401, 'INVALID_API_KEY'],
      ]);
      expectOrigin(responses);
    },
  );

  it.each<[string, number, () => RawRequest]>([
    ['a list', 429, () => ({ path: '/api/apps' })],
    ['an app', 429, () => ({ path: `/api/apps/${slug}` })],
    ['an install', 429, () => jsonRequest('/api/apps/none/install', '{}')],
    ['an unknown path', 404, () => ({ path: '/api/nothing' })],
  ])('for %s is charged, from the cache or not: %i after 40 (D34)', async (_name, status, request) => {
    const responses = await send(times(45, request()), origin);
    const last = responses.at(-1)!;
    expect(last.status).toBe(status);
    if (status === 429) expect(headerOf(last, 'retry-after')).toMatch(/^\d+$/);
    expectOrigin(responses);
  });

  it.each<[string, number, string, () => RawRequest]>([
    ['a syntax error', 400, 'VALIDATION_FAILED', () => graphqlRequest('{ browseApps')],
    ['an unknown field', 400, 'VALIDATION_FAILED', () => graphqlRequest('{ browsApps { apps { slug } } }')],
    ['a private field', 200, 'UNAUTHENTICATED', () => graphqlRequest('{ me { id } }')],
    ['no JSON', 400, 'MALFORMED_JSON', () => jsonRequest('/graphql', '{"query":')],
    ['no query', 400, 'VALIDATION_FAILED', () => jsonRequest('/graphql', '{}')],
    ['a trailing slash', 200, 'OK', () => ({ ...graphqlRequest('{ __typename }'), path: '/graphql/' })],
    ['a private field by GET', 200, 'UNAUTHENTICATED', () => ({ path: '/graphql?query=%7Bme%7Bid%7D%7D' })],
    ['a body by GET', 200, 'OK', () => getWithBody],
    ['another content type by GET', 415, 'VALIDATION_FAILED', () => getAsText],
    ['no query by GET', 400, 'VALIDATION_FAILED', () => ({ path: '/graphql?variables=%7B%7D' })],
    ['HEAD', 400, 'OK', () => ({ method: 'HEAD', path: '/graphql' })],
    ['OPTIONS', 204, 'OK', () => ({ method: 'OPTIONS', path: '/graphql' })],
    [
      'another method',
      405,
      'METHOD_NOT_ALLOWED',
      () => ({ ...jsonRequest('/graphql', '{}'), method: 'PUT' }),
    ],
  ])('to GraphQL with %s has the same response each time: %i %s', async (_name, status, code, request) => {
    const responses = await send(times(4, request()), origin);
    expect(responses.map(outcome)).toEqual(times(4, [status, code]));
    expectOrigin(responses);
  });
});

const typename = { path: '/graphql?query=%7B__typename%7D' };
const getWithBody: RawRequest = { ...typename, headers: { 'content-length': '2' }, body: ['{}'] };
const getAsText: RawRequest = { ...typename, headers: { 'content-type': 'text/plain' } };
