import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AppJson, aListing } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { manyCopiesOf } from '../../support/copies.js';
import { connectTo } from '../../support/database.js';
import { sharedService } from '../../support/service.js';

describe('a slug that very many apps ask for', () => {
  const many = 40_000;
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());
  beforeAll(async () => {
    const { id } = await service.anApp(ada, 'DRAFT', { name: '時計' });
    // Drafts need nothing that the triggers do.
    for (const stem of ['app', 'time-tracker'])
      await manyCopiesOf(service, id, many, { slug: `'${stem}' || case n when 1 then '' else '-' || n end` });
    await service.sql('vacuum analyze apps');
  });

  const create = (name: string) => service.client.must<AppJson>('createApp', aListing({ name }), ada.key);

  it.each([
    ['アプリ', 'app'],
    ['Time Tracker', 'time-tracker'],
  ])('gets a random number once a hundred apps have it: %s (D21)', async (name, stem) => {
    const slugs = [await create(name), await create(name)].map(({ slug }) => slug);
    for (const slug of slugs) expect(slug).toMatch(new RegExp(`^${stem}-\\d{9}$`));
    expect(new Set(slugs).size).toBe(2);
  });

  it('is still the first free one among a hundred (D21)', async () => {
    await service.sql("delete from apps where slug in ('app-37', 'app-99', 'app-5000')");
    expect((await create('記録')).slug).toBe('app-37');
    expect((await create('記録')).slug).toBe('app-99');
    expect((await create('記録')).slug).toMatch(/^app-\d{9}$/);
  });

  it('is found by some hundred index lookups, however many there are (D21)', async () => {
    const candidates = Array.from({ length: 100 }, (_, i) => (i === 0 ? 'app' : `app-${i + 1}`));
    const [row] = await service.sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      'explain (analyze, buffers, format json) select take_slug($1)',
      [candidates],
    );
    const { Plan: plan } = row!['QUERY PLAN'][0];
    // Four pages for each look-up; the table has thousands.
    expect(plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!).toBeLessThan(1_000);
  });

  it('does not wait for a concurrent creation that is not committed yet (D21)', async () => {
    await service.sql("delete from apps where slug like 'app-1_' and slug not like 'app-1%-%'");
    const names = ['Задачи', '看板', 'Time 1', 'Time 2'];
    // The holder of the lock on a slug has not committed yet.
    const other = await connectTo(service.databaseUrl);
    try {
      await other.query("begin; select take_slug('{app-10}')");
      const slugs = await Promise.all(names.map(async (name) => (await create(name)).slug));
      expect(slugs.toSorted()).toEqual(['app-11', 'app-12', 'time-1', 'time-2']);
    } finally {
      await other.end();
    }
  });
});
