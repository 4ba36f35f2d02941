import type { ResultOf } from 'gql.tada';
import { Link } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { pathOf } from '../client/settings.ts';
import { Back } from '../components/back.tsx';
import { Badge, StatusBadge, wordsOf } from '../components/badge.tsx';
import { useTitle } from '../components/shell.tsx';
import { Empty, Loaded } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { AppActions } from './app-actions.tsx';
import { AppRatings, RatingFields } from './app-ratings.tsx';
import { History } from './history.tsx';
import { Pictures } from './pictures.tsx';
import { HistoryFields } from './review-data.ts';
import { ListingText } from './review-listing.tsx';
import { Thread } from './thread.tsx';
import './review.css';
import { counted } from '../components/counted.ts';

const AppPageData = graphql(
  `
  query DeskApp($id: ID!) {
    adminApp(id: $id) {
      id
      name
      slug
      status
      revision
      featured
      environment
      category
      description
      longDescription
      websiteUrl
      logoUrl
      bannerUrl
      oauthClientId
      screenshots { url caption }
      versionNumber
      releaseNotes
      images { field ok }
      findings { field code severity message fix }
      createdAt
      updatedAt
      approvedAt
      installCount
      averageRating
      reviewCount
      developer { id name status }
      allowedActions { action allowed code message }
      ratings(first: 10) {
        totalCount
        edges { node { ...DeskRating } }
      }
      ...DeskHistory
    }
  }
`,
  [HistoryFields, RatingFields],
);

export type AppDetails = NonNullable<ResultOf<typeof AppPageData>['adminApp']>;

/** An app, with everything about it. */
export function AppPage({ id }: { id: string }) {
  const app = useData(AppPageData, { id });
  useTitle(`${app.data?.adminApp?.name ?? 'App'} · Review desk`);
  return (
    <Loaded from={app}>
      {({ adminApp: found }) =>
        found ? (
          <div class="stack">
            <AppHeader app={found} />
            <InstallFindings app={found} />
            <AppActions app={found} onDone={app.reload} />
            <div class="app-columns">
              <div class="stack">
                <AppListing app={found} />
                <Pictures listing={found} findings={[]} />
                <AppRatings ratings={found.ratings} publicCount={found.reviewCount} onDone={app.reload} />
              </div>
              <div class="stack">
                <Thread
                  appId={found.id}
                  messages={found.messages}
                  actions={found.allowedActions}
                  onSent={app.reload}
                />
                <History of={found} />
              </div>
            </div>
          </div>
        ) : (
          <Empty>This app does not exist.</Empty>
        )
      }
    </Loaded>
  );
}

function AppHeader({ app }: { app: AppDetails }) {
  const open = app.submissions.edges.find(({ node }) => node.outcome === null)?.node;
  return (
    <header class="stack tight">
      <Back to="/apps">Apps</Back>
      <h1 class="row tight">
        <bdi>{app.name}</bdi> <StatusBadge status={app.status} />{' '}
        {app.featured && <Badge value="STAFF_PICK" />}
      </h1>
      <p class="row soft tight">
        <span>
          by{' '}
          <Link href={`/developers/${app.developer.id}`} dir="auto">
            {app.developer.name}
          </Link>
        </span>
        {app.developer.status !== 'VERIFIED' && <Badge value={app.developer.status} />}
        <span>{counted(app.installCount, 'install')}</span>
        <span>
          {app.reviewCount > 0
            ? `★ ${app.averageRating.toFixed(1)} from ${counted(app.reviewCount, 'rating')}`
            : 'No ratings'}
        </span>
        {app.status === 'APPROVED' && (
          <a href={pathOf(`/market/apps/${app.slug}`)}>View in the marketplace</a>
        )}
        <Link href={`/audit?app=${app.id}`}>Audit log</Link>
      </p>
      {open && (
        <p class="note tight">
          {open.version ? 'A new version was' : 'It was'} submitted for review <When at={open.submittedAt} />.{' '}
          <Link href={`/reviews/${open.id}`}>Review it</Link>
        </p>
      )}
    </header>
  );
}

/** Warns of installs that may not be real. */
const InstallFindings = ({ app }: { app: AppDetails }) => (
  <>
    {app.findings
      .filter(({ code }) => code === 'unusual_installs')
      .map(({ message, fix }) => (
        <p key={message} class="note tight">
          <span class="badge warn">Unusual installs</span> {message} {fix}
        </p>
      ))}
  </>
);

const AppListing = ({ app }: { app: AppDetails }) => (
  <section class="card stack" aria-labelledby="listing">
    <h2 id="listing">Listing</h2>
    <ListingText
      listing={app}
      facts={[
        ['Category', wordsOf(app.category)],
        ['Environment', wordsOf(app.environment)],
        ['Address', app.slug],
        ['OAuth client', app.oauthClientId],
      ]}
    />
  </section>
);
