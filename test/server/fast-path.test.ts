import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { createApp } from '../../src/app.js';
import type { Gateway } from '../../src/app-options.js';
import { loadConfig } from '../../src/config.js';
import { operations } from '../../src/contract.js';
import { type Listener, listen } from '../../src/server/listener.js';
import { until } from '../support/mail-server.js';
import {
  graphqlRequest,
  headerOf,
  jsonRequest,
  type RawRequest,
  type RawResponse,
  sendRequest,
} from '../support/send-request.js';
import { type Service, startService } from '../support/service.js';

const allowedOrigin = 'https://tasks.example';
const settings = {
  CORS_ORIGINS: allowedOrigin,
  TRUST_PROXY: '1',
  RATE_LIMITS:
    'public=40,install=40,address=1000000,graphql=1000000,read=1000000,write=1000000,credentials=1000000,failures=1000000',
};
const routes = operations.flatMap(([, operation]) => {
  const [method = '', path = ''] = operation.rest?.split(' ') ?? [];
  return operation.rest ? [{ method, path, operation }] : [];
});

interface Started {
  gateway: Gateway;
  listener: Listener;
  url: string;
}

/** Creates the fixtures. */
let service: Service;
/** Two gateways on its database: one as it is served, and one without the path before Express. */
let withFastPath: Started;
let withoutFastPath: Started;
let expiringKey: string;
let slug: string;

async function start(fastPath: boolean): Promise<Started> {
  const listener = await listen('127.0.0.1', 0);
  const gateway = await createApp(loadConfig({ WORKER: 'off', ...settings }), {
    databaseUrl: service.databaseUrl,
    publicUrl: service.url,
    log: pino({ level: 'silent' }),
    countsLagMs: 0,
    fastPath,
  });
  listener.serve(gateway.handler);
  return { gateway, listener, url: `http://127.0.0.1:${listener.port}` };
}

beforeAll(async () => {
  service = await startService();
  withFastPath = await start(true);
  withoutFastPath = await start(false);
  const ada = await service.aDeveloper();
  const issued = await service.anIssuedKey(ada);
  await service.sql("update api_keys set expires_at = now() + interval '1 day' where id = $1", [issued.id]);
  expiringKey = issued.key;
  slug = (await service.anApp(ada, 'APPROVED')).slug;
  await service.anApp(ada, 'APPROVED');
});
afterAll(async () => {
  for (const { listener, gateway } of [withFastPath, withoutFastPath]) {
    await listener.close({ withinMs: 0, signal: AbortSignal.abort() });
    await gateway.close();
  }
  await service.close();
});

/** Each case comes from an address of its own, so that each starts with fresh rate limits. */
let lastAddress = 0;
const freshAddress = () => {
  lastAddress += 1;
  return `10.9.${lastAddress >> 8}.${lastAddress & 255}`;
};

/** The response without the parts that differ between any two requests; header order does not matter. */
const comparable = ({ status, headers, body }: RawResponse) => ({
  status,
  headers: headers
    .filter(([name]) => !/^(date|connection|keep-alive)$/i.test(name))
    .map(([name, value]) => [name.toLowerCase(), withoutTimes(name.toLowerCase(), value)])
    .sort(([a = ''], [b = '']) => a.localeCompare(b)),
  body: body.replace(/in \d+ seconds?/g, 'in n seconds').replace(/"installCount":\d+/, '"installCount":n'),
});
const withoutTimes = (name: string, value: string) => {
  if (name === 'retry-after') return value.replace(/^\d+$/, 'n');
  return name === 'ratelimit' ? value.replace(/t=\d+/g, 't') : value;
};

/** Sends the same requests, one after the other, to both gateways and compares every response. */
async function compare(requests: readonly RawRequest[]): Promise<RawResponse[]> {
  const address = freshAddress();
  const send = (url: string, request: RawRequest) =>
    sendRequest(url, {
      ...request,
      headers: { ...request.headers, 'x-forwarded-for': address, 'x-request-id': 'compared' },
    });
  const responses: RawResponse[] = [];
  for (const request of requests) {
    const fast = await send(withFastPath.url, request);
    expect(comparable(fast)).toEqual(comparable(await send(withoutFastPath.url, request)));
    responses.push(fast);
  }
  return responses;
}

/** The same; at least one of the responses comes from the cache. A busy machine may need several rounds for that. */
async function compareCached(requests: readonly RawRequest[]): Promise<RawResponse[]> {
  const { catalog, responses } = withFastPath.gateway.cache;
  for (let round = 0; round < 50; round += 1) {
    await until(
      () => catalog.isKnown(),
      60_000,
      () => 'the heartbeat is missing',
    );
    const before = responses.figures.hits;
    const compared = await compare(requests);
    if (responses.figures.hits > before) return compared;
  }
  throw new Error(`no response is cached: ${requests[0]?.path}`);
}

