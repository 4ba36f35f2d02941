import type { ResultOf } from 'gql.tada';
import { Link } from 'wouter-preact';
import { useData, useEvents, useLateReload } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Avatar } from '../components/avatar.tsx';
import { Badge, wordsOf } from '../components/badge.tsx';
import { Banner } from '../components/banner.tsx';
import { Breakable } from '../components/breakable.tsx';
import { Gallery } from '../components/gallery.tsx';
import { Icon } from '../components/icon.tsx';
import { Later } from '../components/later.tsx';
import { Logo } from '../components/picture.tsx';
import { useTitle } from '../components/shell.tsx';
import { Stars } from '../components/stars.tsx';
import { Loaded, Skeleton } from '../components/status.tsx';
import { Verified } from '../components/verified.tsx';
import { dayOf } from '../components/when.tsx';
import { AppCardFields, AppCards } from './app-card.tsx';
import { Install } from './install.tsx';
import { MissingPage } from './missing.tsx';
import { Ratings } from './ratings.tsx';
import { ReportApp } from './report-app.tsx';
import '../components/app-page.css';

const App = graphql(
  `
  query MarketApp($slug: String!) {
    app(slug: $slug) {
      ...MarketAppCard
      longDescription
      bannerUrl
      websiteUrl
      featured
      approvedAt
      updatedAt
      screenshots { url caption }
      versionNumber
      releaseNotes
      ratingDistribution { rating count }
      developer {
        appCount
        verified
        websiteUrl
        apps(first: 4) { edges { node { ...MarketAppCard } } }
      }
    }
  }
`,
  [AppCardFields],
);

const AppChanged = graphql(`
  subscription MarketAppChanged($slug: String!) {
    catalogChanged(slug: $slug) { slug }
  }
`);

type ShownApp = NonNullable<ResultOf<typeof App>['app']>;

const loadMarkdown = () => import('../components/markdown.tsx').then(({ Markdown }) => Markdown);

const PAGE_SHAPES = ['of-head', 'of-pictures', 'of-text'];

/** The page of an app. It follows the changes of the listing. */
export function AppPage({ slug }: { slug: string }) {
  const found = useData(App, { slug });
  const reload = useLateReload(found.reload);
  useEvents(AppChanged, { slug }, reload);
  const { data, problems } = found;
  useTitle(`${data?.app?.name ?? 'App'} · Marketplace`);
  if (!data?.app && problems.some(({ code }) => code === 'NOT_FOUND' || code === 'VALIDATION_FAILED'))
    return <MissingPage what="app" search={slug.replaceAll('-', ' ').slice(0, 100)} />;
  return (
    <Loaded from={{ ...found, data: data?.app }} skeleton={<Skeleton shapes={PAGE_SHAPES} />}>
      {(app) => (
        <article class="stack app-page">
          <Head app={app} onInstalled={reload} />
          <Gallery screenshots={app.screenshots} />
          <div class="app-columns">
            <div class="stack">
              <Story app={app} />
              <WhatsNew app={app} />
            </div>
            <Facts app={app} />
            <Ratings app={app} onChanged={reload} />
          </div>
          <More app={app} />
          <Similar app={app} />
        </article>
      )}
    </Loaded>
  );
}

const Head = ({ app, onInstalled }: { app: ShownApp; onInstalled: () => void }) => (
  <header class="card app-head">
    {app.bannerUrl && <Banner url={app.bannerUrl} isEager />}
    <div class="app-head-text">
      <Logo url={app.logoUrl} name={app.name} />
      <div>
        <h1 dir="auto">{app.name}</h1>
        <p class="row">
          <span>
            by{' '}
            <Link href={`/developers/${app.developer.id}`} dir="auto">
              {app.developer.companyName ?? app.developer.name}
            </Link>
            {app.developer.verified && (
              <>
                {' '}
                <Verified />
              </>
            )}
          </span>
          {app.featured && <Badge value="STAFF_PICK" />}
          {app.environment !== 'production' && <Badge value={app.environment.toUpperCase()} tone="warn" />}
        </p>
        <p dir="auto">{app.description}</p>
        {app.reviewCount > 0 && (
          <p>
            <Stars rating={app.averageRating} /> <strong>{app.averageRating.toFixed(1)}</strong>{' '}
            <a href="#ratings">{app.reviewCount === 1 ? '1 rating' : `${app.reviewCount} ratings`}</a>
          </p>
        )}
      </div>
      <Install app={app} onInstalled={onInstalled} />
    </div>
  </header>
);

