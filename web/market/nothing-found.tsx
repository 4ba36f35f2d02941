import { Link } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { Empty } from '../components/status.tsx';
import { addressOf, type Listing } from './address.ts';
import { Suggestions } from './search-box.tsx';

/** Says why a list is empty, and what to do about it. */
export const NothingFound = ({ listing, total }: { listing: Listing; total: number }) => (
  <Empty>
    {total > 0 ? (
      <p>
        This list has no page {listing.page}. <Link href={addressOf(listing, {})}>Go to the first page</Link>
      </p>
    ) : !listing.search && !listing.category && !listing.environment ? (
      <p>There are no apps yet.</p>
    ) : (
      <>
        <p>No apps found.{listing.search && ' Try fewer or other words.'}</p>
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
