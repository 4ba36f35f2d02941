import type { graphql } from '../client/graphql.ts';
import { type Category, categories } from '../components/categories.ts';

type Environment = ReturnType<typeof graphql.scalar<'Environment'>>;
type AppSort = ReturnType<typeof graphql.scalar<'AppSort'>>;

const environments: Record<Environment, true> = { production: true, staging: true, localhost: true };

/** The sort orders with their names. Best match is only offered with a search. */
export const sorts: Record<AppSort, string> = {
  relevance: 'Best match',
  popular: 'Most installed',
  newest: 'Newest',
  rating: 'Highest average rating',
  name: 'Name',
};

/** The list of apps that an address asks for, such as `?search=notes&category=PRODUCTIVITY&page=2`. */
export interface Listing {
  readonly search: string;
  readonly category: Category | null;
  readonly environment: Environment | null;
  /** Null for the default of the service: best match with a search, most installed without. */
  readonly sort: AppSort | null;
  readonly page: number;
}

const one = <Name extends string>(known: readonly string[], value: string | null): Name | null =>
  value !== null && known.includes(value) ? (value as Name) : null;

/** The service takes this many characters. */
export const MAX_SEARCH = 100;

/** Reads the listing from a query string. Values that do not exist are left out. */
export function listingOf(query: URLSearchParams): Listing {
  return {
    search: query.get('search')?.trim().slice(0, MAX_SEARCH) ?? '',
    category: one<Category>(categories, query.get('category')),
    environment: one<Environment>(Object.keys(environments), query.get('environment')),
    sort: one<AppSort>(Object.keys(sorts), query.get('sort')),
    page: pageOf(query),
  };
}

/** Reads the number of the page; 1 without a valid one. */
export const pageOf = (query: URLSearchParams): number =>
  /^[1-9]\d{0,5}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;

/** Returns the address of a listing. Everything but the page number leads to the first page. */
export function addressOf(listing: Listing, changes: Partial<Listing>): string {
  const { search, category, environment, sort, page } = { ...listing, page: 1, ...changes };
  const query = new URLSearchParams();
  if (search) query.set('search', search);
  if (category) query.set('category', category);
  if (environment) query.set('environment', environment);
  if (sort) query.set('sort', sort);
  if (page > 1) query.set('page', String(page));
  return query.size === 0 ? '/' : `?${query}`;
}

/** A search finds at most this many apps (D320). */
const searchWindow = 1_000;

/** Writes a number of apps in a list. In a search, that of the window means "or more". */
export const countOf = (count: number, { search }: Pick<Listing, 'search'>): string =>
  search && count >= searchWindow ? `${searchWindow.toLocaleString('en')}+` : String(count);

/** As the documents of the lists ask for. */
const APPS_PER_PAGE = 24;

/** Says how many apps a list has; on later pages, which of them are shown: "25–36 of 36". */
export function placeOf(listing: Listing, shown: number, total: number): string {
  const all = countOf(total, listing);
  if (listing.page === 1 || shown === 0) return total === 1 ? '1 app' : `${all} apps`;
  const first = (listing.page - 1) * APPS_PER_PAGE + 1;
  return `${shown === 1 ? first : `${first}–${first + shown - 1}`} of ${all}`;
}
