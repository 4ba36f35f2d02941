import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { hotQueries, parameterText } from '../../bench/plans.queries.js';
import { sessionSettings } from '../../src/db/reader.js';
import { pageOfApps } from '../../src/modules/catalog/catalog.queries.js';
import { AppSort } from '../../src/modules/catalog/catalog.types.js';
import { Environment } from '../../src/modules/listings/app.entity.js';
import { Category } from '../../src/modules/listings/listing.entity.js';
import { beforeTests } from '../support/before-tests.js';
import { connectTo } from '../support/database.js';
import { startService } from '../support/service.js';

let planner: pg.Client;
const service = beforeTests(startService);
beforeAll(async () => {
  await service.anApp(await service.aDeveloper(), 'APPROVED');
  // As a burst of installs leaves it: counted anew, and not yet vacuumed.
  await service.sql('update app_figures set install_count = install_count + 1');
  await service.sql('analyze');
  planner = await connectTo(service.databaseUrl);
  await planner.query(sessionSettings);
});
afterAll(async () => {
  await planner.end();
  await service.close();
});

async function planOf(text: string, values: readonly unknown[]): Promise<string> {
  await planner.query(`prepare planned as ${text}`);
  const literals = values
    .map((value) => (value === null ? 'null' : planner.escapeLiteral(parameterText(value))))
    .join(', ');
  const { rows } = await planner.query<{ 'QUERY PLAN': string }>(
    `explain execute planned${literals && `(${literals})`}`,
  );
  await planner.query('deallocate planned');
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

describe('the hot queries', () => {
  it.each(hotQueries(1_000_000).map(({ name, statements }) => [name, statements(0)] as const))(
    '%s reads by indexes alone, however long ago the tables were vacuumed',
    async (_name, { text, values }) => {
      expect(await planOf(text, values)).not.toMatch(
        /Seq Scan on (apps|app_figures|app_search|developers)\b/,
      );
    },
  );
});

describe('a list of a category and an environment', () => {
  beforeAll(async () => {
    await service.sql(
      `insert into apps (id, developer_id, slug, name, description, category, environment, screenshots, status, featured,
        review_count, average_rating, revision, submitted_at, approved_at, created_at, updated_at)
      select gen_random_uuid(), a.developer_id, 'planned-' || n, 'Planned ' || n, 'An app', 'FINANCE',
        case when n % 10 = 0 then 'staging' else 'production' end, a.screenshots, a.status, false, 0, 0, 1, now(), now(),
        now(), now()
      from apps a, generate_series(1, 500) n`,
    );
    await service.sql('analyze');
  });

  it.each([
    [Environment.staging, AppSort.popular, 'app_figures_environment'],
    [Environment.staging, AppSort.newest, 'apps_other_newest'],
    [Environment.staging, AppSort.rating, 'apps_other_rating'],
    [Environment.staging, AppSort.name, 'apps_other_name'],
    [Environment.production, AppSort.popular, 'app_figures_category'],
  ])('%s by %s is read from the index %s', async (environment, sort, index) => {
    const { text, values } = pageOfApps({ category: Category.FINANCE, environment }, sort, {
      limit: 20,
      offset: 0,
    });
    expect(await planOf(text, values)).toContain(`Index Only Scan using ${index}`);
  });
});
