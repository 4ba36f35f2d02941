import { beforeEach, describe, expect, it } from '@jest/globals';
import { nodeIdOf } from '../../src/operations/node-id.js';
import { duringTests } from '../support/before-tests.js';
import { graphqlRequest, headerOf, type RawRequest, withoutVaryingHeaders } from '../support/send-request.js';
import { allowedOrigin, CachedService, listDocument } from './cached-service.js';

const cached = duringTests(() => CachedService.start());
beforeEach(() => cached.untilListening());

describe('a cached response', () => {
  const paths = () => [
    '/api/apps',
    '/api/apps?limit=1&page=2&sort=name',
    `/api/apps/${cached.app.slug}`,
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
    ['GET', { origin: allowedOrigin }],
    ['GET', { origin: 'https://stranger.example' }],
    ['GET', { authorization: 'Bearer nonsense' }],
  ])('to %s with %j is the same, byte for byte, as one from the database', async (method, given) => {
    for (const path of paths()) {
      const tag = headerOf(await cached.send({ path }), 'etag') ?? '';
      const headers = Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, value.replace('the tag', tag)]),
      );
      cached.catalog.raise();
      const [wasCached, fresh] = await cached.sendAndTrack({ method, path, headers });
      expect(wasCached).toBe(false);
      const again = await cached.sendUntilCached({ method, path, headers });
      expect(withoutVaryingHeaders(again)).toEqual(withoutVaryingHeaders(fresh));
      expect(headerOf(again, 'x-request-id')).not.toBe(headerOf(fresh, 'x-request-id'));
    }
  });

  it('has the CORS headers of its own request', async () => {
    const allowed = async (headers: Record<string, string>) =>
      headerOf(await cached.sendUntilCached({ path: '/api/apps', headers }), 'access-control-allow-origin');
    expect(await allowed({})).toBeUndefined();
    expect(await allowed({ origin: allowedOrigin })).toBe(allowedOrigin);
    expect(await allowed({ origin: 'https://stranger.example' })).toBeUndefined();
    expect(await allowed({ origin: allowedOrigin })).toBe(allowedOrigin);
  });

  it('has the id of its own request (D5)', async () => {
    const reply = await cached.sendUntilCached({ path: '/api/apps', headers: { 'x-request-id': 'Trace_1' } });
    expect(headerOf(reply, 'x-request-id')).toBe('Trace_1');
    const [, other] = await cached.sendAndTrack({ path: '/api/apps', headers: { 'x-request-id': 'a b' } });
    expect(headerOf(other, 'x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each<[string, () => RawRequest]>([
    ['has a body', () => ({ path: '/api/apps', headers: { 'content-length': '2' }, body: ['{}'] })],
    ['has an absolute URL', () => ({ path: `${cached.service.url}/api/apps` })],
    ['has a very long URL', () => ({ path: `/api/apps?x=${'x'.repeat(1_000)}` })],
    ['is a 404', () => ({ path: '/api/apps/nothing' })],
    ['is a 400', () => ({ path: '/api/apps?limit=0' })],
    [
      'is private',
      () => ({ path: '/api/dev/me', headers: { authorization: `Bearer ${cached.developer.key}` } }),
    ],
  ])('is never sent to a request that %s', async (_, request) => {
    await cached.sendUntilCached({ path: '/api/apps' });
    const first = await cached.send(request());
    // The response to a repeated request is cached, unless something prevents it.
    await cached.send(request());
    const [wasCached, second] = await cached.sendAndTrack(request());
    expect(wasCached).toBe(false);
    expect(second.status).toBe(first.status);
  });
});

