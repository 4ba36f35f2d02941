import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { AppJson, Developer } from '../support/actors.js';
import { DatabaseLine } from '../support/database-line.js';
import { until } from '../support/mail-server.js';
import {
  graphqlRequest,
  type RawRequest,
  type RawResponse,
  sendRequest,
  trackCacheHit,
  withoutVaryingHeaders,
} from '../support/send-request.js';
import { type Service, startService } from '../support/service.js';

const embedder = 'https://tasks.example';
const list = '{ browseApps(limit: 100) { apps { slug name featured developer { name } } } }';

let service: Service;
let line: DatabaseLine;
let ada: Developer;
let app: AppJson;
/** Changes the database without the service's knowing. */
let stranger: Client;

beforeAll(async () => {
  service = await startService({ CORS_ORIGINS: embedder }, undefined, {
    countsLagMs: 400,
    databaseVia: async (url) => {
      line = await DatabaseLine.to(url);
      return line.url;
    },
  });
  stranger = new Client({ connectionString: service.databaseUrl });
  await stranger.connect();
  ada = await service.aDeveloper();
  app = await service.anApp(ada, 'APPROVED');
  await service.anApp(ada, 'APPROVED');
});
afterAll(async () => {
  await stranger.end();
  await service.close();
  await line.cut();
});
/** Until the heartbeat is there. */
beforeEach(() =>
  until(
    () => service.cache.catalog.isKnown(),
    10_000,
    () => 'changes are not heard',
  ),
);

const ask = (request: RawRequest) => sendRequest(service.url, request);
const answered = (request: RawRequest) => trackCacheHit(service.cache, () => ask(request));
/** Asks until the answer comes from memory: an earlier change may still be announced in between. */
const kept = async (request: RawRequest): Promise<RawResponse> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const [wasKept, reply] = await answered(request);
    if (wasKept) return reply;
  }
  throw new Error('it is not kept');
};
const header = ({ headers }: RawResponse, wanted: string) =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

