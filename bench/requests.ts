import { audiences, categories, commonTopics, nouns, random, topics, verbs } from './catalog/vocabulary.js';
import { type LoadRequest, UNIQUE } from './load/load.types.js';

/** Data for the requests: the number of approved apps, some of their slugs, and the API keys of this run. */
export interface RequestData {
  readonly approved: number;
  /** In pseudo-random order. */
  readonly slugs: readonly string[];
  readonly keys: readonly string[];
}

const environments = [undefined, 'production', 'staging', 'localhost'];

export const get = (path: string, start = '{"apps":'): LoadRequest => ({
  method: 'GET',
  path,
  status: 200,
  start,
});

export function listPath(query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return `/api/apps?${given.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`).join('&')}`;
}

const cardFields =
  'id slug name description category environment logoUrl featured installCount averageRating';
const developerFields = 'developer { name companyName websiteUrl }';
const pageFields = 'pagination { page limit total totalPages }';
const signature = '$filter: AppFilter, $page: Int, $limit: Int';
const call = 'browseApps(filter: $filter, page: $page, limit: $limit)';
const documents = {
  Apps: `query Apps(${signature}) { ${call} { apps { ${cardFields} } ${pageFields} } }`,
  AppsWithDeveloper: `query AppsWithDeveloper(${signature}) { ${call} { apps { ${cardFields} ${developerFields} } ${pageFields} } }`,
  App: `query App($slug: String!) { app(slug: $slug) { ${cardFields} longDescription ${developerFields} } }`,
  Suggest:
    'query Suggest($prefix: String!, $first: Int) { suggest(prefix: $prefix, first: $first) { slug name } }',
  Install:
    'mutation Install($slug: String!, $input: RecordInstallInput) { recordInstall(slug: $slug, input: $input) { slug installCount } }',
};

export const ask = (
  operationName: keyof typeof documents,
  variables: object,
  start: string,
): LoadRequest => ({
  method: 'POST',
  path: '/graphql',
  body: JSON.stringify({ operationName, query: documents[operationName], variables }),
  status: 200,
  start: `{"data":{"${start}`,
});

/** Asks for a page of apps by GraphQL. */
export const askApps = (variables: object): LoadRequest => ask('Apps', variables, 'browse');

export const installOf = (slug: string): LoadRequest => ({
  method: 'POST',
  path: `/api/apps/${slug}/install`,
  body: JSON.stringify({ installationId: UNIQUE }),
  status: 201,
  installs: true,
});

export const keyedInstallOf = (slug: string): LoadRequest => ({
  ...installOf(slug),
  headers: { 'idempotency-key': UNIQUE },
});

export const askInstallOf = (slug: string): LoadRequest => ({
  ...ask('Install', { slug, input: { installationId: UNIQUE } }, 'record'),
  installs: true,
});

