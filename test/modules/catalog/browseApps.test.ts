import { describe, expect, it } from '@jest/globals';
import { apis, type Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { anId, aTime } from '../../support/matchers.js';
import { expectSuccess } from '../../support/outcomes.js';
import { type AppPage, browsedCatalog, slugsOf } from './browsed-catalog.js';
import { publicFields } from './public-apps.js';

const catalog = beforeTests(browsedCatalog);
const service = beforeTests(() => catalog.service);

describe.each(apis)('browseApps over %s', (api) => {
  const browse = async (input: Input = {}) =>
    expectSuccess(await service.client.call<AppPage>(api, 'browseApps', input));

  it('returns only approved apps of developers in good standing, most installed first (D27, D28, D29)', async () => {
    const page = await browse();
    expect(slugsOf(page)).toEqual(catalog.popular);
    expect(page.pagination).toEqual({ page: 1, limit: 20, total: 7, totalPages: 1 });
  });

  it('returns the public form of an app, exactly (D17)', async () => {
    const { apps } = await browse({ search: 'Time Tracker', limit: 1 });
    expect(apps).toMatchObject([
      {
        id: anId,
        slug: 'time-tracker',
        name: 'Time Tracker',
        description: 'Tracks the time you spend on each task.',
        longDescription: '# Long',
        category: 'PRODUCTIVITY',
        environment: 'production',
        logoUrl: 'https://pictures.example/logo.png',
        bannerUrl: null,
        websiteUrl: null,
        screenshots: [
          { url: 'https://pictures.example/one.png', caption: null, order: 0 },
          { url: 'https://pictures.example/two.png', caption: 'Two', order: 1 },
        ],
        status: 'APPROVED',
        featured: true,
        installCount: 50,
        reviewCount: 10,
        averageRating: 4.5,
        approvedAt: '2026-01-05T00:00:00.000Z',
        createdAt: aTime,
        updatedAt: aTime,
        developer: { name: 'Ada', companyName: 'Engines', websiteUrl: 'https://ada.example' },
      },
    ]);
    expect(Object.keys(apps[0]!).sort()).toEqual([...publicFields].sort());
  });

  it.each([
    [{ category: 'FINANCE' }, ['invoice-maker', 'budget']],
    [{ category: 'EDUCATION' }, []],
    [{ environment: 'staging' }, ['budget']],
    [{ environment: 'localhost' }, ['zebra']],
    [{ featured: true }, ['budget', 'time-tracker']],
    [{ featured: false, category: 'FINANCE' }, ['invoice-maker']],
    [{ category: 'FINANCE', environment: 'production', featured: false, search: 'bills' }, ['invoice-maker']],
    [{ category: 'FINANCE', environment: 'localhost' }, []],
  ])('filters by %j (D27)', async (filter, slugs) => {
    const page = await browse(filter);
    expect(slugsOf(page)).toEqual(slugs);
    expect(page.pagination.total).toBe(slugs.length);
  });

  it('orders by installs, then latest approval, then id (D28)', async () => {
    expect(slugsOf(await browse({ sort: 'popular' }))).toEqual(catalog.popular);
  });

  it('orders by latest approval, then id (D28)', async () => {
    expect(slugsOf(await browse({ sort: 'newest' }))).toEqual([
      'budget',
      ...catalog.twins,
      'time-tracker',
      'zebra',
      'invoice-maker',
    ]);
  });

  it('orders by mean rating, then number of ratings, then id (D28)', async () => {
    const [best, next, third, ...unrated] = slugsOf(await browse({ sort: 'rating' }));
    expect([best, next, third]).toEqual(['budget', 'invoice-maker', 'time-tracker']);
    // The zebra is older than the twins.
    expect(unrated).toEqual(['zebra', ...catalog.twins]);
  });

  it('orders by name whatever the case, then id (D28)', async () => {
    expect(slugsOf(await browse({ sort: 'name' }))).toEqual([
      'budget',
      'invoice-maker',
      'time-tracker',
      ...catalog.twins,
      'zebra',
    ]);
  });

  it('sorts relevance without a search like popular (D27)', async () => {
    expect(slugsOf(await browse({ sort: 'relevance' }))).toEqual(catalog.popular);
    expect(slugsOf(await browse({ sort: 'relevance', search: '' }))).toEqual(catalog.popular);
  });

  it('keeps the order stable from page to page, ties included (D28)', async () => {
    const seen: string[] = [];
    for (let page = 1; page <= 7; page += 1) seen.push(...slugsOf(await browse({ page, limit: 1 })));
    expect(seen).toEqual(catalog.popular);
  });

  it('cuts pages: the last one is short (D27)', async () => {
    const page = await browse({ page: 3, limit: 3 });
    expect(slugsOf(page)).toEqual(catalog.popular.slice(6));
    expect(page.pagination).toEqual({ page: 3, limit: 3, total: 7, totalPages: 3 });
  });

  it('returns an empty list past the last page, with the correct total (D27)', async () => {
    expect(await browse({ page: 4, limit: 3 })).toEqual({
      apps: [],
      pagination: { page: 4, limit: 3, total: 7, totalPages: 3 },
    });
    expect(await browse({ page: 1_000_000, limit: 100 })).toEqual({
      apps: [],
      pagination: { page: 1_000_000, limit: 100, total: 7, totalPages: 1 },
    });
  });

  it('has no pages when nothing matches (D27)', async () => {
    expect(await browse({ category: 'EDUCATION' })).toEqual({
      apps: [],
      pagination: { page: 1, limit: 20, total: 0, totalPages: 0 },
    });
  });
});
