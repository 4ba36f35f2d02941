import { useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { wordsOf } from '../components/badge.tsx';
import { addressOf, countOf, type Listing } from './address.ts';

interface FacetsProps {
  listing: Listing;
  facets: {
    readonly categories: readonly {
      readonly category: NonNullable<Listing['category']>;
      readonly count: number;
    }[];
    readonly environments: readonly {
      readonly environment: NonNullable<Listing['environment']>;
      readonly count: number;
    }[];
  };
}

/** The filters of a list, each with the number of apps behind it. Every filter is a link. */
export const Facets = ({ listing, facets: { categories, environments } }: FacetsProps) => (
  <div class="facets">
    <Facet
      id="category"
      name="Category"
      current={listing.category}
      values={categories.map(({ category, count }) => ({ value: category, count })).toSorted(byName)}
      countOf={(count) => countOf(count, listing)}
      addressOf={(category) => addressOf(listing, { category })}
    />
    <Facet
      id="environment"
      name="Environment"
      current={listing.environment}
      values={environments.map(({ environment, count }) => ({ value: environment, count })).toSorted(byUse)}
      countOf={(count) => countOf(count, listing)}
      addressOf={(environment) => addressOf(listing, { environment })}
    />
  </div>
);

const USE = ['production', 'staging', 'localhost'];

const byUse = (one: { value: string }, other: { value: string }) =>
  USE.indexOf(one.value) - USE.indexOf(other.value);

/** Alphabetical, with "Other" at the end. */
const byName = (one: { value: string }, other: { value: string }) =>
  Number(one.value === 'OTHER') - Number(other.value === 'OTHER') ||
  wordsOf(one.value).localeCompare(wordsOf(other.value));

/** Scrolls the row, and not the page. */
function showCurrent(list: HTMLElement | null): void {
  const link = list?.querySelector('[aria-current]')?.getBoundingClientRect();
  if (!list || !link) return;
  const row = list.getBoundingClientRect();
  if (link.left < row.left || link.right > row.right)
    list.scrollBy({ left: (link.left + link.right - row.left - row.right) / 2, behavior: 'instant' });
}

interface FacetProps<Value extends string> {
  id: string;
  name: string;
  current: Value | null;
  values: readonly { readonly value: Value; readonly count: number }[];
  countOf: (count: number) => string;
  addressOf: (value: Value | null) => string;
}

/** The values with apps, and the current one, which is in view where they are a row that scrolls. Nothing if there is nothing to choose. */
function Facet<Value extends string>(props: FacetProps<Value>) {
  const { id, name, current, values, countOf: written, addressOf: addressFor } = props;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => showCurrent(list.current), [current, values.length]);
  const all = values.reduce((sum, { count }) => sum + count, 0);
  const shown = values.filter(({ value, count }) => value === current || count > 0);
  if (all === 0 || (shown.length === 1 && current === null)) return null;
  const rows = [{ value: null, count: all }, ...shown];
  return (
    <nav aria-labelledby={`facet-${id}`}>
      <h2 id={`facet-${id}`}>{name}</h2>
      <ul class="plain" ref={list}>
        {rows.map(({ value, count }) => (
          <li key={value}>
            <Link href={addressFor(value)} {...(value === current && { 'aria-current': 'true' as const })}>
              <span>{value === null ? 'All' : wordsOf(value)}</span> <small>{written(count)}</small>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
