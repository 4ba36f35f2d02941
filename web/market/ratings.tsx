import type { ResultOf } from 'gql.tada';
import { useCallback, useState } from 'preact/hooks';
import { useData, useLateReload } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { useSignal } from '../client/signal.ts';
import { Avatar } from '../components/avatar.tsx';
import { counted } from '../components/counted.ts';
import { Distribution } from '../components/distribution.tsx';
import { Stars } from '../components/stars.tsx';
import { Loaded } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { OwnRating, ownRatingId } from './own-rating.tsx';
import { ReportButton, ReportDialog } from './report-rating.tsx';

const AppRatings = graphql(`
  query MarketRatings($slug: String!, $after: String) {
    appRatings(slug: $slug, first: 10, after: $after) {
      totalCount
      pageInfo { endCursor hasNextPage }
      edges {
        node {
          id
          rating
          authorName
          title
          text
          reply
          createdAt
        }
      }
    }
  }
`);

type ShownRating = ResultOf<typeof AppRatings>['appRatings']['edges'][number]['node'];

interface RatingsProps {
  app: {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly averageRating: number;
    readonly reviewCount: number;
    readonly ratingDistribution: readonly { readonly rating: number; readonly count: number }[];
    readonly developer: { readonly id: string; readonly name: string; readonly companyName: string | null };
  };
  /** Called when the person has rated the app. */
  onChanged: () => void;
}

/** The ratings of an app: their distribution, the person's own, and all others. */
export function Ratings({ app, onChanged }: RatingsProps) {
  // Another number reads the list again from its first page.
  const [reading, setReading] = useState(0);
  const reload = useCallback(() => setReading((before) => before + 1), []);
  const reloadLate = useLateReload(reload);
  return (
    <section class="card" id="ratings" aria-labelledby="ratings-title">
      <h2 id="ratings-title">Ratings</h2>
      <div class="ratings">
        <Summary {...app} />
        <OwnRating
          app={app}
          onChanged={() => {
            onChanged();
            reloadLate();
          }}
        />
        <div class="stack">
          <RatingPage key={reading} app={app} after={null} shown={0} reload={reload} />
        </div>
      </div>
      <ReportDialog />
    </section>
  );
}

const Summary = ({ averageRating, reviewCount, ratingDistribution }: RatingsProps['app']) =>
  reviewCount === 0 ? null : (
    <div>
      <p class="row">
        <strong class="average">{averageRating.toFixed(1)}</strong>
        <span>
          <Stars rating={averageRating} />
          <br />
          <small>{counted(reviewCount, 'rating')}</small>
        </span>
      </p>
      <Distribution counts={ratingDistribution} />
    </div>
  );

interface RatingPageProps {
  app: RatingsProps['app'];
  after: string | null;
  /** Number of ratings before this page. */
  shown: number;
  reload: () => void;
}

/** Ten ratings, newest first, and the next ten when asked for. */
function RatingPage({ app, after, shown, reload }: RatingPageProps) {
  const page = useData(AppRatings, { slug: app.slug, after });
  const [isMoreShown, setIsMoreShown] = useState(false);
  return (
    <Loaded from={page}>
      {({ appRatings: { edges, pageInfo, totalCount } }) => {
        // Stars without a word are counted above; a list of them says nothing.
        const written = edges.filter(({ node: { title, text, reply } }) => title || text || reply);
        return (
          <>
            {shown === 0 && <ListState app={app} totalCount={totalCount} reload={reload} />}
            <ul class="plain stack">
              {written.map(({ node }) => (
                <RatingEntry key={node.id} rating={node} app={app} />
              ))}
            </ul>
            {isMoreShown ? (
              <RatingPage app={app} after={pageInfo.endCursor} shown={shown + edges.length} reload={reload} />
            ) : (
              pageInfo.hasNextPage && (
                // Without numbers: those without a text are not in the list.
                <p>
                  <button type="button" onClick={() => setIsMoreShown(true)}>
                    Show older ratings
                  </button>
                </p>
              )
            )}
            {edges.length > 0 && written.length === 0 && (
              <p class="soft">
                {pageInfo.hasNextPage || shown > 0
                  ? 'These ratings have no text.'
                  : 'No ratings with a text yet.'}
              </p>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

interface ListStateProps {
  app: RatingsProps['app'];
  totalCount: number;
  reload: () => void;
}

/** Says that there are none, or new ones: a button shows them, so that the list does not move while one reads. */
const ListState = ({ app, totalCount, reload }: ListStateProps) => (
  <>
    {totalCount === 0 && app.reviewCount === 0 && <p class="soft">No ratings yet.</p>}
    {app.reviewCount > totalCount && (
      <p>
        <button type="button" onClick={reload}>
          Show the new ratings
        </button>
      </p>
    )}
  </>
);

const RatingEntry = ({ rating, app }: { rating: ShownRating; app: RatingsProps['app'] }) => (
  <li class="rating">
    <Avatar name={rating.authorName ?? 'Anonymous'} />
    <div>
      <div class="rating-head">
        <span class="row">
          <Stars rating={rating.rating} />
          {rating.title && <strong dir="auto">{rating.title}</strong>}
        </span>
        {useSignal(ownRatingId) !== rating.id && <ReportButton id={rating.id} />}
      </div>
      <small>
        <strong dir="auto">{rating.authorName ?? 'Anonymous'}</strong>, <When at={rating.createdAt} />
      </small>
      {rating.text && (
        <p class="prose" dir="auto">
          {rating.text}
        </p>
      )}
      {rating.reply && (
        <blockquote>
          <small dir="auto">Reply by {app.developer.companyName ?? app.developer.name}</small>
          <p class="prose" dir="auto">
            {rating.reply}
          </p>
        </blockquote>
      )}
    </div>
  </li>
);
