import { categories, nouns, random, topics } from './catalog/vocabulary.js';
import { type LoadRequest, UNIQUE } from './load/load.types.js';

/** Data for the requests: the number of approved apps, some of their slugs, and the API keys of this run. */
export interface RequestData {
  readonly approved: number;
  /** In pseudo-random order. */
  readonly slugs: readonly string[];
  readonly keys: readonly string[];
}

/** Decides how the responses of two servers are compared. */
export type Kind = 'page' | 'search' | 'app' | 'list' | 'categories' | 'graphql' | 'install' | 'mixed';

/** One row of the table. */
export interface Row {
  readonly name: string;
  readonly title: string;
  readonly kind: Kind;
  /** Warm: a few requests are repeated, and their responses have a known length. */
  readonly warm: boolean;
  readonly connections: number;
  readonly requests: readonly LoadRequest[];
}

const CONNECTIONS = 32;
const INSTALL_CONNECTIONS = 64;
const environments = [undefined, 'production', 'staging', 'localhost'];

const get = (path: string, start = '{"apps":'): LoadRequest => ({ method: 'GET', path, status: 200, start });

function listPath(query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return `/api/apps?${given.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`).join('&')}`;
}

const cardFields =
  'id slug name description category environment logoUrl featured installCount averageRating';
const pageFields = 'pagination { page limit total totalPages }';
const signature = '$filter: AppFilter, $page: Int, $limit: Int';
const call = 'browseApps(filter: $filter, page: $page, limit: $limit)';
const documents = {
  Apps: `query Apps(${signature}) { ${call} { apps { ${cardFields} } ${pageFields} } }`,
  AppsWithDeveloper: `query AppsWithDeveloper(${signature}) { ${call} { apps { ${cardFields} developer { name companyName websiteUrl } } ${pageFields} } }`,
};

const ask = (operationName: keyof typeof documents, variables: object): LoadRequest => ({
  method: 'POST',
  path: '/graphql',
  body: JSON.stringify({ operationName, query: documents[operationName], variables }),
  status: 200,
  start: '{"data":{"browse',
});

const installOf = (slug: string): LoadRequest => ({
  method: 'POST',
  path: `/api/apps/${slug}/install`,
  body: JSON.stringify({ installationId: UNIQUE }),
  status: 201,
});

/** Shuffles a list; the result is the same in every run. */
function shuffled<T>(items: readonly T[], seed = 3): T[] {
  const next = random(seed);
  const all = [...items];
  for (let index = all.length - 1; index > 0; index -= 1) {
    const other = Math.floor(next() * (index + 1));
    [all[index], all[other]] = [all[other]!, all[index]!];
  }
  return all;
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Returns list requests that all differ in category, environment, page or size. */
const coldLists = () =>
  shuffled(
    categories.flatMap((category) =>
      environments.flatMap((environment) =>
        range(1, environment === 'localhost' ? 15 : 40).flatMap((page) =>
          range(5, 35).map((limit) => ({ category, environment, page, limit })),
        ),
      ),
    ),
  );

/** Returns searches for terms of up to 1,000 apps; all requests differ. */
export const coldSearches = (limits = range(11, 30)): LoadRequest[] =>
  shuffled(
    limits.flatMap((limit) => topics().map(({ word }) => get(listPath({ search: word, limit })))),
    5,
  );

/** Returns searches for terms that many apps match; their order depends on the ranking of the server. */
const broadSearches = () =>
  range(11, 20).flatMap((limit) =>
    nouns.map((noun) => ({ ...get(listPath({ search: noun.toLowerCase(), limit })), loose: true })),
  );

/** Returns pages in the last fifth of the catalog, or of its first 100,000 apps; all requests differ. */
export function deepPages({ approved }: Pick<RequestData, 'approved'>): LoadRequest[] {
  const depth = Math.min(approved, 100_000);
  const pages = range(10, 30).flatMap((limit) =>
    range(Math.floor((depth * 0.8) / limit), Math.floor((depth * 0.99) / limit)).map((page) => ({
      page,
      limit,
    })),
  );
  return shuffled(pages, 9).map((query) => get(listPath(query)));
}

function mixed({ slugs }: RequestData): LoadRequest[] {
  const lists = coldLists();
  const searches = coldSearches();
  const kinds: ((n: number) => LoadRequest)[] = [
    (n) => get(listPath({ category: categories[n % 10] })),
    (n) => get(listPath(lists[n % lists.length]!)),
    (n) => get(`/api/apps/${slugs[n % slugs.length]}`, '{"id":'),
    (n) => searches[n % searches.length]!,
    () => get('/api/apps/featured/list'),
    (n) => ask('Apps', graphqlVariables(lists[n % lists.length]!)),
  ];
  return range(0, 39_999).map((n) =>
    n % 20 === 19 ? installOf(slugs[n % slugs.length]!) : kinds[n % kinds.length]!(n),
  );
}

const graphqlVariables = ({ category, environment, page, limit }: ReturnType<typeof coldLists>[number]) => ({
  filter: environment === undefined ? { category } : { category, environment },
  page,
  limit,
});

/** Returns every row, in the order of the table. */
export function allRows(data: RequestData): Row[] {
  const { slugs, keys } = data;
  const row = (
    name: string,
    title: string,
    kind: Kind,
    requests: LoadRequest[],
    connections = CONNECTIONS,
  ): Row => ({
    name,
    title,
    kind,
    warm: name.endsWith('-warm') || name === 'featured' || name === 'categories',
    connections,
    requests,
  });
  const bySlug = (slug: string) => get(`/api/apps/${slug}`, '{"id":');
  const lists = coldLists();
  const warmLists = categories.slice(0, 6).map((category) => ({ category }));
  const words = topics()
    .filter(({ apps }) => apps > 100)
    .slice(0, 6);
  return [
    row(
      'list-warm',
      'REST list by category, warm',
      'page',
      warmLists.map((query) => get(listPath(query))),
    ),
    row(
      'list-cold',
      'REST list by category, cold',
      'page',
      lists.map((query) => get(listPath(query))),
    ),
    row('slug-warm', 'REST one app by slug, warm', 'app', slugs.slice(0, 20).map(bySlug)),
    row('slug-cold', 'REST one app by slug, cold', 'app', slugs.map(bySlug)),
    row(
      'search-warm',
      'REST search, warm',
      'search',
      words.map(({ word }) => get(listPath({ search: word }))),
    ),
    row('search-cold', 'REST search, cold', 'search', shuffled([...coldSearches(), ...broadSearches()])),
    row('deep', 'REST deep page, cold', 'page', deepPages(data)),
    row('featured', 'REST featured, warm', 'list', [get('/api/apps/featured/list')]),
    row('categories', 'REST categories, warm', 'categories', [
      get('/api/apps/categories/list', '{"categories":'),
    ]),
    row(
      'graphql-warm',
      'GraphQL list, warm',
      'graphql',
      warmLists.map((filter) => ask('Apps', { filter })),
    ),
    row(
      'graphql-cold',
      'GraphQL list, cold',
      'graphql',
      lists.map((list) => ask('Apps', graphqlVariables(list))),
    ),
    row(
      'graphql-developer',
      'GraphQL list with developer, cold',
      'graphql',
      lists.map((list) => ask('AppsWithDeveloper', graphqlVariables(list))),
    ),
    row(
      'authenticated',
      "REST one's own apps, by key",
      'list',
      keys.map((bearer) => ({ ...get('/api/dev/apps'), bearer })),
    ),
    row(
      'install-hot',
      'Installs of one app, 64 callers',
      'install',
      [installOf(slugs[0]!)],
      INSTALL_CONNECTIONS,
    ),
    row(
      'install-spread',
      'Installs of many apps, 64 callers',
      'install',
      slugs.map(installOf),
      INSTALL_CONNECTIONS,
    ),
    row('mixed', 'Mixed: 95 % reads, 5 % installs', 'mixed', mixed(data)),
  ];
}
