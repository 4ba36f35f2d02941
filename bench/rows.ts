import { categories, topics } from './catalog/vocabulary.js';
import type { LoadRequest } from './load/load.types.js';
import {
  ask,
  askApps,
  askInstallOf,
  coldLists,
  coldSearches,
  deepPages,
  get,
  graphqlVariables,
  installOf,
  keyedInstallOf,
  listPath,
  mixed,
  type RequestData,
  typedPrefixes,
} from './requests.js';
import { PAGE_ORIGIN, type Variant } from './servers/servers.js';

/** Decides how the responses of two servers are compared. */
export type Kind =
  | 'page'
  | 'search'
  | 'app'
  | 'list'
  | 'categories'
  | 'graphql'
  | 'suggest'
  | 'install'
  | 'mixed';

/** One row of the table. */
export interface Row {
  readonly name: string;
  readonly title: string;
  readonly kind: Kind;
  /** Warm: a few requests are repeated, and their responses have a known length. */
  readonly warm: boolean;
  readonly connections: number;
  readonly requests: readonly LoadRequest[];
  /** Requests per second of an open loop. */
  readonly perSecond?: number;
  /** Servers that do not have what this row asks for, or that say nothing in it. */
  readonly without: readonly Variant[];
}

const CONNECTIONS = 32;
const INSTALL_CONNECTIONS = 64;
/** Few, so that the p99 is the time of a keystroke and not of a queue. */
const TYPING_CONNECTIONS = 8;

function row(name: string, title: string, kind: Kind, requests: LoadRequest[], more: Partial<Row> = {}): Row {
  const warm = name.endsWith('-warm') || name === 'featured' || name === 'categories';
  // The upper bound is for responses from memory; beside a database it says nothing.
  const without: Variant[] = warm ? [] : ['static', 'unlimited'];
  return {
    name,
    title,
    kind,
    warm,
    connections: CONNECTIONS,
    requests: requests.map(({ headers, ...request }) => ({
      ...request,
      headers: { origin: PAGE_ORIGIN, ...headers },
    })),
    ...more,
    without: [...without, ...(more.without ?? [])],
  };
}

/** Returns every row, in the order of the table. */
export const allRows = (data: RequestData): Row[] => [
  ...listRows(data),
  ...searchRows(data),
  ...graphqlRows(data),
  row(
    'authenticated',
    "REST one's own apps, by key",
    'list',
    data.keys.map((bearer) => ({ ...get('/api/dev/apps'), bearer })),
  ),
  ...installRows(data),
  row('mixed', 'Mixed: 95 % reads, 5 % installs', 'mixed', mixed(data)),
  // The baselines cannot carry this rate: their queues would only grow.
  row('open-mixed', 'Mixed in an open loop at 1,000/s', 'mixed', mixed(data, 1), {
    perSecond: 1000,
    without: ['bare', 'plain'],
  }),
];

const warmLists = categories.slice(0, 6).map((category) => ({ category }));

/** A compressed body starts with other bytes. */
const compressed = (requests: LoadRequest[]) =>
  requests.map(({ start: _, ...request }) => ({ ...request, headers: { 'accept-encoding': 'br, gzip' } }));

function listRows(data: RequestData): Row[] {
  const bySlug = (slug: string) => get(`/api/apps/${slug}`, '{"id":');
  const pages = warmLists.map((query) => get(listPath(query)));
  const lists = coldLists().map((query) => get(listPath(query)));
  return [
    row('list-warm', 'REST list by category, warm', 'page', pages),
    row(
      'list-compressed-warm',
      'REST list by category, warm, Accept-Encoding: br, gzip',
      'page',
      compressed(pages),
      { without: ['plain'] },
    ),
    row('list-cold', 'REST list by category, cold', 'page', lists),
    row(
      'list-compressed-cold',
      'REST list by category, cold, Accept-Encoding: br, gzip',
      'page',
      // The first ones are from the cache now.
      compressed(lists.toReversed()),
      { without: ['plain'] },
    ),
    row('slug-warm', 'REST one app by slug, warm', 'app', data.slugs.slice(0, 20).map(bySlug)),
    row('slug-cold', 'REST one app by slug, cold', 'app', data.slugs.map(bySlug)),
    row('deep', 'REST deep page, cold', 'page', deepPages(data), { without: ['plain'] }),
    row('featured', 'REST featured, warm', 'list', [get('/api/apps/featured/list')]),
    row('categories', 'REST categories, warm', 'categories', [
      get('/api/apps/categories/list', '{"categories":'),
    ]),
  ];
}

function searchRows(data: RequestData): Row[] {
  const words = topics()
    .filter(({ apps }) => apps > 100)
    .slice(0, 6);
  return [
    row(
      'search-warm',
      'REST search, warm',
      'search',
      words.map(({ word }) => get(listPath({ search: word }))),
    ),
    row('search-popular', 'REST search by popularity, cold', 'page', coldSearches(data, 'popular')),
    row(
      'search-relevance',
      'REST search by relevance, cold',
      'search',
      coldSearches(data),
      // Its searches are by popularity only.
      { without: ['plain'] },
    ),
    row('suggest', 'GraphQL suggestions as one types, cold, 8 callers', 'suggest', typedPrefixes(data), {
      connections: TYPING_CONNECTIONS,
      without: ['plain'],
    }),
  ];
}

function graphqlRows({ slugs }: RequestData): Row[] {
  const lists = coldLists();
  return [
    row(
      'graphql-warm',
      'GraphQL list, warm',
      'graphql',
      warmLists.map((filter) => askApps({ filter })),
    ),
    row(
      'graphql-cold',
      'GraphQL list, cold',
      'graphql',
      lists.map((list) => askApps(graphqlVariables(list))),
    ),
    row(
      'graphql-developer',
      'GraphQL list with developer, cold',
      'graphql',
      lists.map((list) => ask('AppsWithDeveloper', graphqlVariables(list), 'browse')),
    ),
    row(
      'graphql-slug',
      'GraphQL one app by slug, cold',
      'graphql',
      slugs.map((slug) => ask('App', { slug }, 'app')),
    ),
  ];
}

/** The rows without `plain` come last: its counters differ from then on, and the checks compare them. */
function installRows({ slugs }: RequestData): Row[] {
  const many = { connections: INSTALL_CONNECTIONS };
  const kind = 'install';
  return [
    row('install-hot', 'Installs of one app, 64 callers', kind, [installOf(slugs[0]!)], many),
    row('install-spread', 'Installs of many apps, 64 callers', kind, slugs.map(installOf), many),
    row('install-32', 'Installs of many apps, 32 callers', kind, slugs.map(installOf)),
    row(
      'install-graphql',
      'Installs of many apps by GraphQL, 64 callers',
      kind,
      slugs.map(askInstallOf),
      many,
    ),
    row(
      'install-keyed',
      'Installs of many apps with an Idempotency-Key, 64 callers',
      kind,
      slugs.map(keyedInstallOf),
      { ...many, without: ['plain'] },
    ),
  ];
}
