import { page as allFields, times } from '../graphql/documents.js';

/** A request without a credential, in words and as it is sent. The salt makes it new to every cache. */
export interface AnonymousRequest {
  readonly about: string;
  readonly method: 'GET' | 'POST';
  path(salt: string): string;
  body?(salt: string): string;
}

/** The facts about the catalog that requests need. */
export interface CatalogFacts {
  readonly apps: number;
  /** A developer with as many apps as `QUOTA_APPS` allows by default. */
  readonly developer: string;
  readonly slugs: readonly string[];
  readonly ids: readonly string[];
  /** A name that several apps have. */
  readonly name: string;
  /** The words that most apps have, the most frequent first; they are long lists in the text index. */
  readonly frequentWords: readonly string[];
}

const sorts = ['popular', 'newest', 'rating', 'name', 'relevance'];
const filters = [
  {},
  { category: 'BUSINESS' },
  { environment: 'production' },
  { environment: 'localhost' },
  { featured: 'true' },
  { category: 'FINANCE', environment: 'staging' },
];
/** Texts to search for. The catalog has words of all frequencies: all apps have `work` and `included`. */
const texts = ({ name, frequentWords }: CatalogFacts) => [
  'work',
  'work included',
  'for',
  'teams',
  'teams work included',
  'small teams',
  'plan',
  'invoice',
  'invoice calendar',
  'zuxquzzuxquz',
  'work zuxquzzuxquz',
  'nothinglikethis',
  'work nothinglikethis',
  'invoise',
  'work invoise calender',
  'w',
  'a',
  'wo',
  'in',
  name,
  name.slice(0, 3),
  `${name.slice(0, 4)}x`,
  'work '.repeat(20).trim(),
  'work included teams plan invoice calendar tracker notes board planner budget payroll chat inbox survey',
  frequentWords.slice(0, 8).join(' '),
  frequentWords.join(' ').slice(0, 100),
  '界',
  '%',
  "' or 1=1",
];

const restList = (parameters: Record<string, string>): AnonymousRequest => {
  const search = new URLSearchParams(parameters).toString();
  return {
    about: `GET /api/apps?${search}`,
    method: 'GET',
    path: (salt) => `/api/apps?${search}&salt=${salt}`,
  };
};

const document = (about: string, query: string): AnonymousRequest => ({
  about,
  method: 'POST',
  path: () => '/graphql',
  body: (salt) => JSON.stringify({ query: `#${salt}\n${query}` }),
});

/** Page numbers of a list: the first ones, the middle, the last, and those after it. */
const pagesOf = (apps: number, limit: number) =>
  [1, 2, Math.floor(1_000 / limit), apps / limit / 2, apps / limit, apps / limit + 10, 1_000_000].map(
    (page) => String(Math.max(1, Math.floor(page))),
  );

function lists({ apps }: CatalogFacts): AnonymousRequest[] {
  return sorts.flatMap((sort) =>
    filters.flatMap((filter) =>
      pagesOf(apps, 100).map((page) => restList({ sort, page, limit: '100', ...filter })),
    ),
  );
}

function searches(facts: CatalogFacts): AnonymousRequest[] {
  return texts(facts).flatMap((search) => [
    ...sorts.flatMap((sort) =>
      ['1', '10', '1000000'].map((page) => restList({ search, sort, page, limit: '100' })),
    ),
    ...filters.slice(1).map((filter) => restList({ search, ...filter })),
  ]);
}

const counts = 'totalCount facets { categories { category count } environments { environment count } }';
const quoted = (text: string) => JSON.stringify(text);

/** As much as one document may search. */
function searchDocuments(facts: CatalogFacts): AnonymousRequest[] {
  const fields = `edges { cursor node { id slug name description } } ${counts}`;
  const twice = (filter: string, sort: string) =>
    `{ a: apps(first: 100, sort: ${sort}, filter: ${filter}) { ${fields} } b: apps(first: 99, sort: ${sort}, filter: ${filter}) { ${fields} } }`;
  return texts(facts).flatMap((text) => [
    ...sorts.map((sort) =>
      document(`two searches for ${text} by ${sort}`, twice(`{ search: ${quoted(text)} }`, sort)),
    ),
    document(
      `two searches for ${text} with filters`,
      twice(
        `{ search: ${quoted(text)}, category: BUSINESS, environment: PRODUCTION, featured: false }`,
        'relevance',
      ),
    ),
    document(
      `a search for ${text} of one developer`,
      twice(`{ search: ${quoted(text)}, developer: ${quoted(facts.developer)} }`, 'popular'),
    ),
    document(
      `a search for ${text} with all fields`,
      `{ apps(first: 100, filter: { search: ${quoted(text)} }) { edges { node { ${allFields} } } ${counts} } }`,
    ),
    ...[1, 10, 100].map((first) =>
      document(
        `two lists of ${first} suggestions for ${text}`,
        `{ a: suggest(prefix: ${quoted(text)}, first: ${first}) { name slug } b: suggest(prefix: ${quoted(text.slice(0, 2))}, first: ${first}) { name slug } }`,
      ),
    ),
  ]);
}

