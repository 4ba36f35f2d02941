import { anyone } from '../../auth/policy.js';
import { pageIndexInterval } from '../../cache/page-index.js';
import { notFound } from '../../errors.js';
import { Nothing } from '../../operations/input.js';
import { query, subscription } from '../../operations/operation.js';
import { defaultPageSize } from '../../operations/paging.js';
import { DeveloperId } from '../developers/developer.input.js';
import { CategoryCount } from './app-facets.types.js';
import {
  AppFilter,
  Apps,
  BrowseApps,
  CatalogChanged,
  FeaturedApps,
  SimilarApps,
  Slug,
  Suggest,
} from './catalog.input.js';
import {
  AppConnection,
  AppPage,
  AppSuggestion,
  detailFields,
  PublicApp,
  PublicDeveloper,
} from './catalog.types.js';
import { CatalogChange } from './catalog-change.types.js';

/** Both lists of the catalog take the same filter. */
const appFilter = {
  argument: 'filter',
  type: 'AppFilter',
  description: 'Restricts the list to apps that match all given fields.',
  fields: AppFilter,
  optional: true,
} as const;

/** A page after the first thousand apps takes as long as a search, unless there is a page index for it. */
const isDeepPage = (page: number, limit: number) => (page - 1) * limit >= pageIndexInterval;

export const browseApps = query({
  summary: 'Lists the approved apps that match the filter, by page number.',
  rest: 'GET /api/apps',
  cached: true,
  policy: anyone,
  input: BrowseApps,
  detailFields,
  isSearch: ({ search, page, limit }) =>
    Boolean(search) || isDeepPage(Number(page ?? 1), Number(limit ?? defaultPageSize)),
  // SPEC lists the parameters of the REST route.
  graphqlFields: ['developer'],
  grouped: appFilter,
  output: AppPage,
  pagination: (page: AppPage) => page.pagination,
  run: ({ catalog }, _caller, input) => catalog.browse(input),
});

export const apps = query({
  summary: 'Lists the approved apps that match the filter, by cursor.',
  cached: true,
  policy: anyone,
  input: Apps,
  detailFields,
  isSearch: ({ search }) => Boolean(search),
  grouped: appFilter,
  output: AppConnection,
  run: ({ catalog }, _caller, input) => catalog.connection(input),
});

export const suggest = query({
  summary: 'Suggests apps whose name starts with the given text, most installed first. Typos are tolerated.',
  cached: true,
  policy: anyone,
  input: Suggest,
  isSearch: ({ prefix }) => Boolean(prefix),
  output: [AppSuggestion],
  run: ({ catalog }, _caller, input) => catalog.suggest(input),
});

export const app = query({
  summary: 'Returns one approved app by its slug.',
  rest: 'GET /api/apps/:slug',
  cached: true,
  policy: anyone,
  input: Slug,
  output: PublicApp,
  nullable: true,
  errors: ['NOT_FOUND'],
  run: ({ catalog }, _caller, { slug }) => catalog.bySlug(slug),
});

export const similarApps = query({
  summary:
    'Lists apps of other developers in the category of an approved app: those whose names and descriptions have the most words in common with it first, then the most installed ones.',
  cached: true,
  policy: anyone,
  input: SimilarApps,
  isSearch: () => true,
  output: [PublicApp],
  errors: ['NOT_FOUND'],
  run: ({ catalog }, _caller, input) => catalog.similar(input),
});

export const publicDeveloper = query({
  summary:
    'Returns the public profile of a developer who has at least one public app. It has no e-mail address and no account.',
  cached: true,
  nullable: true,
  policy: anyone,
  input: DeveloperId,
  // Its figures and its apps are statements of their own.
  statementCost: 300,
  output: PublicDeveloper,
  errors: ['NOT_FOUND'],
  run: ({ publicDevelopers }, _caller, { id }) => publicDevelopers.get(id),
});

export const featuredApps = query({
  summary: 'Lists the featured apps, most installed first.',
  rest: 'GET /api/apps/featured/list',
  collection: 'apps',
  cached: true,
  policy: anyone,
  input: FeaturedApps,
  detailFields,
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

export const catalogChanged = subscription({
  summary:
    'Reports each change of a public listing, such as an approval, an edit or a rating. Installs are not reported.',
  policy: anyone,
  input: CatalogChanged,
  output: CatalogChange,
  errors: ['NOT_FOUND', 'QUOTA_EXCEEDED'],
  follows: async (_services, _caller, { slug }) => {
    // Not a slug, so that no app can ever have it.
    if (slug === '') throw notFound('app');
    return (change) => change.about === 'listing' && (slug == null || change.slug === slug);
  },
  run: async ({ catalog }, _caller, input, change) => {
    const slug = change.about === 'listing' ? change.slug : (input.slug ?? null);
    return { slug, app: slug === null ? null : await catalog.findBySlug(slug) };
  },
});
