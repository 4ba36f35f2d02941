import { anyone } from '../../auth/policy.js';
import { Nothing } from '../../input.js';
import { query } from '../../operation.js';
import { BrowseApps, FeaturedApps, Slug } from './catalog.input.js';
import { AppPage, CategoryCount, PublicApp } from './catalog.types.js';

export const browseApps = query({
  summary: 'Lists the approved apps that match the filters, page by page.',
  rest: 'GET /api/apps',
  cached: true,
  policy: anyone,
  input: BrowseApps,
  output: AppPage,
  pagination: (page: AppPage) => page.pagination,
  run: ({ catalog }, _caller, input) => catalog.browse(input),
});

export const app = query({
  summary: 'Reads one approved app by its slug.',
  rest: 'GET /api/apps/:slug',
  cached: true,
  policy: anyone,
  input: Slug,
  output: PublicApp,
  errors: ['NOT_FOUND'],
  run: ({ catalog }, _caller, { slug }) => catalog.bySlug(slug),
});

export const featuredApps = query({
  summary: 'Lists the featured apps, most installed first.',
  rest: 'GET /api/apps/featured/list',
  collection: 'apps',
  cached: true,
  policy: anyone,
  input: FeaturedApps,
  output: [PublicApp],
  run: ({ catalog }, _caller, input) => catalog.featured(input),
});

export const categories = query({
  summary: 'Lists all categories with the number of approved apps in each.',
  rest: 'GET /api/apps/categories/list',
  collection: 'categories',
  cached: true,
  policy: anyone,
  input: Nothing,
  output: [CategoryCount],
  run: ({ catalog }) => catalog.categories(),
});