describe('a cached GraphQL response', () => {
  const one = 'query ($slug: String!) { app(slug: $slug) { name } }';

  it('is the same, byte for byte, also if the request arrives in chunks', async () => {
    const whole = graphqlRequest(listDocument);
    const [text = ''] = whole.body ?? [];
    const inChunks = { ...whole, body: [text.slice(0, 9), text.slice(9)] };
    for (const request of [whole, inChunks]) {
      cached.catalog.raise();
      const [wasCached, fresh] = await cached.sendAndTrack(request);
      expect([wasCached, fresh.status]).toEqual([false, 200]);
      const again = await cached.sendUntilCached(request);
      expect(withoutVaryingHeaders(again)).toEqual(withoutVaryingHeaders(fresh));
    }
  });

  it('belongs to a document, its variables, its aliases and its Accept header', async () => {
    const other = await cached.service.anApp(cached.developer, 'APPROVED');
    const name = async (request: RawRequest) =>
      JSON.parse((await cached.sendUntilCached(request)).body).data as object;
    expect(await name(graphqlRequest(one, { slug: cached.app.slug }))).toEqual({
      app: { name: cached.app.name },
    });
    expect(await name(graphqlRequest(one, { slug: other.slug }))).toEqual({ app: { name: other.name } });
    expect(await name(graphqlRequest(`{ b: app(slug: "${cached.app.slug}") { n: name } }`))).toEqual({
      b: { n: cached.app.name },
    });
    const accept = 'application/graphql-response+json';
    expect(
      headerOf(await cached.sendUntilCached(graphqlRequest(listDocument, {}, { accept })), 'content-type'),
    ).toContain(accept);
    expect(headerOf(await cached.sendUntilCached(graphqlRequest(listDocument)), 'content-type')).toContain(
      'application/json',
    );
  });

  it('exists for a public object by its nodeId, and never for one that depends on the caller (D151)', async () => {
    const document = 'query ($id: ID!) { node(id: $id) { __typename id } }';
    const { id } = cached.app;
    const read = (nodeId: string, bearer: string | null) =>
      graphqlRequest(document, { id: nodeId }, bearer ? { authorization: `Bearer ${bearer}` } : {});
    const typeOf = ({ body }: { body: string }) => JSON.parse(body).data.node.__typename as string;
    expect(typeOf(await cached.sendUntilCached(read(nodeIdOf('PublicApp', id), null)))).toBe('PublicApp');
    for (const [nodeId, bearer, expected] of [
      [id, null, 'PublicApp'],
      [id, cached.developer.token, 'App'],
      [id, null, 'PublicApp'],
      [nodeIdOf('App', id), cached.developer.token, 'App'],
    ] as const)
      for (let time = 0; time < 3; time += 1) {
        const [wasCached, response] = await cached.sendAndTrack(read(nodeId, bearer));
        expect([wasCached, typeOf(response)]).toEqual([false, expected]);
      }
  });

  it.each<[string, () => RawRequest]>([
    ['has an error', () => graphqlRequest(one, { slug: 'nothing' })],
    [
      'has an error beside its data',
      () => graphqlRequest(`{ categories { count } app(slug: "nothing") { name } }`),
    ],
    [
      'is a mutation',
      () => graphqlRequest(`mutation { recordInstall(slug: "${cached.app.slug}") { slug } }`),
    ],
    ['is an introspection', () => graphqlRequest('{ __schema { queryType { name } } categories { count } }')],
    [
      'is private',
      () => graphqlRequest('{ me { name } }', {}, { authorization: `Bearer ${cached.developer.token}` }),
    ],
    [
      'is private in part',
      () =>
        graphqlRequest(
          'query { ...Both } fragment Both on Query { categories { count } ... { me { id } } }',
          {},
          {
            authorization: `Bearer ${cached.developer.token}`,
          },
        ),
    ],
    ['is not valid', () => graphqlRequest('{')],
    ['has no body', () => ({ ...graphqlRequest('', {}, { 'content-length': '0' }), body: [] })],
  ])('does not exist for a request that %s', async (_, request) => {
    const first = await cached.send(request());
    await cached.send(request());
    const [wasCached, second] = await cached.sendAndTrack(request());
    expect(wasCached).toBe(false);
    expect(second.status).toBe(first.status);
  });

  it('never contains data of a caller', async () => {
    const both = '{ categories { count } me { id } }';
    const eve = await cached.service.aDeveloper();
    for (const { id, token } of [cached.developer, eve, cached.developer]) {
      const { body } = await cached.send(graphqlRequest(both, {}, { authorization: `Bearer ${token}` }));
      expect(JSON.parse(body).data.me).toEqual({ id });
    }
    expect(JSON.parse((await cached.send(graphqlRequest(both))).body).errors[0].extensions.code).toBe(
      'UNAUTHENTICATED',
    );
  });
});
