import { beforeAll, describe, expect, it } from '@jest/globals';
import { duringTests } from '../../support/before-tests.js';
import { startService } from '../../support/service.js';
import { cases, catalog, fruitless } from './relevance.cases.js';

const service = duringTests(startService);
beforeAll(async () => {
  const grace = await service.aDeveloper({ name: 'Grace Hopper', companyName: 'Compilers United' });
  const edsger = await service.aDeveloper({ name: 'Edsger Dijkstra' });
  const apps = catalog.map((app, index) => ({
    ...app,
    developer: app.developer === 'grace' ? grace.id : edsger.id,
    slug: `app-${index}`,
  }));
  await service.sql(
    `insert into apps (id, developer_id, slug, name, description, long_description, category, environment, screenshots,
      status, featured, review_count, average_rating, revision, submitted_at, approved_at, created_at, updated_at)
    select gen_random_uuid(), developer, slug, name, description, "longDescription", coalesce(category, 'OTHER'),
      coalesce(environment, 'production'), '[{}, {}]', 'APPROVED', false, 0, 0, 1, now(), now(), now(), now()
    from jsonb_to_recordset($1) app (developer uuid, slug text, name text, description text, "longDescription" text,
      category text, environment text)`,
    [JSON.stringify(apps)],
  );
  await service.sql(
    `update app_figures f set install_count = made.installs
    from jsonb_to_recordset($1) made (slug text, installs integer) join apps a using (slug)
    where f.id = a.id and made.installs > 0`,
    [JSON.stringify(apps)],
  );
});

interface Found {
  browseApps: { apps: { name: string }[]; pagination: { total: number } };
}

const search = async (text: string) => {
  const query =
    'query ($filter: AppFilter) { browseApps(filter: $filter) { apps { name } pagination { total } } }';
  return (await service.client.queryData<Found>(query, { filter: { search: text } }, null)).browseApps;
};

describe('the relevance of a search', () => {
  it.each(cases)('ranks the expected app first: %s (D28)', async (_why, text, first) => {
    const { apps, pagination } = await search(text);
    expect(apps.map(({ name }) => name).slice(0, first.length)).toEqual(first);
    expect(pagination.total).toBe(apps.length);
  });

  it.each(fruitless)('finds nothing by %j: only names tolerate a typo (D28)', async (text) => {
    expect(await search(text)).toEqual({ apps: [], pagination: { total: 0 } });
  });
});
