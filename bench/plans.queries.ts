import { pageIndexInterval } from '../src/cache/page-index.js';
import type { Statement } from '../src/db/reader.js';
import { appsOfDevelopers } from '../src/modules/apps/app.queries.js';
import {
  appsAfter,
  appsBySlug,
  countsOfApps,
  featuredPage,
  pageIndexKeys,
  pageOfApps,
} from '../src/modules/catalog/catalog.queries.js';
import { AppSort } from '../src/modules/catalog/catalog.types.js';
import { startOfList } from '../src/modules/catalog/cursor.rules.js';
import { searchPage, searchPageWithSimilar, suggestions } from '../src/modules/catalog/search.queries.js';
import { searchCounts } from '../src/modules/catalog/search-counts.queries.js';
import { Environment } from '../src/modules/listings/app.entity.js';
import { Category } from '../src/modules/listings/listing.entity.js';
import { vocabulary } from './plans.catalog.js';

/** A frequent query, with other values at each turn. */
interface HotQuery {
  name: string;
  statements: (turn: number) => Statement;
}

const categories = Object.values(Category);

/** Writes a parameter as text that PostgreSQL reads. */
export const parameterText = (value: unknown): string =>
  Array.isArray(value)
    ? `{${value.map((item) => (item === null ? 'null' : JSON.stringify(item))).join(',')}}`
    : String(value);

/** Returns every query that public requests cause, and the list of a developer's own apps. */
export function hotQueries(apps: number): HotQuery[] {
  const category = (turn: number) => categories[turn % categories.length]!;
  const lot = (turn: number) => `lot${turn % Math.max(apps / 1000, 1)}`;
  const word = (turn: number, from: number) => vocabulary[from + turn]!;
  const limit = 20;
  const id = '01890000-0000-7000-8000-000000000000';
  const place = [50, '2024-06-01T00:00:00.000Z', id];
  const places: Record<string, unknown[]> = {
    popular: place,
    newest: [place[1], id],
    rating: [2.5, 50, id],
    name: [`${vocabulary[2000]} ${vocabulary[0]} 7`, id],
  };
  const page = (turn: number, depth: number) => ({ limit, offset: (depth - turn) * limit });
  const firstResults = (rows: number) => ({ limit: rows, offset: 0, position: startOfList });
  const common = { apps, terms: [], shares: [] };
  const deepest = Math.floor(apps / limit);
  const sorts = Object.values(AppSort).filter((sort) => sort !== AppSort.relevance);
  return [
    ...sorts.map((sort) => ({
      name: `page-${sort}`,
      statements: (turn: number) => pageOfApps({}, sort, { limit, offset: turn * limit }),
    })),
    {
      name: 'page-category',
      statements: (t) => pageOfApps({ category: category(t) }, AppSort.popular, page(t, t)),
    },
    {
      name: 'page-category-newest',
      statements: (t) => pageOfApps({ category: category(t) }, AppSort.newest, page(t, t)),
    },
    {
      name: 'page-environment',
      statements: (t) => pageOfApps({ environment: Environment.localhost }, AppSort.popular, page(0, t)),
    },
    {
      name: 'page-category-environment',
      statements: (t) =>
        pageOfApps(
          { category: category(t), environment: Environment.localhost },
          AppSort.popular,
          page(t, t),
        ),
    },
    {
      name: 'page-developer',
      statements: (t) => pageOfApps({ developer: id }, AppSort.popular, page(0, t)),
    },
    {
      name: 'search-developer',
      statements: (t) =>
        searchPage({ search: word(t, 0), developer: id }, AppSort.relevance, firstResults(limit), common),
    },
    {
      name: 'page-all-filters',
      statements: (t) =>
        pageOfApps(
          { category: category(t), environment: Environment.staging, featured: true },
          AppSort.popular,
          page(t, t),
        ),
    },
    { name: 'page-300-deep', statements: (t) => pageOfApps({}, AppSort.popular, page(t, 300)) },
    {
      name: 'page-5000-deep',
      statements: (t) => pageOfApps({}, AppSort.popular, page(t, Math.min(5000, deepest))),
    },
    { name: 'page-last', statements: (t) => pageOfApps({}, AppSort.name, page(t, deepest)) },
    ...sorts.map((sort) => ({
      name: `page-indexed-${sort}`,
      statements: (t: number) =>
        pageOfApps({}, sort, { limit, offset: 999 - t, after: places[sort] ?? place }),
    })),
    {
      name: 'page-indexed-category',
      statements: (t) =>
        pageOfApps({ category: category(t) }, AppSort.popular, { limit, offset: 999 - t, after: place }),
    },
    ...sorts.map((sort) => ({
      name: `page-index-${sort}`,
      statements: () => pageIndexKeys({}, sort, pageIndexInterval),
    })),
    {
      name: 'page-index-category',
      statements: (t) => pageIndexKeys({ category: category(t) }, AppSort.popular, pageIndexInterval),
    },
    {
      name: 'connection-first',
      statements: (t) => appsAfter({ category: category(t) }, AppSort.popular, limit + 1, null),
    },
    { name: 'connection-after', statements: () => appsAfter({}, AppSort.popular, limit + 1, place) },
    { name: 'featured', statements: () => featuredPage(null, limit) },
    { name: 'app-by-slug', statements: (t) => appsBySlug([`app-${(t * 7919) % apps}`]) },
    { name: 'own-apps', statements: () => appsOfDevelopers([id]) },
    { name: 'counts', statements: () => countsOfApps({}) },
    {
      name: 'search-1000-hits',
      statements: (t) => searchPage({ search: lot(t) }, AppSort.relevance, firstResults(limit), common),
    },
    {
      name: 'search-1000-hits-popular',
      statements: (t) => searchPage({ search: lot(t) }, AppSort.popular, firstResults(limit), common),
    },
    {
      name: 'search-1000-hits-filtered',
      statements: (t) =>
        searchPage({ search: lot(t), category: category(t) }, AppSort.relevance, firstResults(limit), common),
    },
    {
      name: 'search-two-words',
      statements: (t) =>
        searchPage({ search: `${lot(t)} ${word(t, 0)}` }, AppSort.relevance, firstResults(limit), common),
    },
    {
      name: 'search-common-word',
      statements: (t) => searchPage({ search: word(t, 0) }, AppSort.relevance, firstResults(limit), common),
    },
    {
      name: 'search-common-connection',
      statements: (t) =>
        searchPage({ search: word(t, 0) }, AppSort.relevance, firstResults(limit + 1), common),
    },
    {
      name: 'search-common-newest',
      statements: (t) => searchPage({ search: word(t, 0) }, AppSort.newest, firstResults(limit + 1), common),
    },
    {
      name: 'search-one-letter',
      statements: (t) =>
        searchPage({ search: 'bcdfglmnrs'[t % 10]! }, AppSort.relevance, firstResults(limit + 1), common),
    },
    {
      name: 'search-typo',
      statements: (t) =>
        searchPageWithSimilar({ search: `${word(t, 3000)}qk` }, AppSort.relevance, firstResults(limit)),
    },
    {
      name: 'search-nothing',
      statements: (t) =>
        searchPageWithSimilar({ search: `qqqqwwww${t}` }, AppSort.relevance, firstResults(limit)),
    },
    { name: 'search-facets', statements: (t) => searchCounts({ search: lot(t) }, [{}]) },
    { name: 'suggest', statements: (t) => suggestions(word(t, 100).slice(0, 4), 10, apps) },
    { name: 'suggest-one-letter', statements: (t) => suggestions('bcdfglmnrs'[t % 10]!, 10, apps) },
  ];
}
