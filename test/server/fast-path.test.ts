import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { createApp, type Gateway } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import { operations } from '../../src/contract.js';
import { type Listener, listen } from '../../src/server/listener.js';
import { type Ask, document, exchange, type Reply } from '../support/exchange.js';
import { until } from '../support/mail-server.js';
import { type Service, startService } from '../support/service.js';

const ourPage = 'https://tasks.example';
const settings = {
  CORS_ORIGINS: ourPage,
  TRUST_PROXY: '1',
  RATE_LIMITS: 'public=40,install=40,address=1000000,graphql=100000,write=1000000,credentials=1000000',
};
const routes = operations.flatMap(([, operation]) => {
  const [method = '', path = ''] = operation.rest?.split(' ') ?? [];
  return operation.rest ? [{ method, path, operation }] : [];
});

/** Two gateways on one database: one as it is served, and one without the path before Express. */
let service: Service;
let express: { gateway: Gateway; listener: Listener; url: string };
let slug: string;

beforeAll(async () => {
  service = await startService(settings);
  const listener = await listen('127.0.0.1', 0);
  const gateway = await createApp(loadConfig({ WORKER: 'off', ...settings }), {
    databaseUrl: service.databaseUrl,
    publicUrl: service.url,
    log: pino({ level: 'silent' }),
    countsLagMs: 0,
    fastPath: false,
  });
  listener.serve(gateway.handler);
  express = { gateway, listener, url: `http://127.0.0.1:${listener.port}` };
  const developer = await service.aDeveloper();
  slug = (await service.anApp(developer, 'APPROVED')).slug;
  await service.anApp(developer, 'APPROVED');
});
afterAll(async () => {
  await express.listener.close({ withinMs: 0, signal: AbortSignal.abort() });
  await express.gateway.close();
  await service.close();
});

/** Each case comes from an address of its own, so that each starts with fresh rate limits. */
let lastAddress = 0;
const freshAddress = () => {
  lastAddress += 1;
  return `10.9.${lastAddress >> 8}.${lastAddress & 255}`;
};

const json = (body: string, headers: Record<string, string> = {}): Pick<Ask, 'headers' | 'body'> => ({
  headers: {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  },
  body: [body],
});

/** The response without the parts that differ between any two requests; header order does not matter. */
const comparable = ({ status, headers, body }: Reply) => ({
  status,
  headers: headers
    .filter(([name]) => !/^(date|connection|keep-alive)$/i.test(name))
    .map(([name, value]) => [
      name.toLowerCase(),
      /^(ratelimit)$/i.test(name) ? value.replace(/t=\d+/g, 't') : value,
    ])
    .sort(([a = ''], [b = '']) => a.localeCompare(b)),
  body: body.replace(/in \d+ seconds?/g, 'in n seconds').replace(/"installCount":\d+/, '"installCount":n'),
});

/** Sends the same requests, one after the other, to both gateways and compares every response. */
async function compare(requests: readonly Ask[], expected: { cached: boolean }): Promise<Reply[]> {
  const address = freshAddress();
  const send = (url: string, request: Ask) =>
    exchange(url, {
      ...request,
      headers: { ...request.headers, 'x-forwarded-for': address, 'x-request-id': 'compared' },
    });
  await until(
    () => service.cache.catalog.isKnown(),
    10_000,
    () => 'the heartbeat is missing',
  );
  const before = service.cache.responses.figures.hits;
  const replies: Reply[] = [];
  for (const request of requests) {
    const fast = await send(service.url, request);
    const slow = await send(express.url, request);
    expect(comparable(fast)).toEqual(comparable(slow));
    replies.push(fast);
  }
  expect([requests[0]?.path, service.cache.responses.figures.hits > before]).toEqual([
    requests[0]?.path,
    expected.cached,
  ]);
  return replies;
}

const origins: [string, Record<string, string>][] = [
  ['no page', {}],
  ['a page of an allowed origin', { origin: ourPage }],
  ['a page of another origin', { origin: 'https://stranger.example' }],
];

