import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BatchedReader } from '../../../src/db/batched-reader.js';
import type { Statement } from '../../../src/db/reader.js';
import { Environment } from '../../../src/modules/apps/app.entity.js';
import { Category } from '../../../src/modules/apps/listing.entity.js';
import { appsAfter, pageOfApps } from '../../../src/modules/catalog/catalog.queries.js';
import { AppSort } from '../../../src/modules/catalog/catalog.types.js';
import { searchAfter, searchCounts, searchPage } from '../../../src/modules/catalog/search.queries.js';
import type { SearchFilter } from '../../../src/modules/catalog/search-hits.queries.js';
import { suggestions } from '../../../src/modules/catalog/suggestions.queries.js';
import { type Service, startService } from '../../support/service.js';
import { SearchPages } from './search-pages.js';

/** Every app has word1, every second word2, every fifth word5 and so on: in the name, the description or the long description. */
const APPS = 5_100;
const words = [1, 2, 5, 20, 60, 1500];
const sorts = Object.values(AppSort);

let service: Service;
let pages: SearchPages;
beforeAll(async () => {
  service = await startService();
  const { id } = await service.aDeveloper({ name: 'Ada' });
  await service.sql('alter table apps disable trigger user');
  await service.sql(
    `insert into apps (id, developer_id, slug, name, sort_name, listed, description, long_description, category,
      environment, screenshots, status, featured, review_count, average_rating, revision, submitted_at, approved_at,
      created_at, updated_at)
    select gen_random_uuid(), $1, 'random-' || n, name, lower(name), true, coalesce(brief, '-'), long,
      case when random() < 0.3 then 'FINANCE' else 'OTHER' end,
      case when random() < 0.2 then 'staging' else 'production' end, $3, 'APPROVED', random() < 0.1, 0, 0, 1, now(),
      now() - (random() * 100)::integer * interval '1 day', now(), now()
    from generate_series(1, ${APPS}) n, lateral (
      select coalesce(string_agg('word' || w, ' ') filter (where place < 0.1), 'Item ' || n) as name,
        string_agg('word' || w, ' ') filter (where place between 0.1 and 0.6) as brief,
        string_agg('word' || w, ' ') filter (where place > 0.6) as long
      from (select w, random() + n * 0 as place from unnest($2::integer[]) w where n % w = 0) placed) texts`,
    [
      id,
      words,
      JSON.stringify(
        [0, 1].map((order) => ({ url: 'https://pictures.example/x.png', caption: null, order })),
      ),
    ],
  );
  await service.sql('alter table apps enable trigger user');
  await service.sql('select rebuild_catalog()');
  await service.sql('update app_figures set install_count = floor(exp(random() * 21))');
  // Texts that have a word more or less often: installs and texts then count alike for the relevance.
  await service.sql(
    `update app_search set headline = setweight(to_tsvector('english', repeat('word20 ', (1 + random() * 8)::integer)), 'B')
    where document @@ 'word20' and headline @@ 'word20:B'`,
  );
  // As after the migration, some levels of installs are not known yet.
  await service.sql(
    "update app_search set install_level = null where not document @@ 'word20' and random() < 0.3",
  );
  pages = await SearchPages.open(service.databaseUrl);
});
afterAll(async () => {
  await pages?.close();
  await service.close();
});

const searches: SearchFilter[] = [
  ...words.map((word) => ({ search: `word${word}` })),
  { search: 'word2 word5' },
  { search: 'item' },
  { search: 'item 1' },
  { search: 'wrod1500' },
  { search: 'nothing' },
  { search: '...' },
  { search: 'word2', category: Category.FINANCE },
  { search: 'word5', environment: Environment.staging, featured: true },
  { search: 'wrod1500', category: Category.FINANCE },
  { search: 'word5', environment: Environment.production, featured: false },
  { search: 'word20', category: Category.OTHER, environment: Environment.production },
];

