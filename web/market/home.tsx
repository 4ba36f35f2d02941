import type { ResultOf } from 'gql.tada';
import { Link } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Banner } from '../components/banner.tsx';
import { Logo } from '../components/picture.tsx';
import { RatingFigure } from '../components/stars.tsx';
import { Strip } from '../components/strip.tsx';
import { installsOf, Rated } from './app-card.tsx';
import './home.css';

const Home = graphql(`
  query MarketHome {
    featuredApps(limit: 6) { ...MarketEntry description bannerUrl }
    newest: browseApps(sort: newest, limit: 5) { apps { ...MarketEntry } }
    popular: browseApps(sort: popular, limit: 5) { apps { ...MarketEntry } }
    rated: browseApps(sort: rating, limit: 50) { apps { ...MarketEntry } }
  }
  fragment MarketEntry on PublicApp {
    id
    slug
    name
    logoUrl
    installCount
    averageRating
    reviewCount
    approvedAt
    developer { id name companyName }
  }
`);

type Data = ResultOf<typeof Home>;
type Entry = Data['newest']['apps'][number];

/** One rating of five stars is no reputation. The page that the service sends has the same numbers (D423). */
const MIN_RATINGS = 5;
const WEEK_MS = 7 * 24 * 3_600_000;

/** The collections of the start page. Their places are kept while they are read, so that the list below does not jump. */
export function Collections() {
  const { data, problems } = useData(Home, {});
  if (!data) return problems.length > 0 ? null : <CollectionsSkeleton />;
  const isNew = data.newest.apps.every(({ approvedAt }) => Date.now() - Date.parse(approvedAt) < WEEK_MS);
  return (
    <>
      <Featured apps={data.featuredApps} />
      {data.popular.apps.length > 0 && (
        <div class="charts">
          <Collection title={isNew ? 'New this week' : 'Newest'} sort="newest" apps={data.newest.apps} />
          <Collection title="Most installed" sort="popular" apps={data.popular.apps} />
          <Collection
            title="Top rated"
            note={`${MIN_RATINGS}+ ratings`}
            sort="rating"
            apps={data.rated.apps.filter(({ reviewCount }) => reviewCount >= MIN_RATINGS).slice(0, 5)}
          />
        </div>
      )}
    </>
  );
}

/** The apps that the marketplace recommends, in a row that scrolls. Nothing if there are none. */
const Featured = ({ apps }: { apps: Data['featuredApps'] }) =>
  apps.length === 0 ? null : (
    <section aria-labelledby="featured">
      <h2 id="featured">Staff picks</h2>
      <Strip class="featured">
        {apps.map((app, index) => (
          <li key={app.id} class="card app-card">
            {app.bannerUrl && <Banner url={app.bannerUrl} isEager={index < 3} />}
            <div class="app-card-head">
              <Logo url={app.logoUrl} name={app.name} />
              <div>
                <h3>
                  <Link href={`/apps/${app.slug}`} dir="auto">
                    {app.name}
                  </Link>
                </h3>
                <small class="one-line">
                  <bdi>{app.developer.companyName ?? app.developer.name}</bdi>
                </small>
              </div>
            </div>
            <p class="app-card-text" dir="auto">
              {app.description}
            </p>
            <p class="row apart app-card-figures">
              <Rated {...app} />
              <small>{installsOf(app)}</small>
            </p>
          </li>
        ))}
      </Strip>
    </section>
  );

interface CollectionProps {
  title: string;
  /** Says which apps the collection is limited to. */
  note?: string;
  sort: 'newest' | 'popular' | 'rating';
  apps: readonly Entry[];
}

const Collection = ({ title, note, sort, apps }: CollectionProps) => (
  <section class="card chart-list" aria-labelledby={`collection-${sort}`}>
    <div class="row apart">
      <h2 id={`collection-${sort}`}>
        {title}
        {note && <small> {note}</small>}
      </h2>
      <Link href={`?sort=${sort}`} aria-label={`See all: ${title}`}>
        See all
      </Link>
    </div>
    {apps.length === 0 && <p class="soft">No app has enough ratings yet.</p>}
    <ol class="plain">
      {apps.map((app) => (
        <li key={app.id} class="entry">
          <Logo url={app.logoUrl} name={app.name} />
          <div>
            <Link class="one-line" href={`/apps/${app.slug}`}>
              <bdi>{app.name}</bdi>
            </Link>
            <small class="one-line">
              <bdi>{app.developer.companyName ?? app.developer.name}</bdi>
            </small>
          </div>
          <small class="entry-figure">
            {sort === 'popular' ? (
              installsOf(app)
            ) : app.reviewCount > 0 ? (
              <RatingFigure average={app.averageRating} count={app.reviewCount} />
            ) : (
              'New'
            )}
          </small>
        </li>
      ))}
    </ol>
  </section>
);

/** Has the height of the collections. */
const CollectionsSkeleton = () => (
  <div role="status" class="collections-skeleton">
    <span class="hidden">Loading…</span>
    <span class="skeleton of-picks" />
    <span class="skeleton" />
    <span class="skeleton" />
    <span class="skeleton" />
  </div>
);