describe('an answer from memory', () => {
  const paths = () => [
    '/api/apps',
    '/api/apps?limit=1&page=2&sort=name',
    `/api/apps/${app.slug}`,
    '/api/apps/featured/list',
    '/api/apps/categories/list',
  ];

  it.each([
    ['GET', {}],
    ['HEAD', {}],
    ['GET', { 'if-none-match': 'the tag' }],
    ['GET', { 'if-none-match': 'W/"other", the tag' }],
    ['GET', { 'if-none-match': '*' }],
    ['GET', { 'if-none-match': '"other"' }],
    ['GET', { origin: embedder }],
    ['GET', { origin: 'https://stranger.example' }],
    ['GET', { authorization: 'Bearer nonsense' }],
  ])(
    'to %s with %j is the same, byte for byte, as the one from the database (D70)',
    async (method, given) => {
      for (const path of paths()) {
        const tag = header(await ask({ path }), 'etag') ?? '';
        const headers = Object.fromEntries(
          Object.entries(given).map(([name, value]) => [name, value.replace('the tag', tag)]),
        );
        service.cache.catalog.raise();
        const [wasKept, fresh] = await answered({ method, path, headers });
        expect(wasKept).toBe(false);
        const again = await kept({ method, path, headers });
        expect(withoutVaryingHeaders(again)).toEqual(withoutVaryingHeaders(fresh));
        expect(header(again, 'x-request-id')).not.toBe(header(fresh, 'x-request-id'));
      }
    },
  );

  it('for one page that embeds it is not for another', async () => {
    const allowed = async (headers: Record<string, string>) =>
      header(await kept({ path: '/api/apps', headers }), 'access-control-allow-origin');
    expect(await allowed({})).toBeUndefined();
    expect(await allowed({ origin: embedder })).toBe(embedder);
    expect(await allowed({ origin: 'https://stranger.example' })).toBeUndefined();
    expect(await allowed({ origin: embedder })).toBe(embedder);
  });

  it('is given under the id that a request came with (D5)', async () => {
    const reply = await kept({ path: '/api/apps', headers: { 'x-request-id': 'Trace_1' } });
    expect(header(reply, 'x-request-id')).toBe('Trace_1');
    const [, other] = await answered({ path: '/api/apps', headers: { 'x-request-id': 'a b' } });
    expect(header(other, 'x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each<[string, () => RawRequest]>([
    ['has a body', () => ({ path: '/api/apps', headers: { 'content-length': '2' }, body: ['{}'] })],
    ['names the host in its address', () => ({ path: `${service.url}/api/apps` })],
    ['is very long', () => ({ path: `/api/apps?x=${'x'.repeat(1_000)}` })],
    ['finds nothing', () => ({ path: '/api/apps/nothing' })],
    ['is refused', () => ({ path: '/api/apps?limit=0' })],
    ['is private', () => ({ path: '/api/dev/me', headers: { authorization: `Bearer ${ada.key}` } })],
  ])('is never given to a request that %s', async (_, request) => {
    await kept({ path: '/api/apps' });
    const first = await ask(request());
    // What is asked again is kept, unless something forbids it.
    await ask(request());
    const [wasKept, second] = await answered(request());
    expect(wasKept).toBe(false);
    expect(second.status).toBe(first.status);
  });
});

describe('a GraphQL answer', () => {
  const one = 'query ($slug: String!) { app(slug: $slug) { name } }';

  it('is the same from memory, byte for byte, also when its question comes in pieces (D70)', async () => {
    service.cache.catalog.raise();
    const [wasKept, fresh] = await answered(graphqlRequest(list));
    expect([wasKept, fresh.status]).toEqual([false, 200]);
    expect(withoutVaryingHeaders(await kept(graphqlRequest(list)))).toEqual(withoutVaryingHeaders(fresh));
    const { body: [text = ''] = [], ...asked } = graphqlRequest(list);
    const [inPieces, reply] = await answered({ ...asked, body: [text.slice(0, 9), text.slice(9)] });
    expect(inPieces).toBe(true);
    expect(withoutVaryingHeaders(reply)).toEqual(withoutVaryingHeaders(fresh));
    service.cache.catalog.raise();
    expect(withoutVaryingHeaders(await ask({ ...asked, body: [text.slice(0, 9), text.slice(9)] }))).toEqual(
      withoutVaryingHeaders(fresh),
    );
  });

  it('belongs to its document, its variables, its aliases and what it accepts', async () => {
    const other = await service.anApp(ada, 'APPROVED');
    const name = async (request: RawRequest) => JSON.parse((await kept(request)).body).data as object;
    expect(await name(graphqlRequest(one, { slug: app.slug }))).toEqual({ app: { name: app.name } });
    expect(await name(graphqlRequest(one, { slug: other.slug }))).toEqual({ app: { name: other.name } });
    expect(await name(graphqlRequest(`{ b: app(slug: "${app.slug}") { n: name } }`))).toEqual({
      b: { n: app.name },
    });
    const accept = 'application/graphql-response+json';
    expect(header(await kept(graphqlRequest(list, {}, { accept })), 'content-type')).toContain(accept);
    expect(header(await kept(graphqlRequest(list)), 'content-type')).toContain('application/json');
  });

  it.each<[string, () => RawRequest]>([
    ['has an error', () => graphqlRequest(one, { slug: 'nothing' })],
    [
      'has an error beside its data',
      () => graphqlRequest(`{ categories { count } app(slug: "nothing") { name } }`),
    ],
    ['changes something', () => graphqlRequest(`mutation { recordInstall(slug: "${app.slug}") { slug } }`)],
    [
      'describes the schema',
      () => graphqlRequest('{ __schema { queryType { name } } categories { count } }'),
    ],
    ['is private', () => graphqlRequest('{ me { name } }', {}, { authorization: `Bearer ${ada.token}` })],
    [
      'is private in part',
      () =>
        graphqlRequest(
          'query { ...Both } fragment Both on Query { categories { count } ... { me { id } } }',
          {},
          {
            authorization: `Bearer ${ada.token}`,
          },
        ),
    ],
    ['makes no sense', () => graphqlRequest('{')],
    ['has no question', () => ({ ...graphqlRequest('', {}, { 'content-length': '0' }), body: [] })],
  ])('is not kept if it %s', async (_, request) => {
    const first = await ask(request());
    await ask(request());
    const [wasKept, second] = await answered(request());
    expect(wasKept).toBe(false);
    expect(second.status).toBe(first.status);
  });

  it('of one caller is never shown to another', async () => {
    const both = '{ categories { count } me { id } }';
    const eve = await service.aDeveloper();
    for (const { id, token } of [ada, eve, ada]) {
      const { body } = await ask(graphqlRequest(both, {}, { authorization: `Bearer ${token}` }));
      expect(JSON.parse(body).data.me).toEqual({ id });
    }
    expect(JSON.parse((await ask(graphqlRequest(both))).body).errors[0].extensions.code).toBe(
      'UNAUTHENTICATED',
    );
  });
});