describe('both variants of a search statement (D299)', () => {
  it.each(searches)('find the same pages for %j (D308)', async (filter) => {
    for (const sort of sorts)
      for (const offset of [0, 45, 60, 75, 200])
        await pages.compare((variant) => searchPage(variant, filter, sort, { limit: 20, offset }));
  });

  it.each(searches)('find the same apps after a cursor for %j', async (filter) => {
    for (const sort of [AppSort.relevance, AppSort.popular])
      await pages.compare((variant) => searchAfter(variant, filter, sort, 20, null));
    const position = [100, '2024-01-01T00:00:00.000Z', '80000000-0000-7000-8000-000000000000'];
    await pages.compare((variant) => searchAfter(variant, filter, AppSort.popular, 20, position));
  });

  it.each(['w', 'wo', 'word1', 'word2', 'item 1', 'item', 'wrod', 'item 4999', 'nothing'])(
    'suggest the same for %j (D301)',
    async (prefix) => {
      for (const limit of [1, 10]) await pages.compare((variant) => suggestions(variant, prefix, limit));
    },
  );

  it.each(searches)('count the same as the facets for %j', async (filter) => {
    const counts = (await pages.read(searchCounts(filter))) as unknown as { count: number }[];
    const [first] = await pages.read(searchPage('few', filter, AppSort.popular, { limit: 1, offset: 0 }));
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(first?.total);
  });

  it.each([
    { environment: Environment.production },
    { featured: false },
    { category: Category.OTHER, environment: Environment.production, featured: false },
    { environment: Environment.staging, featured: false },
    { environment: Environment.production, featured: true },
  ])('filter by %j, whether the index of words has the filter or not (D306)', async (filter) => {
    const { rows } = await pages.client.query<{ expected: number }>(
      `select count(*)::int as expected from app_search where document @@ 'word5'
        and category = coalesce($1, category) and environment = coalesce($2, environment)
        and featured = coalesce($3, featured)`,
      [filter.category, filter.environment, filter.featured],
    );
    for (const sort of [AppSort.relevance, AppSort.popular]) {
      const search = { search: 'word5', ...filter };
      const found = await pages.compare((variant) =>
        searchPage(variant, search, sort, { limit: 5, offset: 0 }),
      );
      expect(found[0]?.total).toBe(rows[0]?.expected);
    }
  });

  it('find similar names in the index of the words of names, which a rebuilt catalog has too (D307)', async () => {
    const { text, values } = suggestions('few', 'wrod1500', 10);
    await pages.client.query(`prepare names_alike as ${text}`);
    const plan = await pages.client.query<Record<string, string>>(
      `explain execute names_alike(${values.map((value) => pages.client.escapeLiteral(String(value))).join(', ')})`,
    );
    const scans = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(scans).toContain('Bitmap Index Scan on app_search_name_words');
    expect(scans).not.toContain('app_search_document');
  });
});

describe('statements that are sent together return what each returns alone (D312)', () => {
  const windows = [0, 3, 45, 60, 5_000].map((offset, index) => ({ limit: 20 - index, offset }));
  const filters = searches.map(({ search: _, ...filter }) => filter);
  const position = [100, '2024-01-01T00:00:00.000Z', '80000000-0000-7000-8000-000000000000'];
  const after = { limit: 7, offset: 2, after: position };

  it.each<[string, Statement[]]>([
    [
      'pages of lists',
      sorts.flatMap((sort) =>
        filters.flatMap((filter) => windows.map((window) => pageOfApps(filter, sort, window))),
      ),
    ],
    [
      'pages of lists after an entry of the page index',
      filters.flatMap((filter) =>
        [1, 30].map((limit) => pageOfApps(filter, AppSort.popular, { ...after, limit })),
      ),
    ],
    [
      'lists after a cursor',
      filters.flatMap((filter) =>
        [null, position].flatMap((place) =>
          [3, 9].map((size) => appsAfter(filter, AppSort.popular, size, place)),
        ),
      ),
    ],
    [
      'pages of searches',
      sorts.flatMap((sort) =>
        searches.flatMap((filter) => windows.map((window) => searchPage('few', filter, sort, window))),
      ),
    ],
    [
      'searches after a cursor',
      searches.flatMap((filter) =>
        [null, position].map((place) => searchAfter('few', filter, AppSort.popular, 5, place)),
      ),
    ],
    [
      'suggestions',
      ['wo', 'word1', 'word2', 'item 1', 'item', 'wrod', 'item 4999', 'nothing', 'word20'].map(
        (prefix, index) => suggestions('few', prefix, 1 + index),
      ),
    ],
  ])('%s', async (_, statements) => {
    const sent: Statement[] = [];
    const rows = (statement: Statement) => {
      sent.push(statement);
      return pages.read(statement) as Promise<never>;
    };
    const batched = new BatchedReader({ rows }, 8);
    const together = await Promise.all(statements.map((statement) => batched.rows<object>(statement)));
    expect(sent.length).toBeLessThan(statements.length / 2);
    for (const [index, statement] of statements.entries())
      expect(together[index]!.map((row) => ({ ...row, batchPlace: undefined }))).toEqual(
        (await pages.read(statement)).map((row) => ({ ...row, batchPlace: undefined })),
      );
  });
});
