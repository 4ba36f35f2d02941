import { describe, expect, it } from '@jest/globals';
import { aListing } from '../support/actors.js';
import { beforeTests } from '../support/before-tests.js';
import { headerOf, sendRequest } from '../support/send-request.js';
import { sharedService } from '../support/service.js';
import { words } from '../support/words.js';

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());

/** Sends a path exactly as it is written; fetch would normalise it. */
const raw = (path: string) =>
  sendRequest(service.url, { path, headers: { authorization: `Bearer ${ada.key}` } });

const errorBody = (code: string) => ({
  error: { code, message: expect.stringMatching(/\S.*\.$/), details: [], requestId: expect.any(String) },
});

describe('an unknown path', () => {
  it.each(
    words(`
    /api /api/ /api/nothing /api/dev /api/dev/nothing /api/dev/apps/x/y/z /api/v1/apps /API/apps /api/Apps
    /api/apps/x/y /nothing /.env /docs/nothing.js /playground/nothing.js /api/admin /api/graphql /api/reviews
    /api/dev/developers /api/dev/apps/x/withdraw /api/dev/apps/x/versions /api/dev/api-keys/x/rotate
    /api/apps/live/ratings /api/apps/featured /api/apps/categories /api/apps/live/uninstall /api/apps/list`),
  )('is NOT_FOUND with the usual error body: %s (D6)', async (path) => {
    const response = await raw(path);
    expect(response.status).toBe(404);
    expect(headerOf(response, 'content-type')).toBe('application/json; charset=utf-8');
    expect(JSON.parse(response.body)).toEqual(errorBody('NOT_FOUND'));
  });

  it.each(
    words(`
    /api/apps/%E0%A4%A /api/apps/% /api/dev/apps/%ff /api/dev/apps/%zz/submit /%E0%A4%A /docs/%E0%A4%A
    /playground/%ff /api/apps/%00 /api/apps/a%00b /api/dev/apps/%00 /api/dev/apps/%00/analytics /docs/%00
    /docs/..%2f..%2fpackage.json /docs/../../../package.json`),
  )('is NOT_FOUND if it is badly encoded: %s (D6)', async (path) => {
    const { status, body } = await raw(path);
    expect(status).toBe(404);
    expect(JSON.parse(body)).toEqual(errorBody('NOT_FOUND'));
  });

  it('does not have its query string repeated in the response', async () => {
    expect((await raw('/nothing?token=secret')).body).not.toContain('secret');
  });

  it('below /api/dev is never cached (D32)', async () => {
    expect(headerOf(await raw('/api/dev/nothing'), 'cache-control')).toBe('no-store');
  });

  it('is not the cause of a 500 if a file does not have the requested range', async () => {
    const response = await service.client.request('GET', '/docs/swagger-ui.css', {
      headers: { range: 'bytes=999999999-' },
    });
    // The connection of an unread body stays open.
    await response.text();
    expect(response.status).toBeLessThan(500);
  });
});

describe('a method', () => {
  it.each([
    ['/api/apps', 'GET, HEAD, OPTIONS'],
    ['/api/apps/some-app', 'GET, HEAD, OPTIONS'],
    ['/api/apps/some-app/install', 'POST, OPTIONS'],
    ['/api/apps/featured/list', 'GET, HEAD, OPTIONS'],
    ['/api/apps/categories/list', 'GET, HEAD, OPTIONS'],
    ['/api/dev/register', 'POST, OPTIONS'],
    ['/api/dev/me', 'GET, PUT, HEAD, OPTIONS'],
    ['/api/dev/api-keys', 'GET, POST, HEAD, OPTIONS'],
    ['/api/dev/api-keys/x', 'DELETE, OPTIONS'],
    ['/api/dev/apps', 'GET, POST, HEAD, OPTIONS'],
    ['/api/dev/apps/x', 'DELETE, GET, PUT, HEAD, OPTIONS'],
    ['/api/dev/apps/x/submit', 'POST, OPTIONS'],
    ['/api/dev/apps/x/analytics', 'GET, HEAD, OPTIONS'],
  ])('that %s does not have is 405 with Allow: %s, checked before 401 (D6, D7)', async (path, allow) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (allow.split(', ').includes(method)) continue;
      const response = await service.client.request(method, path);
      expect([method, response.status]).toEqual([method, 405]);
      expect(response.headers.get('allow')).toBe(allow);
      if (method !== 'HEAD') expect(await response.json()).toEqual(errorBody('METHOD_NOT_ALLOWED'));
    }
    const options = await service.client.request('OPTIONS', path);
    expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
    expect(await options.text()).toBe('');
  });

  it('HEAD is possible wherever GET is, with the same headers and no body', async () => {
    for (const path of ['/api/apps', '/api/apps/categories/list', '/api/dev/me', '/api/dev/apps']) {
      const head = await service.client.request('HEAD', path, { bearer: ada.key });
      expect([path, head.status, await head.text()]).toEqual([path, 200, '']);
      const get = await service.client.request('GET', path, { bearer: ada.key });
      expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
      expect(head.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
    expect((await service.client.request('HEAD', '/api/dev/me')).status).toBe(401);
    expect((await service.client.request('HEAD', '/api/apps/nothing')).status).toBe(404);
  });
});

