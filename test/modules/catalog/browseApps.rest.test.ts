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

  it('responds to HEAD with the same headers and no body', async () => {
    const get = await service.client.request('GET', '/api/apps?limit=2');
    const head = await service.client.request('HEAD', '/api/apps?limit=2');
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    for (const header of ['etag', 'link', 'cache-control', 'content-type', 'content-length'])
      expect([header, head.headers.get(header)]).toEqual([header, get.headers.get(header)]);
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
