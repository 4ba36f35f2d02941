import type { ResultOf } from 'gql.tada';
import { useState } from 'preact/hooks';
import { useChange, useData } from '../client/data.ts';
import { useDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import { FieldForm, requestsAt } from '../components/field-form.tsx';
import { TextField, useAttempt } from '../components/form.tsx';
import { MoreButton } from '../components/more-button.tsx';
import { Stars } from '../components/stars.tsx';
import { Empty, Loaded } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import type { AppData } from './app-data.ts';
import { useReloadAfter } from './reload-after.ts';

const RatingsQuery = graphql(`
  query ConsoleRatings($id: ID!, $first: Int!) {
    myApp(id: $id) {
      ratings(first: $first) {
        totalCount
        distribution {
          rating
          count
        }
        edges {
          node {
            id
            rating
            title
            text
            authorName
            createdAt
            reply
          }
        }
      }
    }
  }
`);
const ReplyToRating = graphql(`
  mutation ConsoleReplyToRating($id: ID!, $text: String) {
    replyToRating(id: $id, text: $text) {
      id
      reply
    }
  }
`);
type RatingData = NonNullable<ResultOf<typeof RatingsQuery>['myApp']>['ratings']['edges'][number]['node'];
const FIRST_SHOWN = 10;
const MOST_SHOWN = 100;

/** The ratings of an app, newest first, each with the developer's public reply. */
export function Ratings({ app, events }: { app: AppData; events: number }) {
  const [first, setFirst] = useState(FIRST_SHOWN);
  const ratings = useData(RatingsQuery, { id: app.id, first });
  useReloadAfter(events, ratings.reload);
  return (
    <section class="card">
      <h2>Ratings</h2>
      <Loaded from={ratings}>
        {({ myApp }) => {
          const { totalCount, distribution, edges } = myApp?.ratings ?? {
            totalCount: 0,
            distribution: [],
            edges: [],
          };
          if (totalCount === 0) return <Empty>No ratings yet.</Empty>;
          return (
            <>
              <Distribution counts={distribution ?? []} />
              <ul class="plain rows">
                {edges.map(({ node }) => (
                  <RatingItem key={node.id} rating={node} />
                ))}
              </ul>
              {first < MOST_SHOWN && (
                <MoreButton
                  shown={edges.length}
                  total={totalCount}
                  isLoading={ratings.isLoading}
                  onMore={() => setFirst(MOST_SHOWN)}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

const Distribution = ({ counts }: { counts: readonly { rating: number; count: number }[] }) => {
  const most = Math.max(1, ...counts.map(({ count }) => count));
  return (
    <table class="star-counts">
      <caption class="hidden">Number of ratings for each number of stars</caption>
      <tbody>
        {counts.toReversed().map(({ rating, count }) => (
          <tr key={rating}>
            <th scope="row">{rating} ★</th>
            <td aria-hidden="true">
              <meter value={count} max={most} />
            </td>
            <td class="number">{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const RatingItem = ({ rating }: { rating: RatingData }) => (
  <li>
    <p class="row">
      <Stars rating={rating.rating} />
      {rating.title && <strong dir="auto">{rating.title}</strong>}
      <small>
        <span dir="auto">{rating.authorName ?? 'Anonymous'}</span>, <When at={rating.createdAt} />
      </small>
    </p>
    {rating.text && (
      <p class="written" dir="auto">
        {rating.text}
      </p>
    )}
    <Reply rating={rating} />
  </li>
);

function Reply({ rating }: { rating: RatingData }) {
  const [text, setText, clearDraft, isDraft] = useDraft(`reply:${rating.id}`, rating.reply ?? '');
  const [isWriting, setIsWriting] = useState(isDraft);
  const [reply, isReplying] = useChange(ReplyToRating);
  const { attempt, problems } = useAttempt();
  const send = async () => {
    const done = text.trim() ? 'Your reply is public.' : 'Your reply is removed.';
    if (!(await attempt(reply({ id: rating.id, text: text.trim() || null }), done))) return;
    clearDraft();
    setIsWriting(false);
  };
  if (!isWriting)
    return (
      <>
        {rating.reply && (
          <blockquote class="written" dir="auto">
            {rating.reply}
          </blockquote>
        )}
        <button type="button" class="link" onClick={() => setIsWriting(true)}>
          {rating.reply ? 'Change your reply' : 'Reply'}
        </button>
      </>
    );
  return (
    <FieldForm fields={['text']} problems={problems} onSubmit={send}>
      <TextField
        label="Your public reply"
        hint="Everybody can read it. Leave it empty to have no reply."
        lines={3}
        value={text}
        onChange={setText}
        problems={requestsAt(problems, 'text')}
      />
      <div class="row">
        <button type="submit" class="primary" disabled={isReplying}>
          {text.trim() || !rating.reply ? 'Publish the reply' : 'Remove the reply'}
        </button>
        <button
          type="button"
          onClick={() => {
            clearDraft();
            setIsWriting(false);
          }}
        >
          Cancel
        </button>
      </div>
    </FieldForm>
  );
}
