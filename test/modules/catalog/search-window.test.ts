import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Statement, sessionSettings } from '../../../src/db/reader.js';
import { AppSort } from '../../../src/modules/catalog/catalog.types.js';
import { startOfList } from '../../../src/modules/catalog/cursor.rules.js';
import { searchPage, suggestionsWithSimilar } from '../../../src/modules/catalog/search.queries.js';
import { searchWindow } from '../../../src/modules/catalog/search-hits.queries.js';
import type { CatalogFilter } from '../../../src/modules/catalog/statement-builder.queries.js';
import { type CommonTerms, commonTerms } from '../../../src/modules/catalog/term-statistics.queries.js';
import { Environment } from '../../../src/modules/listings/app.entity.js';
import { Category } from '../../../src/modules/listings/listing.entity.js';
import { duringTests } from '../../support/before-tests.js';
import { connectTo } from '../../support/database.js';
import { startService } from '../../support/service.js';
import { idsOf, pageOfApps } from './app-connection.js';
import type { PublicAppJson } from './public-apps.js';
import { allHits, type ExpectedHit, fillSearchedCatalog, searchedWords } from './searched-catalog.js';

/** More than are ranked. */
const APPS = 5_300;

let developer: string;
const service = duringTests(startService);
beforeAll(async () => {
  developer = await fillSearchedCatalog(service, APPS);
});

type Compare = (a: ExpectedHit, b: ExpectedHit) => number;
const text = (a: string, b: string) => Number(a > b) - Number(a < b);
const byId: Compare = (a, b) => text(a.id, b.id);
const popular: Compare = (a, b) => b.installs - a.installs || text(b.approved, a.approved) || byId(a, b);
const orders: Record<Exclude<AppSort, AppSort.relevance>, Compare> = {
  popular,
  newest: (a, b) => text(b.approved, a.approved) || byId(a, b),
  rating: (a, b) => b.rating - a.rating || b.reviews - a.reviews || byId(a, b),
  name: (a, b) => text(a.name, b.name) || byId(a, b),
};

/** The results of a search in their order, by the rules of D65 and D320. */
function expected(hits: ExpectedHit[], sort: AppSort): string[] {
  if (sort !== AppSort.relevance)
    return hits
      .toSorted(orders[sort])
      .slice(0, searchWindow)
      .map(({ id }) => id);
  return [3, 2, 1]
    .flatMap((tier) => {
      const alike = hits.filter((hit) => hit.tier === tier).toSorted(popular);
      const first = alike.slice(0, searchWindow);
      return hits.length > 5_000 ? first : first.toSorted((a, b) => b.score - a.score || popular(a, b));
    })
    .slice(0, searchWindow)
    .map(({ id }) => id);
}

const browse = (filter: CatalogFilter, sort: AppSort, page: number, limit: number) =>
  service.client.must<{ apps: PublicAppJson[]; pagination: { total: number; totalPages: number } }>(
    'browseApps',
    { ...filter, sort, page, limit },
  );

const sorts = Object.values(AppSort);
const searches: CatalogFilter[] = [
  ...searchedWords.filter((word) => word < 100).map((word) => ({ search: `word${word}` })),
  { search: 'word2 word5' },
  { search: 'item' },
  { search: 'i' },
  { search: 'Item 17' },
  { search: 'word2', category: Category.FINANCE },
  { search: 'word1', environment: Environment.staging },
  { search: 'word1', environment: Environment.production },
  { search: 'word5', environment: Environment.production, featured: false },
  { search: 'word1', environment: Environment.production, featured: false },
  { search: 'the', environment: Environment.production },
  { search: 'the', featured: false },
  { search: 'word1', category: Category.OTHER, environment: Environment.production, featured: true },
];

