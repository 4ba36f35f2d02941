import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../../support/mail-server.js';
import { type Service, startService } from '../../support/service.js';
import type { AppPage } from './browsed-catalog.js';
import { aPublicApp } from './public-apps.js';

let service: Service;
afterAll(() => service.close());

describe('deep pages of browseApps', () => {
  const orders = {
    popular: 'install_count desc, approved_at desc, id',
    newest: 'approved_at desc, id',
    rating: 'average_rating desc, review_count desc, id',
    name: 'lower(name), id',
  };
  const filters = {
    '': 'true',
    '&category=OTHER': "category = 'OTHER'",
    '&environment=staging&featured=false': "environment = 'staging' and not featured",
  };
  const lists = Object.entries(orders).flatMap(([sort, order]) =>
    Object.entries(filters).map(([query, where]) => ({ sort, order, query, where })),
  );
  type Asked = (typeof lists)[number];

  /** More than a thousand apps are equal in the first sort field, and many in all but the id. */
  beforeAll(async () => {
    service = await startService();
    const ada = await service.aDeveloper();
    await aPublicApp(service, ada, { name: 'Zebra', environment: 'localhost' }, { installs: 3, day: 3 });
    await service.sql('alter table apps disable trigger user');
    await service.sql(
      `insert into apps (id, developer_id, slug, name, sort_name, listed, description, category, environment,
        screenshots, status, featured, review_count, average_rating, revision, submitted_at, approved_at, created_at,
        updated_at)
      select gen_random_uuid(), $1, 'many-' || n, 'Many ' || n % 2, 'many ' || n % 2, true, 'One of many.',
        case when n % 5 = 0 then 'FINANCE' else 'OTHER' end, case when n % 7 < 5 then 'staging' else 'production' end,
        (select screenshots from apps where slug = 'zebra'), 'APPROVED', n % 11 = 0, n % 2, n % 3 + 0.1, 1, now(),
        timestamptz '2026-01-01Z' + n % 4 * interval '1 millisecond', now(), now()
      from generate_series(1, 3000) n`,
      [ada.id],
    );
    await service.sql('alter table apps enable trigger user');
    await service.sql('select rebuild_catalog()');
    await service.sql(
      `update app_figures f set install_count = 1000 + substring(slug from '\\d+')::integer % 2
      from apps a where a.id = f.id and a.slug like 'many-%'`,
    );
    await service.sql('vacuum analyze apps, app_figures');
    await until(() => service.cache.catalog.isKnown(), 'changes are not heard');
  });

  const page = async ({ sort, query }: Pick<Asked, 'sort' | 'query'>, limit: number, number: number) => {
    const response = await service.client.request(
      'GET',
      `/api/apps?sort=${sort}&limit=${limit}&page=${number}${query}`,
    );
    return (await response.json()) as AppPage;
  };
  /** Requests another page each time, because a cached response does not use the page index. */
  async function indexed(list: Asked): Promise<void> {
    let number = 1_001;
    await until(async () => {
      const { used } = service.cache.pageIndex.figures;
      number += 1;
      await page(list, 1, number);
      return service.cache.pageIndex.figures.used > used;
    }, 'the page index was not used');
  }
  const inOrder = async ({ where, order }: Asked) =>
    (
      await service.sql<{ slug: string }>(
        `select slug from apps join (select id, install_count from app_figures) f using (id)
        where listed and ${where} order by ${order}`,
      )
    ).map(({ slug }) => slug);

  it.each(lists)('are exact, sorted by $sort where $where (D27)', async (list) => {
    const all = await inOrder(list);
    expect(all.length).toBeGreaterThan(1_900);
    await indexed(list);
    const { used } = service.cache.pageIndex.figures;
    const deep = [
      [100, 11],
      [20, 51],
      [7, 144],
      [100, 19],
      [1, 1_000 + 1],
      [1, all.length],
      [50, Math.ceil(all.length / 50)],
    ] as const;
    for (const [limit, number] of deep) {
      const { apps, pagination } = await page(list, limit, number);
      expect(apps.map(({ slug }) => slug)).toEqual(all.slice((number - 1) * limit, number * limit));
      expect(pagination.total).toBe(all.length);
    }
    // On a busy machine some pages are read from the database, because the index may be out of date.
    expect(service.cache.pageIndex.figures.used).toBeGreaterThan(used);
    expect((await page(list, 100, 1_000)).pagination.total).toBe(all.length);
  });

  it.each(['an install', 'a takedown'])('show %s at the next request (D29)', async (change) => {
    const list = lists[0]!;
    const [first] = (await page(list, 1, 1)).apps;
    await indexed(list);
    // It passes more than a thousand others, or leaves them.
    if (change === 'an install')
      await service.client.must('recordInstall', { slug: 'many-2', installationId: 'a-device' });
    else await service.administer('suspendApp', { id: first?.id, reason: 'Fraud.' });
    const { apps } = await page(list, 100, 12);
    expect(apps.map(({ slug }) => slug)).toEqual((await inOrder(list)).slice(1_100, 1_200));
  });
});