const aliasCounts = [2, 5, 10, 20, 24, 30, 40, 49];

/** Many fields in one document, without a search. */
function aliasDocuments({ apps, slugs, ids, developer }: CatalogFacts): AnonymousRequest[] {
  const aliased = (count: number, field: (index: number) => string) =>
    `{ ${times(count, (index) => `a${index}: ${field(index)}`)} }`;
  const anyFilter = (index: number) =>
    `{ category: ${['BUSINESS', 'FINANCE', 'OTHER'][index % 3]}, featured: ${index % 2 === 0} }`;
  return aliasCounts.flatMap((count) => [
    document(
      `${count} totals and facets`,
      aliased(count, (index) => `apps(first: 1, filter: ${anyFilter(index)}) { ${counts} }`),
    ),
    document(
      `${count} totals and facets of searches`,
      aliased(count, (index) => `apps(first: 1, filter: { search: "work w${index}" }) { ${counts} }`),
    ),
    document(
      `${count} deep pages`,
      aliased(
        count,
        (index) =>
          `browseApps(limit: 1, page: ${Math.floor(apps * 0.9) + index}, sort: ${sorts[index % sorts.length]}) { apps { slug } }`,
      ),
    ),
    document(
      `${count} pages beyond the end`,
      aliased(
        count,
        (index) => `browseApps(limit: 1, page: ${1_000_000 - index}) { apps { slug } pagination { total } }`,
      ),
    ),
    document(
      `${count} lists`,
      aliased(
        count,
        (index) =>
          `apps(first: 20, sort: ${sorts[index % sorts.length]}, filter: ${anyFilter(index)}) { edges { node { slug } } }`,
      ),
    ),
    document(
      `${count} slugs`,
      aliased(count, (index) => `app(slug: ${quoted(slugs[index % slugs.length]!)}) { ${allFields} }`),
    ),
    document(
      `${count} lists of nodes`,
      aliased(
        count,
        (index) =>
          `nodes(ids: ${JSON.stringify(ids.slice(index, index + 10))}) { id ... on PublicApp { name } }`,
      ),
    ),
    document(
      `${count} pages of the apps of one developer`,
      `{ publicDeveloper(id: ${quoted(developer)}) { ${times(count, (index) => `a${index}: apps(first: ${1 + index}) { totalCount edges { node { slug } } }`)} } }`,
    ),
    document(
      `${count} profiles`,
      aliased(
        count,
        (index) =>
          `publicDeveloper(id: ${quoted(developer)}) { appCount averageRating apps(first: ${1 + index}) { ${counts} } }`,
      ),
    ),
    document(
      `${count} lists of categories and featured apps`,
      aliased(count, (index) =>
        index % 2 ? 'categories { count }' : `featuredApps(limit: ${index + 1}) { slug }`,
      ),
    ),
  ]);
}

function otherDocuments({ slugs }: CatalogFacts): AnonymousRequest[] {
  return [
    document(
      'a page of 100 apps with their developers',
      `{ apps(first: 100) { edges { node { slug developer { id appCount averageRating apps(first: 3) { totalCount edges { node { slug } } } } } } } }`,
    ),
    document(
      'a page of 100 apps with all fields',
      `{ browseApps(limit: 100) { apps { ${allFields} } pagination { total } } }`,
    ),
    document(
      'ratings',
      `{ appRatings(slug: ${quoted(slugs[0]!)}, first: 100) { edges { node { id } } totalCount } }`,
    ),
    { about: 'GET categories', method: 'GET', path: (salt) => `/api/apps/categories/list?salt=${salt}` },
    {
      about: 'GET featured',
      method: 'GET',
      path: (salt) => `/api/apps/featured/list?limit=100&salt=${salt}`,
    },
    { about: 'GET a slug', method: 'GET', path: (salt) => `/api/apps/${slugs[1]}?salt=${salt}` },
    { about: 'GET no slug', method: 'GET', path: (salt) => `/api/apps/none-${salt}` },
  ];
}

/** Returns every kind of read that nobody needs a credential for, as expensive as the inputs allow. */
export const anonymousRequests = (facts: CatalogFacts): AnonymousRequest[] => [
  ...lists(facts),
  ...searches(facts),
  ...searchDocuments(facts),
  ...aliasDocuments(facts),
  ...otherDocuments(facts),
];
