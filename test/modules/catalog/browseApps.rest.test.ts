import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { startService } from '../../support/service.js';
import { type AppPage, browsedCatalog, slugsOf } from './browsed-catalog.js';
import { aPublicApp } from './public-apps.js';

const catalog = beforeTests(browsedCatalog);
const service = beforeTests(() => catalog.service);

describe('browseApps over REST only', () => {
  const get = (query: string, headers: Record<string, string> = {}) =>
    service.client.request('GET', `/api/apps${query}`, { headers });
  const bodyOf = async (response: Response) =>
    (await response.json()) as AppPage & { error: { code: string; details: { field: string }[] } };

  it('returns one object with the apps and the pagination (D1)', async () => {
    const response = await get('?limit=2');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const body = await bodyOf(response);
    expect(Object.keys(body)).toEqual(['apps', 'pagination']);
    expect(body.apps).toHaveLength(2);
    expect(JSON.stringify(body)).not.toMatch(
      /email|accountUserId|oauthClientId|revision|rejection|submittedAt/,
    );
  });

  it('links to the pages around this one and keeps the filters (D27)', async () => {
    const links = await linksOf('?category=AI_ML&sort=name&page=2&limit=1');
    expect(links).toEqual({
      first: '/api/apps?category=AI_ML&sort=name&page=1&limit=1',
      prev: '/api/apps?category=AI_ML&sort=name&page=1&limit=1',
      next: '/api/apps?category=AI_ML&sort=name&page=3&limit=1',
      last: '/api/apps?category=AI_ML&sort=name&page=3&limit=1',
    });
  });

  it('links to no page before the first nor after the last (D27)', async () => {
    expect(Object.keys(await linksOf('?limit=3'))).toEqual(['first', 'next', 'last']);
    expect(Object.keys(await linksOf('?limit=3&page=3'))).toEqual(['first', 'prev', 'last']);
    expect(Object.keys(await linksOf(''))).toEqual(['first', 'last']);
  });

  it('links from a page past the end back to the last page (D27)', async () => {
    const links = await linksOf('?limit=3&page=50');
    expect(Object.keys(links)).toEqual(['first', 'prev', 'last']);
    expect(links.prev).toBe('/api/apps?limit=3&page=3');
  });

  it('uses the effective limit in the links (D27)', async () => {
    expect((await linksOf('?limit=500')).first).toBe('/api/apps?limit=100&page=1');
  });

  it('encodes the search in the links (D27)', async () => {
    const { first } = await linksOf(`?search=${encodeURIComponent('time> & tracker,')}`);
    expect(first).toMatch(/^\/api\/apps\?search=time%3E/);
    expect(new URL(first!, service.url).searchParams.get('search')).toBe('time> & tracker,');
  });

  it('links to pages that can be followed to the end (D27)', async () => {
    const seen: string[] = [];
    for (let next: string | undefined = '/api/apps?limit=2'; next; ) {
      const response = await service.client.request('GET', next);
      seen.push(...slugsOf(await bodyOf(response)));
      next = parseLinks(response).next;
    }
    expect(seen).toEqual(catalog.popular);
  });

  it('has no Link when nothing matches (D27)', async () => {
    expect((await get('?category=EDUCATION')).headers.get('link')).toBeNull();
    expect((await get('?category=EDUCATION&page=3')).headers.get('link')).toBeNull();
  });

  it('can be revalidated: a strong ETag, and 304 while nothing changed (D32)', async () => {
    const first = await get('?category=FINANCE');
    const etag = first.headers.get('etag')!;
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(first.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    const again = await get('?category=FINANCE', { 'if-none-match': `"other", ${etag}` });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    expect(again.headers.get('etag')).toBe(etag);
    expect(again.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    expect(again.headers.get('x-request-id')).toBeTruthy();
    expect((await get('?category=AI_ML', { 'if-none-match': etag })).status).toBe(200);
  });

  it('responds to HEAD with the same headers and no body', async () => {
    const get = await service.client.request('GET', '/api/apps?limit=2');
    const head = await service.client.request('HEAD', '/api/apps?limit=2');
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    for (const header of ['etag', 'link', 'cache-control', 'content-type', 'content-length'])
      expect([header, head.headers.get(header)]).toEqual([header, get.headers.get(header)]);
  });

  it('does not let a refusal be cached (D32)', async () => {
    const response = await get('?page=0');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('etag')).toBeNull();
  });

  async function linksOf(query: string): Promise<Record<string, string>> {
    return parseLinks(await get(query));
  }

  /** The links by relation, each of them on this service. */
  function parseLinks(response: Response): Record<string, string> {
    const found = [...(response.headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"(?:, |$)/g)];
    return Object.fromEntries(
      found.map(([, url = '', rel = '']) => {
        expect(url.startsWith(`${service.url}/`)).toBe(true);
        return [rel, url.slice(service.url.length)];
      }),
    );
  }
});

describe('browseApps below a path of the public address', () => {
  it('links to that path (D27) (D44)', async () => {
    const below = await startService({ PUBLIC_URL: 'https://tasks.example/market' });
    try {
      await aPublicApp(below, await below.aDeveloper(), {});
      const response = await below.client.request('GET', '/api/apps');
      expect(response.headers.get('link')).toContain(
        '<https://tasks.example/market/api/apps?page=1&limit=20>',
      );
    } finally {
      await below.close();
    }
  });
});