describe('a public response', () => {
  it.each([
    '/api/apps?category=OTHER',
    '/api/apps/revalidated',
    '/api/apps/featured/list',
    '/api/apps/categories/list?anything=goes',
  ])('can be revalidated: 304 until it changes, of %s (D32)', async (path) => {
    const listing = { name: 'Revalidated', category: 'OTHER' };
    const { id, slug } = await service.anApp(ada, 'APPROVED', listing);
    await service.administer('featureApp', { id, featured: true });
    const get = (headers: Record<string, string> = {}) =>
      service.client.request('GET', path.replace('revalidated', slug), {
        headers: { 'accept-encoding': 'identity', ...headers },
      });
    const first = await get();
    const etag = first.headers.get('etag')!;
    expect(etag).toMatch(/^"[^"]+"$/);
    const revalidated = 'public, max-age=0, must-revalidate';
    expect(first.headers.get('cache-control')).toBe(revalidated);
    for (const tags of [etag, `W/${etag}`, '*', `"other", ${etag}`]) {
      const again = await get({ 'if-none-match': tags });
      expect([tags, again.status, await again.text()]).toEqual([tags, 304, '']);
      expect([again.headers.get('etag'), again.headers.get('cache-control')]).toEqual([etag, revalidated]);
      expect(again.headers.get('x-request-id')).toBeTruthy();
    }
    expect((await get({ 'if-none-match': '"something-else"' })).status).toBe(200);

    await service.client.must('recordInstall', { slug });
    await service.anApp(ada, 'APPROVED', listing);
    const changed = await get({ 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  it.each([
    [400, '/api/apps?page=0'],
    [404, '/api/apps/there-is-no-such-app'],
  ])('with the status %d is not cached: %s (D32)', async (status, path) => {
    const response = await service.client.request('GET', path, { headers: { 'if-none-match': '*' } });
    expect(response.status).toBe(status);
    expect([response.headers.get('cache-control'), response.headers.get('etag')]).toEqual(['no-store', null]);
  });
});

describe('a response below /api/dev', () => {
  it('is never cached and never 304 (D19, D32)', async () => {
    const { id } = await service.anApp(ada);
    const requests: [status: number, method: string, path: string, options?: object][] = [
      [200, 'GET', '/api/dev/me'],
      [200, 'GET', '/api/dev/api-keys'],
      [200, 'GET', '/api/dev/apps'],
      [200, 'GET', `/api/dev/apps/${id}`],
      [200, 'GET', `/api/dev/apps/${id}/analytics`],
      [200, 'PUT', `/api/dev/apps/${id}`, { body: { name: 'New' } }],
      [400, 'PUT', `/api/dev/apps/${id}`, { body: { name: '' } }],
      [400, 'PUT', `/api/dev/apps/${id}`, { body: '{' }],
      [401, 'GET', '/api/dev/me', { bearer: null }],
      [404, 'GET', '/api/dev/apps/nothing'],
      [404, 'GET', '/api/dev/nothing'],
      [405, 'PATCH', '/api/dev/me'],
      [204, 'OPTIONS', '/api/dev/me'],
      [200, 'HEAD', '/api/dev/me'],
      [413, 'POST', '/api/dev/apps', { body: 'x'.repeat(300_000) }],
      [415, 'POST', '/api/dev/apps', { body: 'x', headers: { 'content-type': 'text/plain' } }],
      [201, 'POST', '/api/dev/apps', { body: aListing() }],
      [200, 'POST', `/api/dev/apps/${id}/submit`],
      [200, 'DELETE', `/api/dev/apps/${id}`],
    ];
    for (const [status, method, path, options] of requests) {
      const response = await service.client.request(method, path, {
        bearer: ada.key,
        headers: { 'if-none-match': '*' },
        ...options,
      });
      expect([method, path, response.status, response.headers.get('cache-control')]).toEqual([
        method,
        path,
        status,
        'no-store',
      ]);
    }
  });
});
