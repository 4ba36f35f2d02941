import { describe, expect, it } from '@jest/globals';
import { CatalogVersion } from '../../src/cache/catalog-version.js';
import {
  maxStoredHits,
  type SearchOrder,
  SearchResults,
  storedSuggestions,
} from '../../src/cache/search-results.js';

let isListening = true;
const catalog = new CatalogVersion(() => isListening);
const id = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const ids = Array.from({ length: maxStoredHits }, (_, index) => id(index));
const order: SearchOrder = { ids: ids.join(','), total: 700 };
const read = async () => order;
const never = () => Promise.reject(new Error('read again'));
const first = { limit: 20, offset: 0 };

async function stored(): Promise<SearchResults> {
  const results = new SearchResults(catalog);
  expect(await results.page('notes', first, never)).toBeNull();
  expect(await results.page('notes', first, read)).not.toBeNull();
  return results;
}

describe('the stored order of a search', () => {
  it('is read at the second request, and has every page of its hits (D300)', async () => {
    const results = await stored();
    for (const [limit, offset] of [
      [20, 0],
      [7, 63],
      [1, maxStoredHits - 1],
      [100, 400],
    ] as const)
      expect(await results.page('notes', { limit, offset }, never)).toEqual({
        ids: ids.slice(offset, offset + limit),
        total: 700,
      });
    expect(await results.page('notes', { limit: 20, offset: maxStoredHits }, never)).toBeNull();
  });

  it('knows the pages behind its last hit (D300)', async () => {
    const results = new SearchResults(catalog);
    const few = async () => ({ ids: [id(1), id(2)].join(','), total: 2 });
    await results.page('few', first, never);
    expect(await results.page('few', { limit: 20, offset: 0 }, few)).toEqual({
      ids: [id(1), id(2)],
      total: 2,
    });
    expect(await results.page('few', { limit: 20, offset: 20 }, never)).toEqual({ ids: [], total: 2 });
  });

  it('is read once for all requests that wait for it (D300)', async () => {
    const results = new SearchResults(catalog);
    await results.page('notes', first, never);
    let reads = 0;
    const slowly = async () => {
      reads += 1;
      return order;
    };
    const pages = await Promise.all([1, 2, 3].map(() => results.page('notes', first, slowly)));
    expect(pages.map((page) => page?.total)).toEqual([700, 700, 700]);
    expect(reads).toBe(1);
  });

  it('is dropped when the catalog changes, also while it is read, and not used while changes cannot be noticed (D300)', async () => {
    const results = await stored();
    isListening = false;
    expect(await results.page('notes', first, never)).toBeNull();
    isListening = true;
    expect(await results.page('notes', first, never)).not.toBeNull();
    catalog.raise();
    expect(await results.page('notes', first, never)).toBeNull();

    const { promise, resolve } = Promise.withResolvers<SearchOrder>();
    const pending = results.page('notes', first, () => promise);
    catalog.raise();
    resolve(order);
    await pending;
    expect(await results.page('notes', first, never)).toBeNull();
  });

  it('is not kept after a failure (D300)', async () => {
    const results = new SearchResults(catalog);
    await results.page('notes', first, never);
    expect(await results.page('notes', first, never)).toBeNull();
    expect(await results.page('notes', first, never)).toBeNull();
    expect(await results.page('notes', first, read)).not.toBeNull();
  });

  it('is bounded (D300)', async () => {
    const results = new SearchResults(catalog);
    for (let n = 0; n < 1_000; n += 1) {
      await results.page(`search ${n}`, first, never);
      await results.page(`search ${n}`, first, read);
    }
    expect(results.figures.ids).toBeLessThanOrEqual(300_000);
    expect(results.figures.ids).toBeGreaterThan(200_000);
  });

  it('counts the texts of searches that were requested once (D300)', async () => {
    const results = new SearchResults(catalog);
    for (let n = 0; n < 100; n += 1) await results.page(`${n} `.repeat(100), first, never);
    expect(results.figures.ids).toBeGreaterThan(1_000);
  });
});

describe('the stored suggestions for a short prefix (D301)', () => {
  const apps = Array.from({ length: storedSuggestions }, (_, n) => ({ name: `App ${n}` }));
  const readApps = async (limit: number) => apps.slice(0, limit);

  it('are read once for any number of them', async () => {
    const results = new SearchResults(catalog);
    expect(await results.suggestions('ap', 5, readApps)).toEqual(apps.slice(0, 5));
    expect(await results.suggestions('ap', storedSuggestions, never)).toEqual(apps);
    expect(await results.suggestions('ap', 1, never)).toEqual(apps.slice(0, 1));
  });

  it('are read again after a change of the catalog, even if the reading had begun before it', async () => {
    const results = new SearchResults(catalog);
    let finish = (_list: { name: string }[]) => {};
    const early = results.suggestions(
      'ap',
      5,
      () => new Promise<{ name: string }[]>((resolve) => (finish = resolve)),
    );
    catalog.raise();
    expect(await results.suggestions('ap', 5, readApps)).toEqual(apps.slice(0, 5));
    finish([{ name: 'Removed' }]);
    expect(await early).toEqual([{ name: 'Removed' }]);
    expect(await results.suggestions('ap', 5, never)).toEqual(apps.slice(0, 5));
  });

  it('are not stored for long prefixes, for many suggestions, after an error, or while changes are not received', async () => {
    const results = new SearchResults(catalog);
    const limits: number[] = [];
    const noted = async (limit: number) => {
      limits.push(limit);
      return apps.slice(0, limit);
    };
    for (const [prefix, first] of [
      ['apps', 5],
      ['ap', storedSuggestions + 1],
    ] as const)
      for (const _ of [1, 2]) await results.suggestions(prefix, first, noted);
    expect(limits).toEqual([5, 5, storedSuggestions + 1, storedSuggestions + 1]);
    await expect(results.suggestions('ap', 5, never)).rejects.toThrow('read again');
    isListening = false;
    for (const _ of [1, 2]) await results.suggestions('ap', 5, noted);
    isListening = true;
    expect(limits.slice(4)).toEqual([5, 5]);
    expect(await results.suggestions('ap', 5, readApps)).toHaveLength(5);
  });
});
