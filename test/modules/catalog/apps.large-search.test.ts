import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Developer } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { until } from '../../support/mail-server.js';
import { type Service, startService } from '../../support/service.js';
import { idsOf, pageOfApps } from './app-connection.js';
import type { PublicAppJson } from './public-apps.js';

let service: Service;
let ada: Developer;
beforeAll(async () => {
  service = await startService();
  ada = await service.aDeveloper({ name: 'Ada' });
});
afterAll(() => service.close());

const must = (input: Input = {}) => pageOfApps(service, input);

describe('a search that matches thousands of apps', () => {
  beforeAll(async () => {
    await service.sql('alter table apps disable trigger user');
    await service.sql(
      `insert into apps (id, developer_id, slug, name, sort_name, listed, description, category, environment, screenshots,
        status, featured, review_count, average_rating, revision, submitted_at, approved_at, created_at, updated_at)
      select gen_random_uuid(), $1, 'gadget-' || n, name, lower(name), true, 'A gadget.', 'OTHER', 'production', $2,
        'APPROVED', false, 0, 0, 1, now(), now(), now(), now()
      from generate_series(1, 5400) n, lateral (select case when n = 1 then 'Gadget' when n < 30 then 'Gadget ' || n
        else 'Item ' || n end as name) named`,
      [
        ada.id,
        JSON.stringify(
          [0, 1].map((order) => ({ url: 'https://pictures.example/x.png', caption: null, order })),
        ),
      ],
    );
    await service.sql('alter table apps enable trigger user');
    await service.sql('select rebuild_catalog()');
    await service.sql(
      `update app_figures f set install_count = substring(slug from '\\d+')::integer % 97
      from apps a where a.id = f.id and a.slug like 'gadget-%'`,
    );
  });

  it('has an exact total, and ranks the exact name, then prefix matches, then the most installed (D65)', async () => {
    const { totalCount, edges } = await must({ search: 'gadget', first: 100 });
    expect(totalCount).toBe(5400);
    const names = edges.map(({ node }) => String(node.name));
    expect(names[0]).toBe('Gadget');
    expect(names.slice(1, 29).every((name) => name.startsWith('Gadget '))).toBe(true);
    const rest = edges.slice(29).map(({ node }) => node.installCount);
    expect(rest).toEqual(rest.toSorted((a, b) => b - a));
    expect(rest[0]).toBe(96);
  });

  it.each(['relevance', 'newest', 'name'])(
    'returns the same by pages and by cursors, sorted by %s (D65, D66)',
    async (sort) => {
      const input = { search: 'gadget', sort };
      const second = await must({
        ...input,
        first: 50,
        after: (await must({ ...input, first: 50 })).pageInfo.endCursor,
      });
      const browsed = await service.client.must<{ apps: PublicAppJson[]; pagination: { total: number } }>(
        'browseApps',
        { ...input, page: 2, limit: 50 },
      );
      expect(browsed.pagination.total).toBe(5400);
      expect(idsOf(second)).toEqual(browsed.apps.map(({ id }) => id));
      expect(new Set(idsOf(second)).size).toBe(50);
    },
  );

  it('counts prefix matches and similar names (D65)', async () => {
    expect((await must({ search: 'i', first: 1 })).totalCount).toBe(5371);
    const { totalCount, edges } = await must({ search: 'itme', first: 3 });
    expect(totalCount).toBe(5371);
    expect(edges.map(({ node }) => node.installCount)).toEqual([96, 96, 96]);
    expect((await must({ search: 'gadget', category: 'OTHER', featured: true, first: 1 })).totalCount).toBe(
      0,
    );
  });

  it('finds further pages of a repeated search by its stored order, and follows changes (D300)', async () => {
    const browse = (sort: string, page: number) =>
      service.client.must<{ apps: PublicAppJson[]; pagination: { total: number } }>('browseApps', {
        search: 'gadget',
        sort,
        page,
        limit: 40,
      });
    await until(
      () => service.cache.catalog.isKnown(),
      45_000,
      () => 'changes are not heard',
    );
    for (const sort of ['popular', 'relevance', 'newest', 'name']) {
      const read = [];
      for (const page of [1, 2, 3, 4]) {
        // Without a stored order.
        service.cache.catalog.raise();
        read.push(await browse(sort, page));
      }
      await browse(sort, 5);
      const { used } = service.cache.searchResults.figures;
      for (const page of [2, 3, 4, 1]) expect(await browse(sort, page)).toEqual(read[page - 1]);
      expect(service.cache.searchResults.figures.used).toBeGreaterThan(used);
    }
    // A change that nothing announces: the order no longer fits the counts, so the page is searched again.
    await service.sql('alter table app_figures disable trigger app_figures_announce_count');
    await browse('popular', 1);
    await browse('popular', 2);
    const pool = new pg.Client({ connectionString: service.databaseUrl });
    await pool.connect();
    await pool.query('update app_figures set install_count = 97 - install_count');
    await pool.end();
    const counts = (await browse('popular', 3)).apps.map(({ installCount }) => installCount);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(counts[0]).toBe(96);
    await service.sql('alter table app_figures enable trigger app_figures_announce_count');
  });
});
