import { Link } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Empty } from '../components/status.tsx';
import { addressOf, type Listing } from './address.ts';
import { AppCardFields, AppCards } from './app-card.tsx';
import { CategoryChips } from './category-chips.tsx';
import { Suggestions } from './search-box.tsx';

const Popular = graphql(
  `
  query MarketPopular {
    browseApps(sort: popular, limit: 3) { apps { ...MarketAppCard } }
  }
`,
  [AppCardFields],
);

/** Says why a list is empty, and shows other ways to an app. */
export const NothingFound = ({ listing, total }: { listing: Listing; total: number }) => (
  <>
    <Reason listing={listing} total={total} />
    {total === 0 && <Elsewhere />}
  </>
);

/** The most installed apps, and the categories. Nothing if there are no apps at all. */
function Elsewhere() {
  const { data } = useData(Popular, {});
  if (!data || data.browseApps.apps.length === 0) return null;
  return (
    <section class="stack elsewhere" aria-labelledby="popular">
      <h2 id="popular">Popular apps</h2>
      <AppCards apps={data.browseApps.apps} isRow />
      <CategoryChips />
    </section>
  );
}

const Reason = ({ listing, total }: { listing: Listing; total: number }) => (
  <Empty>
    {total > 0 ? (
      <p>
        This list has no page {listing.page}. <Link href={addressOf(listing, {})}>Go to the first page</Link>
      </p>
    ) : !listing.search && !listing.category && !listing.environment ? (
      <p>There are no apps yet.</p>
    ) : (
      <>
        <p>No apps found.{listing.search && ' Try fewer or different words.'}</p>
        {listing.search && <DidYouMean search={listing.search} />}
        <p>
          {(listing.category || listing.environment) && listing.search && (
            <>
              <Link href={addressOf(listing, { category: null, environment: null })}>Search in all apps</Link>
              {' · '}
            </>
          )}
          <Link href="/">Show all apps</Link>
        </p>
      </>
    )}
  </Empty>
);

/** Apps whose name is close to the search. The service tolerates typos at the start of a name. */
function DidYouMean({ search }: { search: string }) {
  const whole = useData(Suggestions, { prefix: search });
  const [first = search] = search.split(/\s+/);
  const part = useData(Suggestions, { prefix: first }, { pause: first === search });
  const found = whole.data?.suggest.length ? whole.data.suggest : (part.data?.suggest ?? []);
  if (found.length === 0) return null;
  return (
    <p>
      Did you mean{' '}
      {found.slice(0, 3).map(({ slug, name }, index) => (
        <span key={slug}>
          {index > 0 && ', '}
          <Link href={`/apps/${slug}`} dir="auto">
            {name}
          </Link>
        </span>
      ))}
      ?
    </p>
  );
}