/** Shuffles a list; the result is the same in every run. */
export function shuffled<T>(items: readonly T[], seed = 3): T[] {
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
export const coldLists = () =>
  shuffled(
    categories.flatMap((category) =>
      environments.flatMap((environment) =>
        range(1, environment === 'localhost' ? 15 : 40).flatMap((page) =>
          range(5, 35).map((limit) => ({ category, environment, page, limit })),
        ),
      ),
    ),
  );

/** No filter, and two that most apps match. */
const mostFilters = [{}, { environment: 'production' }, { featured: 'false' }];

/** With fewer hits than this, ours adds similar names, so that the servers cannot be compared. */
const COMPARABLE_HITS = 40;

/**
 * Returns searches by relevance, unless a sort order is given: for topics of up to 1,000 apps and for two words. Each text
 * is searched once without a filter and with two filters that most apps match, and never again with another page or
 * size: a server that stores the order of a search would find those without searching.
 */
export function coldSearches({ approved }: Pick<RequestData, 'approved'>, sort?: string): LoadRequest[] {
  const pairs = (first: readonly string[], second: readonly string[], share: number) =>
    first.flatMap((one) =>
      second.map((other) => ({
        search: `${one} ${other}`.toLowerCase(),
        loose: approved * share < COMPARABLE_HITS,
      })),
    );
  const texts = [
    ...topics().map(({ word }) => ({ search: word, loose: false })),
    ...nouns.map((noun) => ({ search: noun.toLowerCase(), loose: true })),
    ...pairs(verbs, nouns, 1 / 360),
    ...pairs(audiences, nouns, 1 / 300),
    ...nouns.flatMap((noun, index) => pairs([noun], nouns.slice(index + 1), 1 / 1800)),
  ];
  return shuffled(
    mostFilters.flatMap((filter) =>
      texts.map(({ search, loose }, index) => ({
        ...get(listPath({ search, ...filter, sort, limit: 11 + (index % 20) })),
        loose,
      })),
    ),
    5,
  );
}

/** Returns searches for the topics alone, which have the same number of apps in catalogs of any size. */
export const topicSearches = (): LoadRequest[] =>
  shuffled(
    [undefined, ...environments.slice(1), ...categories].flatMap((filter) =>
      topics().map(({ word }) =>
        get(
          listPath({
            search: word,
            [categories.includes(filter ?? '') ? 'category' : 'environment']: filter,
          }),
        ),
      ),
    ),
    5,
  );

/** Returns searches by popularity for topics of one percent of the apps: each text and filter once, on one of the given pages. */
export const commonSearches = (pages: readonly number[]): LoadRequest[] =>
  shuffled(
    mostFilters.flatMap((filter) =>
      commonTopics(0).flatMap(({ word }) =>
        pages.map((page) => get(listPath({ search: word, ...filter, sort: 'popular', page }))),
      ),
    ),
    5,
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

const LONGEST_PREFIX = 9;

/**
 * Returns what a search box asks while names are typed: prefixes of one letter, of two and so on. Requests for the same
 * prefix differ in the number of suggestions, so that no two are the same.
 */
export function typedPrefixes({ slugs }: RequestData): LoadRequest[] {
  const lastFirst = new Map<string, number>();
  return slugs.flatMap((slug) => {
    const name = slug.replace(/-\d+$/, '').replaceAll('-', ' ');
    return range(1, LONGEST_PREFIX)
      .map((length) => name.slice(0, length).trim())
      .flatMap((prefix) => {
        const first = (lastFirst.get(prefix) ?? 4) + 1;
        lastFirst.set(prefix, first);
        return first > 20 ? [] : [ask('Suggest', { prefix, first }, 'sug')];
      });
  });
}

/** Returns a mix of reads and 5 % installs. Another `shift` (0 or 1) has other cold requests. */
export function mixed({ slugs, approved }: RequestData, shift: 0 | 1 = 0): LoadRequest[] {
  const lists = coldLists();
  const searches = coldSearches({ approved });
  const kinds: ((n: number) => LoadRequest)[] = [
    (n) => get(listPath({ category: categories[n % 10] })),
    (n) => get(listPath(lists[(n + shift) % lists.length]!)),
    (n) => get(`/api/apps/${slugs[(n + shift) % slugs.length]}`, '{"id":'),
    (n) => searches[(2 * Math.floor(n / 6) + shift) % searches.length]!,
    () => get('/api/apps/featured/list'),
    (n) => askApps(graphqlVariables(lists[(n + shift) % lists.length]!)),
  ];
  return range(0, 39_999).map((n) =>
    n % 20 === 19 ? installOf(slugs[n % slugs.length]!) : kinds[n % kinds.length]!(n),
  );
}

export const graphqlVariables = ({
  category,
  environment,
  page,
  limit,
}: ReturnType<typeof coldLists>[number]) => ({
  filter: environment === undefined ? { category } : { category, environment },
  page,
  limit,
});
