import { useRef, useState } from 'preact/hooks';
import { useLocation, useSearchParams } from 'wouter-preact';
import { useData, useEvents } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { wordsOf } from '../components/badge.tsx';
import { useTitle } from '../components/shell.tsx';
import { Loaded, Skeleton } from '../components/status.tsx';
import { addressOf, type Listing, listingOf, placeOf, sorts } from './address.ts';
import { AppCardFields, AppCards } from './app-card.tsx';
import { Facets } from './facets.tsx';
import { FilterChips } from './filter-chips.tsx';
import { Collections } from './home.tsx';
import { NothingFound } from './nothing-found.tsx';
import { Paging } from './paging.tsx';

const Apps = graphql(
  `
  query MarketApps($filter: AppFilter!, $sort: AppSort, $page: Int!) {
    browseApps(filter: $filter, sort: $sort, page: $page, limit: 24) {
      apps { ...MarketAppCard }
      pagination { total totalPages }
    }
    apps(filter: $filter, first: 1) {
      facets {
        categories { category count }
        environments { environment count }
      }
    }
  }
`,
  [AppCardFields],
);

const CatalogChanged = graphql(`
  subscription MarketCatalogChanged {
    catalogChanged { slug }
  }
`);

const CARD_SHAPES = Array.from({ length: 8 }, () => 'of-card');

/** The start page: collections, and all apps by search, filter and sort order. Its state is its address. */
export function DiscoverPage() {
  const [query] = useSearchParams();
  const listing = listingOf(query);
  const { search, category, environment, sort, page } = listing;
  const title = titleOf(listing);
  const isHome = addressOf(listing, listing) === '/';
  const parts = [title, page > 1 && `Page ${page}`].filter((part) => part);
  useTitle(parts.length === 0 ? 'App marketplace' : [...parts, 'Marketplace'].join(' · '));
  const filter = { search, category, environment };
  const apps = useData(Apps, { filter, sort, page });
  return (
    <div class={isHome ? 'stack home' : 'stack'}>
      {isHome ? <Collections /> : <h1 class="hidden">Apps for your work</h1>}
      <Loaded from={apps} skeleton={<Skeleton shapes={CARD_SHAPES} />}>
        {({ browseApps, apps: { facets } }) => (
          <div class="discover">
            <Facets listing={listing} facets={facets} />
            <Results
              listing={listing}
              title={title}
              {...browseApps}
              isLoading={apps.isLoading}
              reload={apps.reload}
            />
          </div>
        )}
      </Loaded>
    </div>
  );
}

/** The lists behind "See all" on the start page. */
const sortedTitles: Partial<Record<NonNullable<Listing['sort']>, string>> = {
  newest: 'Newest apps',
  popular: 'Most installed apps',
  rating: 'Highest rated apps',
};

/** Returns what makes this list special; null for all apps. */
function titleOf({ search, category, environment, sort }: Listing): string | null {
  const parts = [
    search && `“${search}”`,
    category && wordsOf(category),
    environment && wordsOf(environment),
  ].filter((part) => part !== '' && part !== null);
  if (parts.length > 0) return parts.join(' · ');
  return (sort && sortedTitles[sort]) ?? null;
}

interface ResultsProps {
  listing: Listing;
  title: string | null;
  apps: Parameters<typeof AppCards>[0]['apps'];
  pagination: { readonly total: number; readonly totalPages: number };
  isLoading: boolean;
  reload: () => void;
}

/** The apps of a list. Those of the list before are shown until the new ones have come. */
function Results({ listing, title, apps, pagination, isLoading, reload }: ResultsProps) {
  const { total, totalPages } = pagination;
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section class="stack results" aria-labelledby="results" aria-busy={isLoading}>
      <div class="row apart">
        <div class="row">
          <h2 id="results" tabIndex={-1} ref={heading} dir="auto">
            {title ?? 'All apps'}
          </h2>
          <small role="status">{placeOf(listing, apps.length, total)}</small>
        </div>
        {total > 0 && <SortChoice listing={listing} />}
      </div>
      <FilterChips listing={listing} />
      <ChangeNotice reload={reload} />
      {apps.length === 0 ? (
        <NothingFound listing={listing} total={total} />
      ) : (
        <AppCards apps={apps} isInCategory={listing.category !== null} />
      )}
      <Paging
        page={listing.page}
        totalPages={totalPages}
        addressOf={(page) => addressOf(listing, { page })}
        onTurn={() => heading.current?.focus()}
      />
    </section>
  );
}

function SortChoice({ listing }: { listing: Listing }) {
  const [, navigate] = useLocation();
  const fallback = listing.search ? 'relevance' : 'popular';
  const offered = (Object.keys(sorts) as (keyof typeof sorts)[]).filter(
    (sort) => sort !== 'relevance' || listing.search,
  );
  return (
    <label class="row sort">
      Sort by
      <select
        value={listing.sort ?? fallback}
        onChange={({ currentTarget: { value } }) => {
          const sort = value as keyof typeof sorts;
          navigate(addressOf(listing, { sort: sort === fallback ? null : sort }));
        }}
      >
        {offered.map((sort) => (
          <option key={sort} value={sort}>
            {sorts[sort]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Says that the catalog has changed. The list stays as it is until the person wants the new one. */
function ChangeNotice({ reload }: { reload: () => void }) {
  const [isChanged, setIsChanged] = useState(false);
  // The person returns to the page, and has not read the list yet.
  useEvents(CatalogChanged, {}, (event) => (event === null ? reload() : setIsChanged(true)));
  const show = () => {
    setIsChanged(false);
    reload();
  };
  return (
    <div role="status" class="change-notice">
      {isChanged && (
        <button type="button" onClick={show}>
          The list has changed. Refresh
        </button>
      )}
    </div>
  );
}