async function compareUncached(requests: readonly RawRequest[]): Promise<RawResponse[]> {
  const { responses } = withFastPath.gateway.cache;
  const before = responses.figures.hits;
  const compared = await compare(requests);
  expect([requests[0]?.path, responses.figures.hits]).toEqual([requests[0]?.path, before]);
  return compared;
}

const times = (count: number, request: RawRequest) => Array.from({ length: count }, () => request);

describe.each<[string, Record<string, string>]>([
  ['no page', {}],
  ['a page of an allowed origin', { origin: allowedOrigin }],
  ['a page of another origin', { origin: 'https://stranger.example' }],
])('to %s', (_, origin) => {
  const path = (template: string) => template.replace(':slug', slug).replace(/:\w+/g, crypto.randomUUID());

  it.each(routes.filter(({ method }) => method === 'GET'))(
    'GET $path responds the same on the fast path and through Express',
    async ({ path: template, operation }) => {
      const compareAll = operation.cached ? compareCached : compareUncached;
      const headers = { ...origin };
      const plain: RawRequest = { path: path(template), headers };
      const [first] = await compareAll(times(4, plain));
      const tag = (first && headerOf(first, 'etag')) ?? '"none"';
      const conditional = [tag, `W/${tag}`, `"other", ${tag}`, '*', '"other"', ''];
      await compareAll([
        { ...plain, method: 'HEAD' },
        ...conditional.map((value) => ({ ...plain, headers: { ...headers, 'if-none-match': value } })),
        { ...plain, method: 'HEAD', headers: { ...headers, 'if-none-match': tag } },
        { ...plain, headers: { ...headers, authorization: 'Bearer nonsense' } },
        { ...plain, headers: { ...headers, authorization: `Bearer ${expiringKey}` } },
        { ...plain, headers: { ...headers, 'content-length': '2' }, body: ['{}'] },
        { ...plain, method: 'OPTIONS' },
        { ...plain, method: 'PATCH' },
        { ...plain, path: `${plain.path}?limit=0` },
        { ...plain, path: `${plain.path}/` },
      ]);
    },
  );

  it.each(routes.filter(({ method }) => method !== 'GET'))(
    '$method $path responds the same on the fast path and through Express',
    async ({ method, path: template }) => {
      const plain: RawRequest = { method, path: path(template), headers: { ...origin } };
      const json = (body: string, headers: Record<string, string> = {}): RawRequest => ({
        ...jsonRequest(plain.path, body, { ...origin, ...headers }),
        method,
      });
      await compareUncached([
        plain,
        json('{"installationId":'),
        json('[]'),
        json('{"__proto__":{"a":1},"installationId":7}'),
        json('{}', { 'content-type': 'text/plain' }),
        json('{}', { 'idempotency-key': 'ä' }),
        json('{"installationId":7,"name":7}', { authorization: `Bearer ${expiringKey}` }),
      ]);
    },
  );

  it('an install is recorded and confirmed the same', async () => {
    const target = `/api/apps/${slug}/install`;
    const install = (body: string, headers: Record<string, string> = {}) =>
      jsonRequest(target, body, { ...origin, ...headers });
    const id = `"installationId":"${crypto.randomUUID()}"`;
    await sendRequest(withFastPath.url, install(`{${id}}`));
    await compareUncached([
      install(`{${id}}`),
      install(`{${id},"version":"1","slug":"x","other":2}`),
      install('{"installationId":7,"version":"\\u0000"}'),
      install(`{${id}}`, { 'idempotency-key': 'ä' }),
      install(`{${id}}`, { authorization: 'Bearer nonsense' }),
      install(`{${id}}`, { authorization: `Bearer ${expiringKey}` }),
      { ...install(`{${id}}`), path: '/api/apps/no-such-app/install' },
      { ...install(`{${id}}`), path: `${target}?x=1` },
      { ...install(`{${id}}`), path: `${target}/` },
      { ...install(`{${id}}`), path: '/api/apps/%61/install' },
    ]);
  });

  const browse = 'query ($n: Int) { browseApps(limit: $n) { apps { slug } } }';
  const byGet = { path: `/graphql?${new URLSearchParams({ query: browse, variables: '{"n":1}' })}` };

  it.each<[string, RawRequest]>([
    ['a list', graphqlRequest('{ browseApps { apps { slug name developer { name } } } }')],
    ['a connection', graphqlRequest('{ apps(first: 2) { edges { cursor node { slug } } totalCount } }')],
    ['several fields', graphqlRequest('{ categories { category count } featuredApps { slug } }')],
    ['a fragment', graphqlRequest('query Q { ...f } fragment f on Query { browseApps { apps { slug } } }')],
    ['variables', graphqlRequest(browse, { n: 1 })],
    ['the type name', graphqlRequest('{ __typename }')],
  ])('a GraphQL request for %s is cached, and responds the same', async (_name, request) => {
    await compareCached(times(4, { ...request, headers: { ...request.headers, ...origin } }));
  });

  it('a GraphQL request by GET is cached, and responds the same (D109)', async () => {
    const plain: RawRequest = { ...byGet, headers: { ...origin } };
    const [first] = await compareCached(times(4, plain));
    const tag = headerOf(first!, 'etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    const conditional = [tag, `W/${tag}`, '*', '"other"'];
    const requests = await compareCached([
      { ...plain, method: 'HEAD' },
      ...conditional.map((value) => ({ ...plain, headers: { ...origin, 'if-none-match': value } })),
      { ...plain, headers: { ...origin, authorization: 'Bearer nonsense' } },
      { ...plain, headers: { ...origin, accept: 'application/graphql-response+json' } },
      { ...plain, headers: { ...origin, accept: 'image/png' } },
    ]);
    expect(requests.map(({ status }) => status)).toEqual([200, 304, 304, 304, 200, 200, 200, 406]);
  });

  it.each<[string, () => RawRequest]>([
    ['introspection', () => graphqlRequest('{ __schema { queryType { name } } }')],
    ['a private field', () => graphqlRequest('{ me { id } }')],
    [
      'a private field and a key that expires soon',
      () => graphqlRequest('{ me { id } }', {}, { authorization: `Bearer ${expiringKey}` }),
    ],
    ['a rejected key', () => graphqlRequest('{ me { id } }', {}, { authorization: 'Bearer mkt_nonsense' })],
    ['a syntax error', () => graphqlRequest('{ browseApps')],
    ['an unknown field', () => graphqlRequest('{ browsApps { apps { slug } } }')],
    ['a wrong variable', () => graphqlRequest(browse, { n: 'x' })],
    ['a document beyond the limits', () => graphqlRequest(`{ ${'a: __typename '.repeat(6_000)} }`)],
    ['a mutation', () => graphqlRequest('mutation { deleteApp(id: "x") { id } }')],
    ['no JSON', () => jsonRequest('/graphql', '{"query":')],
    ['no query', () => jsonRequest('/graphql', '{}')],
    ['a trailing slash', () => ({ ...graphqlRequest('{ me { id } }'), path: '/graphql/' })],
    ['a private field by GET', () => ({ path: '/graphql?query=%7Bme%7Bid%7D%7D' })],
    ['a missing app by GET', () => ({ path: '/graphql?query=%7Bapp(slug:"none")%7Bid%7D%7D' })],
    ['a mutation by GET', () => ({ path: '/graphql?query=mutation%7BwithdrawApp(id:"x")%7Bid%7D%7D' })],
    ['a body by GET', () => ({ ...byGet, headers: { 'content-length': '2' }, body: ['{}'] })],
    ['another content type by GET', () => ({ ...byGet, headers: { 'content-type': 'text/plain' } })],
    ['a long query string', () => ({ path: `/graphql?query=%7B__typename%7D${'&x='.repeat(3_000)}` })],
    ['no query by GET', () => ({ path: '/graphql?variables=%7B%7D' })],
    ['HEAD', () => ({ method: 'HEAD', path: '/graphql' })],
    ['OPTIONS', () => ({ method: 'OPTIONS', path: '/graphql' })],
    ['another method', () => ({ method: 'PUT', path: '/graphql' })],
  ])('a GraphQL request with %s is not cached, and responds the same', async (_name, request) => {
    const { headers, ...sent } = request();
    await compareUncached(times(4, { ...sent, headers: { ...headers, ...origin } }));
  });

  it.each<[string, number, () => RawRequest]>([
    ['a cached list', 429, () => ({ path: '/api/apps', headers: origin })],
    ['a cached app', 429, () => ({ path: `/api/apps/${slug}`, headers: origin })],
    ['an install', 429, () => jsonRequest('/api/apps/none/install', '{}', origin)],
    ['an unknown path', 404, () => ({ path: '/api/nothing', headers: origin })],
  ])('%s above its rate limit responds the same: %i (D34)', async (name, status, request) => {
    const compareAll = name.startsWith('a cached') ? compareCached : compareUncached;
    const last = (await compareAll(times(45, request()))).at(-1)!;
    expect(last.status).toBe(status);
    if (status === 429) expect(headerOf(last, 'retry-after')).toMatch(/^\d+$/);
    expect(headerOf(last, 'access-control-allow-origin')).toBe(
      origin.origin === allowedOrigin ? allowedOrigin : undefined,
    );
  });
});