const Story = ({ app: { name, longDescription } }: { app: ShownApp }) => (
  <section class="card" aria-label={`About ${name}`}>
    <h2>About</h2>
    {longDescription ? (
      <Later load={loadMarkdown} props={{ text: longDescription }} />
    ) : (
      <p class="soft">There is no further description.</p>
    )}
  </section>
);

const WhatsNew = ({ app: { versionNumber, releaseNotes } }: { app: ShownApp }) =>
  releaseNotes ? (
    <section class="card" aria-labelledby="whats-new">
      <h2 id="whats-new">What’s new{versionNumber && <small dir="auto"> in {versionNumber}</small>}</h2>
      <Later load={loadMarkdown} props={{ text: releaseNotes }} />
    </section>
  ) : null;

const Facts = ({ app }: { app: ShownApp }) => (
  <section class="card details">
    <h2>Details</h2>
    <Link class="person developer-link" href={`/developers/${app.developer.id}`}>
      <Avatar name={app.developer.companyName ?? app.developer.name} />
      <span>
        <small>Developer{app.developer.verified && ' · Verified'}</small>
        <strong dir="auto">{app.developer.companyName ?? app.developer.name}</strong>
      </span>
    </Link>
    <dl class="facts">
      <dt>Category</dt>
      <dd>
        <Link class="with-icon" href={`/?category=${app.category}`}>
          <Icon name={app.category} /> {wordsOf(app.category)}
        </Link>
      </dd>
      <dt>Environment</dt>
      <dd>{wordsOf(app.environment)}</dd>
      {app.versionNumber && (
        <>
          <dt>Version</dt>
          <dd dir="auto">{app.versionNumber}</dd>
        </>
      )}
      <dt>Published</dt>
      <dd>{dayOf(app.approvedAt)}</dd>
      <dt>Updated</dt>
      <dd>{dayOf(app.updatedAt)}</dd>
      {app.websiteUrl && (
        <>
          <dt>Website</dt>
          <dd>
            <a href={app.websiteUrl} rel="noopener noreferrer nofollow" target="_blank">
              <Breakable text={new URL(app.websiteUrl).host} /> <Icon name="external" />
            </a>
          </dd>
        </>
      )}
    </dl>
    <ReportApp slug={app.slug} name={app.name} />
  </section>
);

const SimilarApps = graphql(
  `
  query MarketSimilar($slug: String!) {
    similarApps(slug: $slug, first: 3) { ...MarketAppCard }
  }
`,
  [AppCardFields],
);

/** Apps of other developers with the same category and the same words. */
function Similar({ app: { slug, category } }: { app: ShownApp }) {
  const { data } = useData(SimilarApps, { slug });
  const others = data?.similarApps ?? [];
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="similar">
      <div class="row apart">
        <h2 id="similar">Similar apps</h2>
        <Link href={`/?category=${category}`}>All in {wordsOf(category)}</Link>
      </div>
      <AppCards apps={others} isRow />
    </section>
  );
}

function More({ app: { id, developer } }: { app: ShownApp }) {
  const others = developer.apps.edges.map(({ node }) => node).filter((other) => other.id !== id);
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="more">
      <div class="row apart">
        <h2 id="more">More by this developer</h2>
        {developer.appCount > 4 && (
          <Link href={`/developers/${developer.id}`}>All {developer.appCount} apps</Link>
        )}
      </div>
      <AppCards apps={others.slice(0, 3)} isByOne isRow />
    </section>
  );
}
