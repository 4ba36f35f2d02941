import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { CatalogVersion } from '../../src/cache/catalog-version.js';
import { PageIndex } from '../../src/cache/page-index.js';
import { ResponseCache } from '../../src/cache/response-cache.js';

describe('the response cache', () => {
  const catalog = new CatalogVersion(() => true);
  const cache = new ResponseCache(catalog);
  /** Handles a request with this response; `meanwhile` runs while it is computed. */
  const request = (key: string, body: Buffer, meanwhile = () => {}, door: 'rest' | 'site' = 'rest') => {
    const store = cache.begin(key);
    meanwhile();
    const entry = { door, operation: 'browseApps', fields: null, cost: 1, limit: 'public' } as const;
    store?.({ ...entry, response: { status: 200, headers: {}, body } });
  };
  const requestTwice = (...args: Parameters<typeof request>) => {
    request(args[0], Buffer.from('the first time'));
    request(...args);
  };
  const bodyOf = (key: string) => cache.find(key)?.response.body?.toString();

  it('stores no response to a request that comes once', () => {
    for (let url = 0; url < 1_000; url += 1) request(`/api/apps?search=once${url}`, Buffer.from('response'));
    expect(cache.figures).toMatchObject({ entries: 0, bytes: 0 });
    request('/api/apps?search=once999', Buffer.from('response'));
    expect(bodyOf('/api/apps?search=once999')).toBe('response');
  });

  it('gives pages a part of their own, of a quarter of the size (D382)', () => {
    const page = Buffer.alloc(512 * 1024);
    requestTwice('/api/apps', Buffer.from('the list'));
    for (let n = 0; n < 40; n += 1) requestTwice(`/market/apps/app-${n}`, page, undefined, 'site');
    expect(bodyOf('/api/apps')).toBe('the list');
    expect(bodyOf('/market/apps/app-39')).toHaveLength(page.length);
    expect(bodyOf('/market/apps/app-0')).toBeUndefined();
    expect(cache.figures.bytes).toBeLessThan(4.1 * 1024 * 1024);
    catalog.raise();
    expect(cache.figures).toMatchObject({ entries: 0, bytes: 0 });
  });

  it('stores the keys of a few thousand recent requests', () => {
    for (let url = 0; url < 20_000; url += 1)
      request(`/api/apps?search=other${url}`, Buffer.from('response'));
    request('/api/apps?search=other0', Buffer.from('response'));
    expect(bodyOf('/api/apps?search=other0')).toBeUndefined();
  });

  it('is cleared by a change, and does not store responses that were begun before it', async () => {
    requestTwice('/api/apps', Buffer.from('old'));
    expect(bodyOf('/api/apps')).toBe('old');
    requestTwice('/api/apps', Buffer.from('older'), () => catalog.raise());
    expect(cache.find('/api/apps')).toBeUndefined();
    expect(cache.figures).toMatchObject({ entries: 0, bytes: 0 });
  });

  it('shares no query that was started before a change', async () => {
    const operation = {};
    const { promise: old, resolve } = Promise.withResolvers<string>();
    const first = catalog.share(operation, { page: 1 }, () => old);
    const second = catalog.share(operation, { page: 1 }, async () => 'never run');
    catalog.raise();
    expect(await catalog.share(operation, { page: 1 }, async () => 'new')).toBe('new');
    resolve('old');
    expect(await Promise.all([first, second])).toEqual(['old', 'old']);
    expect(await catalog.share(operation, { page: 1 }, async () => 'newer')).toBe('newer');
  });

  it('is bounded', () => {
    for (let url = 0; url < 30_000; url += 1) requestTwice(`/api/apps?search=${url}`, Buffer.alloc(3_000));
    expect(cache.figures.bytes).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(cache.figures.entries).toBeGreaterThan(1_000);
    expect(cache.find('/api/apps?search=29999')).toBeDefined();
    expect(cache.find('/api/apps?search=0')).toBeUndefined();
    const { bytes } = cache.figures;
    requestTwice('/api/apps', Buffer.alloc(3 * 1024 * 1024));
    expect(cache.find('/api/apps')).toBeUndefined();
    expect(cache.figures.bytes).toBeLessThanOrEqual(bytes);
  });
});

describe('the page index of a long list', () => {
  let isListening = true;
  const catalog = new CatalogVersion(() => isListening);
  const entries = [['first thousand'], ['second']];
  const built = async (index: PageIndex, list = 'all', readKeys = async () => entries) => {
    for (const offset of [1_000, 1_020]) expect(index.before(list, offset, readKeys)).toBeNull();
    await index.building;
  };
  const never = () => Promise.reject(new Error('built again'));

  it('is built at the second request for a deep page, and finds the last entry before an offset', async () => {
    const index = new PageIndex(catalog);
    await built(index);
    expect(index.before('all', 1_000, never)).toEqual({ keys: ['first thousand'], skip: 0 });
    expect(index.before('all', 2_999, never)).toEqual({ keys: ['second'], skip: 999 });
    expect(index.before('all', 3_000, never)).toBeNull();
    expect(index.building).toBeNull();
  });

  it('is dropped when the catalog changes, and not used while changes cannot be noticed', async () => {
    const index = new PageIndex(catalog);
    await built(index);
    isListening = false;
    expect(index.before('all', 1_000, never)).toBeNull();
    isListening = true;
    expect(index.before('all', 1_000, never)).not.toBeNull();
    catalog.raise();
    expect(index.before('all', 1_000, never)).toBeNull();

    const { promise, resolve } = Promise.withResolvers<string[][]>();
    const others = new PageIndex(catalog);
    const pending = built(others, 'all', () => promise);
    catalog.raise();
    resolve(entries);
    await pending;
    expect(others.before('all', 1_000, never)).toBeNull();
  });

  it('is built one list at a time, with a pause after each', async () => {
    const index = new PageIndex(catalog);
    const { promise, resolve } = Promise.withResolvers<string[][]>();
    const pending = built(index, 'all', () => promise);
    for (const list of ['other', 'other', 'all']) expect(index.before(list, 1_000, never)).toBeNull();
    // The pause is 19 times as long.
    await delay(500);
    resolve(entries);
    await pending;
    for (const list of ['other', 'other']) expect(index.before(list, 1_000, never)).toBeNull();
    expect(index.building).toBeNull();
  });

  it('is bounded', async () => {
    const index = new PageIndex(catalog);
    for (let list = 0; list < 30_000; list += 1) index.before(`list ${list}`, 1_000, never);
    expect(index.figures.entries).toBeLessThanOrEqual(20_000);
  });
});
