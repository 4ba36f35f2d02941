import { AppSort } from '../../modules/catalog/catalog.types.js';
import { Environment } from '../../modules/listings/app.entity.js';
import { Category } from '../../modules/listings/listing.entity.js';
import { appsOf, wordsOf } from './parts.html.js';

/** The list of apps that an address of the storefront asks for, such as `?category=FINANCE&page=2`. */
export interface AppListing {
  readonly search: string;
  /** True if the results of a search are sent as HTML: the form for browsers without scripts asks for it. */
  readonly plain: boolean;
  readonly category: Category | null;
  readonly environment: Environment | null;
  readonly sort: AppSort | null;
  readonly page: number;
}

const oneOf = <Value extends string>(values: Record<string, Value>, value: string | null): Value | null =>
  Object.values(values).find((known) => known === value) ?? null;

/** Reads a listing as the script of the page does: values that do not exist are left out. */
export const listingOf = (query: URLSearchParams): AppListing => ({
  search: query.get('search')?.trim().slice(0, 100) ?? '',
  plain: query.get('plain') === '1',
  category: oneOf(Category, query.get('category')),
  environment: oneOf(Environment, query.get('environment')),
  sort: oneOf(AppSort, query.get('sort')),
  page: pageOf(query),
});

export const pageOf = (query: URLSearchParams): number =>
  /^[1-9]\d{0,5}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;

/** Returns the query string of a listing, in the order that the script uses; empty for all apps. */
export function addressOf({ search, plain, category, environment, sort, page }: AppListing): string {
  const query = new URLSearchParams();
  if (search) query.set('search', search);
  if (search && plain) query.set('plain', '1');
  if (category) query.set('category', category);
  if (environment) query.set('environment', environment);
  if (sort) query.set('sort', sort);
  if (page > 1) query.set('page', String(page));
  return query.size === 0 ? '' : `?${query}`;
}

/** Returns the query string that names the same apps in whatever order. */
export const canonicalOf = (listing: AppListing): string =>
  listing.search ? '' : addressOf({ ...listing, sort: null });

/** The lists behind "See all" on the start page. */
const sortedTitles: Partial<Record<AppSort, string>> = {
  [AppSort.newest]: 'Newest apps',
  [AppSort.popular]: 'Most installed apps',
  [AppSort.rating]: 'Highest rated apps',
};

/** Returns the names of the filters of a list, each with what the list is without it. */
export const filtersOf = ({ search, category, environment }: AppListing) =>
  [
    search && { name: `“${search}”`, without: { search: '', sort: null } },
    category && { name: wordsOf(category), without: { category: null } },
    environment && { name: wordsOf(environment), without: { environment: null } },
  ].filter((filter) => filter !== '' && filter !== null);

/** Returns what makes a list special; null for all apps. */
export function titleOf(listing: AppListing): string | null {
  const filters = filtersOf(listing);
  if (filters.length > 0) return filters.map(({ name }) => name).join(' · ');
  return (listing.sort && sortedTitles[listing.sort]) ?? null;
}

export const appsPerPage = 24;

/** Says how many apps a list has; on later pages, which of them are shown: "25–36 of 36". */
export function placeOf(page: number, shown: number, total: number): string {
  if (page === 1 || shown === 0) return appsOf(total);
  const first = (page - 1) * appsPerPage + 1;
  return `${shown === 1 ? first : `${first}–${first + shown - 1}`} of ${total}`;
}
