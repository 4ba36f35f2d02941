import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '../../../mikro-orm.config.js';
import type { Statement } from '../../../src/db/reader.js';
import { Environment } from '../../../src/modules/apps/app.entity.js';
import { Category } from '../../../src/modules/apps/listing.entity.js';
import { AppSort } from '../../../src/modules/catalog/catalog.types.js';
import { maintainFrequentWords } from '../../../src/modules/catalog/frequent-words.queries.js';
import { searchAfter, searchOrder, searchPage } from '../../../src/modules/catalog/search.queries.js';
import type { SearchFilter } from '../../../src/modules/catalog/search-hits.queries.js';
import { type Service, startService } from '../../support/service.js';
import { SearchPages } from './search-pages.js';

/** Every app has the word `shared`; every third `third`, at most once in a name, which may start with it or with `thirdparty`. */
const APPS = 6_000;
const limits = { minApps: 100, minHits: 1_000, minPopular: 600 };
const sorts = [AppSort.popular, AppSort.relevance];

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
    select gen_random_uuid(), $1, 'app-' || n, name, lower(name), true, 'Shared with all', long,
      case when random() < 0.3 then 'FINANCE' else 'OTHER' end,
      case when random() < 0.2 then 'staging' else 'production' end, $2, 'APPROVED', random() < 0.1, 0, 0, 1, now(),
      now() - (random() * 100)::integer * interval '1 day', now(), now()
    from generate_series(1, ${APPS}) n, lateral (
      select case when n % 50 = 0 then 'Third ' || n when n % 70 = 0 then 'Thirdparty ' || n
          when n % 90 = 0 then 'Shared ' || n when n % 110 = 0 then 'The third ' || n when n % 2 = 0 then 'App ' || n else 'Tool ' || n end as name,
        case when n % 3 = 0 then 'One third of it.' else 'All of it.' end as long) texts`,
    [
      id,
      JSON.stringify(
        [0, 1].map((order) => ({ url: 'https://pictures.example/x.png', caption: null, order })),
      ),
    ],
  );
  await service.sql('alter table apps enable trigger user');
  await service.sql('select rebuild_catalog()');
  await service.sql('update app_figures set install_count = floor(exp(random() * 12))');
  await service.sql('vacuum analyze app_search');
  const orm = await MikroORM.init(ormOptions(service.databaseUrl, 2));
  await maintainFrequentWords(() => orm.em.fork() as EntityManager, new AbortController().signal, limits);
  await orm.close();
  pages = await SearchPages.open(service.databaseUrl);
});
afterAll(async () => {
  await pages?.close();
  await service.close();
});

/** Returns whether the total of a search comes from the counts of words: whether it changes with them. */
async function usesCounts(statement: Statement): Promise<boolean> {
  const [before] = await pages.read(statement);
  await pages.client.query('begin');
  try {
    await pages.client.query('update word_counts set apps = apps - 1');
    const [after] = await pages.read(statement);
    return after?.total !== before?.total;
  } finally {
    await pages.client.query('rollback');
  }
}

const filters = [
  {},
  { environment: Environment.production },
  { environment: Environment.staging },
  { featured: true },
  { category: Category.OTHER, environment: Environment.production, featured: false },
];
const searches: SearchFilter[] = ['shared', 'third', 'THIRDS', 'app', 'shared third', 'the'].flatMap(
  (search) => filters.map((filter) => ({ search, ...filter })),
);

describe('searches for words that very many apps have (D314)', () => {
  it('are prepared for: their words are counted, and the most installed apps are marked', async () => {
    const { rows: words } = await pages.client.query(
      'select word, counted from frequent_words order by word',
    );
    expect(words).toEqual(
      ['ada', 'app', 'financ', 'one', 'share', 'third', 'tool'].map((word) => ({ word, counted: true })),
    );
    const { rows } = await pages.client.query<{ popular: number; level: number | null }>(
      `select count(*) filter (where popular)::int as popular, (select complete from popular_level) as level from app_search`,
    );
    expect(rows[0]?.level).toBeGreaterThan(0);
    expect(rows[0]?.popular).toBeGreaterThanOrEqual(limits.minPopular);
    expect(rows[0]?.popular).toBeLessThan(APPS / 2);
  });

  it.each(searches)('find the pages and totals that a search of all hits finds: %j', async (filter) => {
    for (const sort of sorts)
      for (const offset of [0, 75, 1_000, 7_000])
        await pages.compare((variant) => searchPage(variant, filter, sort, { limit: 20, offset }));
  });

  it.each(searches)('find the first apps of a connection, and those after a cursor: %j', async (filter) => {
    const position = [100, '2024-01-01T00:00:00.000Z', '80000000-0000-7000-8000-000000000000'];
    for (const place of [null, position])
      await pages.compare((variant) => searchAfter(variant, filter, AppSort.popular, 21, place));
    await pages.compare((variant) => searchAfter(variant, filter, AppSort.relevance, 21, null));
  });

  it.each(searches)('find the same order to be stored: %j', async (filter) => {
    for (const sort of sorts) {
      const [few] = (await pages.read(searchOrder('few', filter, sort, 500))) as unknown as SearchOrderRow[];
      const [many] = (await pages.read(
        searchOrder('many', filter, sort, 500),
      )) as unknown as SearchOrderRow[];
      expect(few?.total).toBe(many?.total);
      expect(many?.ids.startsWith(few?.ids ?? '-')).toBe(true);
      // At least five pages, unless there are fewer hits.
      expect(few?.ids.split(',').length).toBeGreaterThanOrEqual(Math.min(100, few?.total || 1));
    }
  });

  it.each<[boolean, string, SearchFilter, AppSort, number]>([
    [true, 'the first page', { search: 'third' }, AppSort.popular, 0],
    [true, 'the first page of another form of the word', { search: 'Thirds' }, AppSort.popular, 0],
    [true, 'a further page', { search: 'third' }, AppSort.popular, 60],
    [true, 'a page with filters', { search: 'third', ...filters.at(-1) }, AppSort.popular, 0],
    [true, 'more hits than are ranked by relevance', { search: 'shared' }, AppSort.relevance, 0],
    [false, 'hits that are ranked', { search: 'third' }, AppSort.relevance, 0],
    [false, 'a page of less popular apps', { search: 'third' }, AppSort.popular, 1_900],
    [false, 'two words', { search: 'shared third' }, AppSort.popular, 0],
    [false, 'another order', { search: 'third' }, AppSort.newest, 0],
  ])('use the counts (%s): %s', async (isUsed, _, filter, sort, offset) => {
    expect(await usesCounts(searchPage('few', filter, sort, { limit: 20, offset }))).toBe(isUsed);
  });

  it('find apps that became popular, and none that no longer have the word', async () => {
    const [last] = await service.sql<{ app_id: string }>(
      "select app_id from app_search where document @@ 'third' order by popular, install_level limit 1",
    );
    const first = async () =>
      (
        await pages.compare((v) =>
          searchPage(v, { search: 'third' }, AppSort.popular, { limit: 5, offset: 0 }),
        )
      )[0];
    const before = await first();
    await service.sql('update app_figures set install_count = 100000000 where id = $1', [last?.app_id]);
    expect(await first()).toMatchObject({ id: last?.app_id, total: before?.total });
    await service.sql("update apps set name = 'Other', long_description = 'All of it.' where id = $1", [
      last?.app_id,
    ]);
    expect(await first()).toMatchObject({ id: before?.id, total: before!.total! - 1 });
  });
});

interface SearchOrderRow {
  ids: string;
  total: number;
}
