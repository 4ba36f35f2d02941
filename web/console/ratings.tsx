import type { ResultOf } from 'gql.tada';
import { useState } from 'preact/hooks';
import { useChange, useData } from '../client/data.ts';
import { useDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import { Disclosure } from '../components/disclosure.tsx';
import { Distribution } from '../components/distribution.tsx';
import { FieldForm, requestsAt } from '../components/field-form.tsx';
import { TextField, useAttempt } from '../components/form.tsx';
import { MoreButton } from '../components/more-button.tsx';
import { Stars } from '../components/stars.tsx';
import { Loaded, NothingYet } from '../components/status.tsx';
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
/** As many as the service lists at once. */
const MOST_READ = 100;
const FIRST_SHOWN = 10;

/** The ratings of an app, newest first, each with the developer's public reply. */
export function Ratings({ app, events }: { app: AppData; events: number }) {
  const ratings = useData(RatingsQuery, { id: app.id, first: MOST_READ });
  useReloadAfter(events, ratings.reload);
  return (
    <section class="card stack">
      <h2>Ratings</h2>
      <Loaded from={ratings}>
        {({ myApp }) =>
          myApp && myApp.ratings.totalCount > 0 ? (
            <>
              <Distribution counts={myApp.ratings.distribution ?? []} />
              <RatingList ratings={myApp.ratings.edges.map(({ node }) => node)} />
              {myApp.ratings.totalCount > MOST_READ && (
                <small>
                  These are the latest {MOST_READ} of {myApp.ratings.totalCount.toLocaleString('en')} ratings.
                </small>
              )}
            </>
          ) : (
            <NothingYet>No ratings yet.</NothingYet>
          )
        }
      </Loaded>
    </section>
  );
}

/** Those with a text first: somebody expects an answer. The others are one line. */
function RatingList({ ratings }: { ratings: readonly RatingData[] }) {
  const [isAllShown, setIsAllShown] = useState(false);
  const written = ratings.filter(isWritten);
  const silent = ratings.filter((rating) => !isWritten(rating));
  const shown = isAllShown ? written : written.slice(0, FIRST_SHOWN);
  return (
    <>
      {shown.length > 0 && <RatingItems ratings={shown} />}
      <MoreButton
        shown={shown.length}
        total={written.length}
        isLoading={false}
        onMore={() => setIsAllShown(true)}
      />
      {silent.length > 0 && (
        <Disclosure summary={`${silent.length} without text`}>
          {() => <RatingItems ratings={silent} />}
        </Disclosure>
      )}
    </>
  );
}

const isWritten = ({ title, text, reply }: RatingData) => Boolean(title || text || reply);

const RatingItems = ({ ratings }: { ratings: readonly RatingData[] }) => (
  <ul class="plain rows">
    {ratings.map((rating) => (
      <RatingItem key={rating.id} rating={rating} />
    ))}
  </ul>
);

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
  const [isWriting, setIsWriting] = useState(false);
  const [reply, isReplying] = useChange(ReplyToRating);
  const { attempt, problems } = useAttempt();
  const send = async () => {
    const done = text.trim() ? 'Your reply is public.' : 'Your reply is removed.';
    if (!(await attempt(reply({ id: rating.id, text: text.trim() || null }), done))) return;
    clearDraft(text);
    setIsWriting(false);
  };
  if (!isWriting && !isDraft)
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
