import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { GraphQLBody } from '../support/api-client.js';
import { beforeTests } from '../support/before-tests.js';
import { sharedService } from '../support/service.js';

let slug: string;
const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());
beforeAll(async () => {
  slug = (await service.anApp(ada, 'APPROVED')).slug;
});

const get = async (
  search: Record<string, string>,
  options: { method?: string; headers?: Record<string, string>; bearer?: string } = {},
) => {
  const { method = 'GET', ...others } = options;
  const path = `/graphql?${new URLSearchParams(search)}`;
  const response = await service.client.request(method, path, others);
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, body: (text ? JSON.parse(text) : {}) as GraphQLBody };
};

const categories = '{ categories { category count } }';
const one = 'query One($slug: String!) { app(slug: $slug) { name } } query Two { __typename }';

describe('a query by GET', () => {
  it('needs no header, as curl sends it (D109)', async () => {
    const response = await service.client.request('GET', '/graphql?query={categories{category%20count}}');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual((await get({ query: categories })).body);
  });

  it('takes variables and the name of the operation (D109)', async () => {
    const search = { query: one, operationName: 'One', variables: JSON.stringify({ slug }) };
    expect((await get(search)).body).toEqual({ data: { app: { name: expect.any(String) } } });
    expect((await get({ query: one, operationName: 'Two' })).body).toEqual({ data: { __typename: 'Query' } });
  });

  it('has the ETag and the caching headers of REST if its response is public (D32, D109)', async () => {
    const { status, headers, text } = await get({ query: categories });
    const rest = await service.client.request('GET', '/api/apps/categories/list');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe(rest.headers.get('cache-control'));
    expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    expect(headers.get('vary')).toMatch(/Accept/);
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);

    const unchanged = await get({ query: categories }, { headers: { 'if-none-match': etag } });
    expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', etag]);
    const head = await get({ query: categories }, { method: 'HEAD' });
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag]);
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));

    await service.anApp(ada, 'APPROVED');
    const changed = await get({ query: categories }, { headers: { 'if-none-match': etag } });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  it('has another ETag in another content type (D109)', async () => {
    const accept = 'application/graphql-response+json';
    const other = await get({ query: categories }, { headers: { accept } });
    expect(other.headers.get('content-type')).toContain(accept);
    expect(other.headers.get('etag')).not.toBe((await get({ query: categories })).headers.get('etag'));
  });

  it.each([
    ['is private', '{ me { id } }', 200],
    ['is private in part', '{ categories { count } me { id } }', 200],
    ['has an error', '{ app(slug: "nothing-here") { id } }', 200],
    ['has an error beside data', '{ categories { count } app(slug: "nothing-here") { id } }', 200],
    ['is not valid', '{ nothing }', 400],
  ])('is never stored if its response %s (D109)', async (_, query, status) => {
    for (let request = 1; request <= 3; request += 1) {
      const response = await get({ query }, { bearer: ada.key });
      expect([response.status, response.headers.get('cache-control')]).toEqual([status, 'no-store']);
      expect(response.headers.get('etag')).toBeNull();
    }
  });

  it('is never stored if the Accept header is rejected (D109)', async () => {
    const { status, headers } = await get({ query: categories }, { headers: { accept: 'image/png' } });
    expect([status, headers.get('cache-control'), headers.get('etag')]).toEqual([406, 'no-store', null]);
  });

  it('returns data of the caller to the caller only (D109)', async () => {
    const query = '{ me { id } }';
    expect((await get({ query }, { bearer: ada.key })).body).toEqual({ data: { me: { id: ada.id } } });
    expect((await get({ query })).body).toMatchObject({
      data: { me: null },
      errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
    });
  });

  it('is not cached by clients if it came by POST', async () => {
    const { response } = await service.client.graphql(categories);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('etag')).toBeNull();
  });

  it('is rejected with the maximum if the query string is too long (D109)', async () => {
    const { status, headers, body } = await get({ query: categories, variables: 'x'.repeat(8_200) });
    expect([status, headers.get('cache-control')]).toEqual([400, 'no-store']);
    expect(body.errors).toMatchObject([
      { message: expect.stringContaining('8192'), extensions: { code: 'QUERY_TOO_COMPLEX' } },
    ]);
  });
});

describe('a persisted query by GET', () => {
  const extensionsOf = (query: string) =>
    JSON.stringify({
      persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') },
    });

  it.each(['GET', 'POST'])('is found by its hash once it was registered by %s (D109)', async (method) => {
    const query = `query By${method}($slug: String!) { app(slug: $slug) { slug } }`;
    const hashOnly = { extensions: extensionsOf(query), variables: JSON.stringify({ slug }) };
    const unknown = await get(hashOnly);
    expect([unknown.status, unknown.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(unknown.body.errors).toMatchObject([
      { message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } },
    ]);
    if (method === 'GET') expect((await get({ ...hashOnly, query })).status).toBe(200);
    else {
      const body = { query, variables: { slug }, extensions: JSON.parse(extensionsOf(query)) as object };
      expect((await service.client.request('POST', '/graphql', { body })).status).toBe(200);
    }
    const found = await get(hashOnly);
    expect([found.status, found.body]).toEqual([200, { data: { app: { slug } } }]);
    expect(found.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    const again = { headers: { 'if-none-match': found.headers.get('etag') ?? '' } };
    expect((await get(hashOnly, again)).status).toBe(304);
  });
});

it('a mutation is not executed if its response cannot be accepted (D7)', async () => {
  const app = await service.anApp(ada, 'APPROVED');
  const query = `mutation { recordInstall(slug: "${app.slug}") { installCount } }`;
  for (const accept of ['text/html', 'image/png', 'application/json;q=0']) {
    const { status } = await service.client.request('POST', '/graphql', {
      headers: { accept },
      body: { query },
    });
    expect(status).toBe(406);
  }
  const { body } = await get({ query: `{ app(slug: "${app.slug}") { installCount } }` });
  expect(body).toEqual({ data: { app: { installCount: 0 } } });
});
