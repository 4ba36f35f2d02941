import type { ResultOf } from 'gql.tada';
import { Link } from 'wouter-preact';
import { graphql } from '../client/graphql.ts';
import { counted } from '../components/counted.ts';
import { Stars } from '../components/stars.tsx';
import { When } from '../components/when.tsx';
import { ActionButton } from './action-button.tsx';
import { AccountName } from './administrators.tsx';

export const RatingFields = graphql(`
  fragment DeskRating on Rating {
    id
    rating
    title
    text
    reply
    authorName
    accountUserId
    createdAt
    app { id name }
    moderation { hiddenAt by reason removedAt app { id name } }
    reports(first: 5) {
      totalCount
      edges { node { accountUserId reason createdAt } }
    }
  }
`);

const Hide = graphql(`
  mutation DeskHideRating($id: ID!, $reason: String!) {
    hideRating(id: $id, reason: $reason) { id moderation { hiddenAt } }
  }
`);
const Unhide = graphql(`
  mutation DeskUnhideRating($id: ID!) { unhideRating(id: $id) { id moderation { hiddenAt } } }
`);
const Dismiss = graphql(`
  mutation DeskDismissRatingReports($id: ID!) { dismissRatingReports(id: $id) { id reports { totalCount } } }
`);

export type RatingData = ResultOf<typeof RatingFields>;

interface AppRatingsProps {
  ratings: { totalCount: number; edges: readonly { node: RatingData }[] };
  /** The number of the ratings that are not hidden. */
  publicCount: number;
  onDone: () => void;
}

/** The newest ratings of an app, hidden ones included. */
export const AppRatings = ({ ratings: { totalCount, edges }, publicCount, onDone }: AppRatingsProps) => (
  <section class="card stack" aria-labelledby="ratings">
    <h2 id="ratings">
      {counted(publicCount, 'rating')}
      {totalCount > publicCount && ` and ${totalCount - publicCount} hidden`}
    </h2>
    {totalCount > edges.length && <p class="soft tight">Showing the newest {edges.length}.</p>}
    <ol class="plain entries separate">
      {edges.map(({ node }) => (
        <li key={node.id}>
          <RatingEntry rating={node} onDone={onDone} />
        </li>
      ))}
    </ol>
  </section>
);

/** A rating with its reports, and what an administrator can do about it. */
export function RatingEntry({
  rating,
  withApp = false,
  onDone,
}: {
  rating: RatingData;
  withApp?: boolean;
  onDone: () => void;
}) {
  const { id, title, text, moderation } = rating;
  const app = moderation?.app ?? rating.app;
  return (
    <div class="rating-entry">
      <p class="row tight">
        <Stars rating={rating.rating} />
        {withApp && app && (
          <Link href={`/apps/${app.id}`} dir="auto">
            {app.name}
          </Link>
        )}
        <small dir="auto">
          {rating.authorName ?? 'Anonymous'} ({rating.accountUserId}), <When at={rating.createdAt} />
        </small>
        {moderation && <span class="badge bad">Hidden</span>}
      </p>
      {(title || text) && (
        <p class="tight pre" dir="auto">
          {title && <strong class="below">{title}</strong>}
          {text}
        </p>
      )}
      {rating.reply && (
        <p class="tight soft" dir="auto">
          Developer’s reply: {rating.reply}
        </p>
      )}
      {moderation && <Moderation moderation={moderation} />}
      <Reports reports={rating.reports} />
      <div class="row actions">
        {moderation ? (
          <ActionButton
            label="Show again"
            title="Show this rating again"
            isSmall
            mutation={Unhide}
            variables={() => ({ id })}
            consequences="The rating is public again, and counts in the average."
            done="The rating is public again."
            onDone={onDone}
          />
        ) : (
          <ActionButton
            label="Hide"
            title="Hide this rating"
            isSmall
            mutation={Hide}
            variables={(reason) => ({ id, reason })}
            consequences="Only administrators will see the rating, and it will not count in the average."
            done="The rating is hidden."
            reasonFor={`hide:${id}`}
            isDangerous
            onDone={onDone}
          />
        )}
        {!moderation && (rating.reports?.totalCount ?? 0) > 0 && (
          <ActionButton
            label="Dismiss the reports"
            isSmall
            mutation={Dismiss}
            variables={() => ({ id })}
            consequences="The rating stays public, and its reports are closed."
            done="The reports are dismissed."
            onDone={onDone}
          />
        )}
      </div>
    </div>
  );
}

const Moderation = ({ moderation }: { moderation: NonNullable<RatingData['moderation']> }) => (
  <p class="note tight" dir="auto">
    Hidden <When at={moderation.hiddenAt} />
    {moderation.by && (
      <>
        {' '}
        by <AccountName id={moderation.by} />
      </>
    )}
    {moderation.reason && `: ${moderation.reason}`}
    {moderation.removedAt && ' The author has removed it since.'}
  </p>
);

const Reports = ({ reports }: Pick<RatingData, 'reports'>) =>
  !reports || reports.totalCount === 0 ? null : (
    <div class="note warn">
      <p>{counted(reports.totalCount, 'report')}</p>
      <ul>
        {reports.edges.map(({ node: { accountUserId, reason, createdAt } }) => (
          <li key={accountUserId} dir="auto">
            {reason}{' '}
            <small>
              {accountUserId}, <When at={createdAt} />
            </small>
          </li>
        ))}
      </ul>
    </div>
  );