describe.each(origins)('to %s', (_, origin) => {
  const path = (template: string) => template.replace(':slug', slug).replace(/:\w+/g, crypto.randomUUID());

  it.each(routes.map(({ method, path: template, operation }) => [method, template, operation] as const))(
    '%s %s responds the same on the fast path and through Express',
    async (method, template, operation) => {
      const headers = { ...origin };
      const plain: Ask = { method, path: path(template), headers };
      if (method !== 'GET') {
        await compare(
          [
            plain,
            { ...plain, ...json('{"installationId":', headers) },
            { ...plain, ...json('[]', headers) },
            { ...plain, ...json('{"__proto__":{"a":1},"installationId":7}', headers) },
            { ...plain, ...json('{}', { ...headers, 'content-type': 'text/plain' }) },
            { ...plain, ...json('{}', { ...headers, 'idempotency-key': 'ä' }) },
          ],
          { cached: false },
        );
        return;
      }
      const [first] = await compare([plain, plain, plain, plain], { cached: operation.cached === true });
      const tag = first?.headers.find(([name]) => name.toLowerCase() === 'etag')?.[1] ?? '"none"';
      const conditional = [tag, `W/${tag}`, `"other", ${tag}`, '*', '"other"', ''];
      await compare(
        [
          { ...plain, method: 'HEAD' },
          ...conditional.map((value) => ({ ...plain, headers: { ...headers, 'if-none-match': value } })),
          { ...plain, method: 'HEAD', headers: { ...headers, 'if-none-match': tag } },
          { ...plain, headers: { ...headers, authorization: 'Bearer nonsense' } },
          { ...plain, method: 'OPTIONS' },
          { ...plain, method: 'PATCH' },
          { ...plain, path: `${plain.path}?limit=0` },
          { ...plain, path: `${plain.path}/` },
        ],
        { cached: operation.cached === true },
      );
    },
  );

  it('an install is recorded and confirmed the same', async () => {
    const install = (body: string, headers: Record<string, string> = {}): Ask => ({
      method: 'POST',
      path: `/api/apps/${slug}/install`,
      ...json(body, { ...origin, ...headers }),
    });
    const id = `"installationId":"${crypto.randomUUID()}"`;
    await exchange(service.url, install(`{${id}}`));
    await compare(
      [
        install(`{${id}}`),
        install(`{${id},"version":"1","slug":"x","other":2}`),
        install('{"installationId":7,"version":"\\u0000"}'),
        install(`{${id}}`, { 'idempotency-key': 'ä' }),
        { ...install(`{${id}}`), path: '/api/apps/no-such-app/install' },
        { ...install(`{${id}}`), path: `/api/apps/${slug}/install?x=1` },
        { ...install(`{${id}}`), path: `/api/apps/%61/install` },
      ],
      { cached: false },
    );
  });

  const documents: [string, Ask, boolean][] = [
    ['a list', document('{ browseApps { apps { slug name developer { name } } } }'), true],
    ['a connection', document('{ apps(first: 2) { edges { cursor node { slug } } totalCount } }'), true],
    ['several fields', document('{ categories { category count } featuredApps { slug } }'), true],
    ['a fragment', document('query Q { ...f } fragment f on Query { browseApps { apps { slug } } }'), true],
    ['variables', document('query ($n: Int) { browseApps(limit: $n) { apps { slug } } }', { n: 1 }), true],
    ['the type name', document('{ __typename }'), true],
    ['introspection', document('{ __schema { queryType { name } } }'), false],
    ['a private field', document('{ me { id } }'), false],
    ['a syntax error', document('{ browseApps'), false],
    ['an unknown field', document('{ browsApps { apps { slug } } }'), false],
    [
      'a wrong variable',
      document('query ($n: Int) { browseApps(limit: $n) { apps { slug } } }', { n: 'x' }),
      false,
    ],
    ['a document beyond the limits', document(`{ ${'a: __typename '.repeat(6_000)} }`), false],
    ['a mutation', document('mutation { deleteApp(id: "x") { id } }'), false],
    ['no JSON', { method: 'POST', path: '/graphql', ...json('{"query":') }, false],
    ['no query', { method: 'POST', path: '/graphql', ...json('{}') }, false],
    [
      'a query string',
      { path: '/graphql?query=%7B__typename%7D', headers: { 'apollo-require-preflight': '1' } },
      false,
    ],
    ['another method', { method: 'PUT', path: '/graphql' }, false],
  ];

  it.each(documents)('a GraphQL request with %s responds the same', async (_name, request, cached) => {
    const asked = { ...request, headers: { ...request.headers, ...origin } };
    await compare([asked, asked, asked, asked], { cached });
  });

  it.each<[string, () => Ask]>([
    ['a cached list', () => ({ path: '/api/apps', headers: origin })],
    ['a cached app', () => ({ path: `/api/apps/${slug}`, headers: origin })],
    ['an install', () => ({ method: 'POST', path: '/api/apps/none/install', ...json('{}', origin) })],
    ['an unknown path', () => ({ path: '/api/nothing', headers: origin })],
  ])('%s above its rate limit is rejected the same', async (name, request) => {
    const replies = await compare(Array.from({ length: 45 }, request), {
      cached: name.startsWith('a cached'),
    });
    const last = replies.at(-1);
    const header = (wanted: string) => last?.headers.find(([given]) => given.toLowerCase() === wanted)?.[1];
    if (name === 'an unknown path') return;
    expect(last?.status).toBe(429);
    expect(header('retry-after')).toMatch(/^\d+$/);
    expect(header('access-control-allow-origin')).toBe(origin.origin === ourPage ? ourPage : undefined);
  });
});