/** Returns the plan of a statement as the service plans it, with what was executed. */
async function executedPlan({ text, values }: Statement): Promise<string> {
  const client = await connectTo(service.databaseUrl);
  await client.query(sessionSettings);
  const { rows } = await client.query<Record<string, string>>(`explain (analyze) ${text}`, [...values]);
  await client.end();
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

describe('a search with a window (D320)', () => {
  it.each(searches)('has the first apps of %j in every order, on any page', async (filter) => {
    const hits = await allHits(service, filter);
    const total = Math.min(hits.length, searchWindow);
    for (const sort of sorts) {
      const ids = expected(hits, sort);
      for (const [page, limit] of [
        [1, 20],
        [3, 30],
        [34, 30],
      ] as const) {
        const { apps, pagination } = await browse(filter, sort, page, limit);
        expect(apps.map(({ id }) => id)).toEqual(ids.slice((page - 1) * limit, page * limit));
        expect(pagination).toMatchObject({ total, totalPages: Math.ceil(total / limit) });
      }
    }
  });

  it.each([
    { search: 'word1' },
    { search: 'word5' },
    { search: 'item' },
    { search: 'word1', category: Category.FINANCE },
  ])('has the same apps by cursors, and ends at the window: %j', async (filter) => {
    const hits = await allHits(service, filter);
    for (const sort of sorts) {
      const ids: unknown[] = [];
      let after: string | null = null;
      do {
        const page = await pageOfApps(service, { ...filter, sort, first: 100, after });
        ids.push(...idsOf(page));
        expect(page.pageInfo.hasNextPage).toBe(ids.length < Math.min(hits.length, searchWindow));
        after = page.pageInfo.endCursor;
        if (!page.pageInfo.hasNextPage) break;
      } while (ids.length <= searchWindow);
      expect(ids).toEqual(expected(hits, sort));
    }
  });

  it('has no page after the window, and no app after its last cursor', async () => {
    const { apps, pagination } = await browse({ search: 'word1' }, AppSort.newest, 11, 100);
    expect([apps, pagination]).toMatchObject([[], { total: searchWindow, totalPages: 10 }]);
    let after: string | null = null;
    for (let page = 0; page < 11; page += 1) {
      const { edges, pageInfo } = await pageOfApps(service, { search: 'word1', first: 100, after });
      if (page === 10) expect([edges, pageInfo.hasNextPage]).toEqual([[], false]);
      after = pageInfo.endCursor ?? after;
    }
  });

  it.each(searches)(
    'counts %j exactly up to the window, and says whether the total is exact',
    async (filter) => {
      const hits = await allHits(service, filter);
      const { totalCount, totalIsExact, facets } = await pageOfApps(service, { ...filter, first: 1 });
      expect(totalCount).toBe(Math.min(hits.length, searchWindow));
      expect(totalIsExact).toBe(hits.length < searchWindow);
      const { category, environment, ...others } = filter;
      const all = await allHits(service, others);
      const count = (matches: (hit: ExpectedHit) => boolean) =>
        Math.min(all.filter(matches).length, searchWindow);
      for (const facet of facets.categories)
        expect(facet.count).toBe(
          count(
            (hit) => hit.category === facet.category && (!environment || hit.environment === environment),
          ),
        );
      for (const facet of facets.environments)
        expect(facet.count).toBe(
          count((hit) => hit.environment === facet.environment && (!category || hit.category === category)),
        );
    },
  );

  it('finds the apps of a developer', async () => {
    const other = await service.aDeveloper({ name: 'Bo' });
    const own = await pageOfApps(service, { search: 'word5', developer, first: 10 });
    expect(idsOf(own)).toEqual(
      expected(await allHits(service, { search: 'word5' }), AppSort.relevance).slice(0, 10),
    );
    expect((await pageOfApps(service, { search: 'word5', developer: other.id })).totalCount).toBe(0);
    expect((await pageOfApps(service, { search: 'item', developer: other.id })).totalCount).toBe(0);
  });

  it('finds similar names in the index of the words of names, which a rebuilt catalog has too', async () => {
    const plan = await executedPlan(suggestionsWithSimilar('wrod1500', 10));
    expect(plan).toContain('Bitmap Index Scan on app_search_name_words');
    expect(plan).not.toContain('app_search_document');
  });

  it.each<[text: string, scans: boolean]>([
    ['word1', false],
    ['word2', true],
    ['word1 word2', true],
    ['the', true],
  ])('for %j scans the text index unless nearly all apps have the words: %j', async (search, scans) => {
    const [common] = await service.sql<CommonTerms>(commonTerms.text);
    const first = { limit: 20, offset: 0, position: startOfList };
    const filter = { search, developer };
    const plan = await executedPlan(searchPage(filter, AppSort.popular, first, common!));
    expect(plan).toMatch(/Bitmap Index Scan on app_search_document/);
    expect(/app_search_document .*actual time/.test(plan)).toBe(scans);
  });

  it('is exact for a list without a search, however long', async () => {
    expect(await pageOfApps(service, { first: 1 })).toMatchObject({ totalCount: APPS, totalIsExact: true });
  });

  it.each(['w', 'word1', 'item', 'item 1'])(
    'suggests the most installed names with %j (D69)',
    async (prefix) => {
      const names = (await allHits(service, { search: prefix })).filter(({ tier }) => tier > 1);
      const suggested = await service.client.must<{ slug: string }[]>('suggest', { prefix, first: 15 });
      const slugs = await service.sql<{ id: string; slug: string }>('select id, slug from apps');
      const slugOf = new Map(slugs.map(({ id, slug }) => [id, slug]));
      const best = names.toSorted((a, b) => b.tier - a.tier || popular(a, b)).slice(0, 15);
      expect(suggested.slice(0, best.length).map(({ slug }) => slug)).toEqual(
        best.map(({ id }) => slugOf.get(id)),
      );
    },
  );
});
