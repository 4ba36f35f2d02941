import { beforeAll, describe, expect, it } from '@jest/globals';
import { apis, type Input } from '../../support/api-client.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { expectSuccess } from '../../support/outcomes.js';
import { startService } from '../../support/service.js';
import { type AppPage, browsedCatalog, slugsOf } from './browsed-catalog.js';
import { aPublicApp } from './public-apps.js';

const catalog = beforeTests(browsedCatalog);
const service = beforeTests(() => catalog.service);

describe.each(apis)('the search of browseApps over %s', (api) => {
  const browse = async (input: Input = {}) =>
    expectSuccess(await service.client.call<AppPage>(api, 'browseApps', input));

  it.each([
    ['a word of the name', 'tracker', 'time-tracker'],
    ['a word of the name in another case', 'INVOICE', 'invoice-maker'],
    ['a word of the description', 'stripes', 'zebra'],
    ['another form of a word', 'watching', 'budget'],
    ['words of name and description together', 'budget money', 'budget'],
    ['a name with two letters swapped', 'time trakcer', 'time-tracker'],
    ['a name with a letter too few', 'invoce maker', 'invoice-maker'],
    ['a name with a letter too many', 'buddget', 'budget'],
    ['the beginning of a name', 'inv', 'invoice-maker'],
  ])('finds by %s (D28)', async (_, search, slug) => {
    expect(slugsOf(await browse({ search }))).toContain(slug);
  });

  it.each(['drafts', "it's", '"', "'); drop table apps; --", '%', '_', '\\', '!&|', 'the', '🦓'])(
    'treats %s as plain text, and finds nothing',
    async (search) => {
      expect(slugsOf(await browse({ search }))).toEqual([]);
    },
  );

  it('never finds apps that are not public (D29)', async () => {
    const found = slugsOf(await browse({ search: 'Time Tracker' }));
    expect(found).toContain('time-tracker');
    expect(found.filter((slug) => /draft|pending|rejected|suspended|eve/.test(slug))).toEqual([]);
  });

  it('sorts the found apps as requested (D27)', async () => {
    expect(slugsOf(await browse({ search: 'twin', sort: 'newest' }))).toEqual(catalog.twins);
  });
});

describe.each(apis)('the relevance of browseApps over %s', (api) => {
  const shop = duringTests(startService);
  beforeAll(async () => {
    const maker = await shop.aDeveloper();
    const fixtureApps: [name: string, description: string, installs: number][] = [
      ['Team Notes', 'A place for your calendar.', 900],
      ['Calendars Galore', 'Many of them.', 500],
      ['Calendar', 'The plain one.', 1],
      ['My Calendar', 'Calendar after calendar.', 800],
      ['Calendar Plus', 'The other one.', 100],
    ];
    for (const [name, description, installs] of fixtureApps)
      await aPublicApp(shop, maker, { name, description }, { installs });
  });

  it('ranks the exact name first, then prefix matches, then the rest (D28)', async () => {
    const { data } = await shop.client.call<AppPage>(api, 'browseApps', { search: 'calendar' });
    const slugs = slugsOf(data);
    expect(slugs[0]).toBe('calendar');
    expect(slugs.slice(1, 3).sort()).toEqual(['calendar-plus', 'calendars-galore']);
    expect(slugs.slice(3)).toEqual(['my-calendar', 'team-notes']);
  });
});
