import type { ResultOf } from 'gql.tada';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useChange, useData } from '../client/data.ts';
import { useDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import { takeOpened, whenShown } from '../client/place.ts';
import { fieldProblems, type Problem, problemsBeside } from '../client/problems.ts';
import { session } from '../client/session.ts';
import { Signal, useSignal } from '../client/signal.ts';
import { announce } from '../components/announcements.tsx';
import { Confirm } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { SignInDialog } from '../components/sign-in.tsx';
import { Loaded, Problems } from '../components/status.tsx';
import { StarChoice } from './star-choice.tsx';

const MyRating = graphql(`
  query MarketMyRating($slug: String!) {
    myRating(slug: $slug) { id rating authorName title text }
  }
`);

const RateApp = graphql(`
  mutation MarketRate($slug: String!, $input: RateAppInput!) {
    rateApp(slug: $slug, input: $input) { id rating authorName title text }
  }
`);

const RemoveRating = graphql(`
  mutation MarketRemoveRating($slug: String!) {
    removeRating(slug: $slug) { id }
  }
`);

type MyRatingResult = NonNullable<ResultOf<typeof MyRating>['myRating']>;

interface OwnRatingProps {
  app: { readonly slug: string; readonly name: string };
  onChanged: () => void;
}

/** Id of the person's rating of the app that is shown; null if there is none, or if it is not known. */
export const ownRatingId = new Signal<string | null>(null);

/** The person's own rating: write it, sign in, change it, remove it. */
export function OwnRating(props: OwnRatingProps) {
  const state = useSignal(session.state);
  return (
    <section class="own-rating" aria-labelledby="own-rating">
      <h3 id="own-rating">Your rating</h3>
      {state.kind === 'signed-out' ? (
        <RatingForm {...props} current={null} isSignedOut />
      ) : (
        <MyRatingForm {...props} />
      )}
    </section>
  );
}

function MyRatingForm({ app, onChanged }: OwnRatingProps) {
  const mine = useData(MyRating, { slug: app.slug });
  // Without a rating the service answers NOT_FOUND or null.
  const problems = mine.problems.filter(({ code }) => code !== 'NOT_FOUND');
  const data =
    mine.data ?? (mine.problems.length > 0 && problems.length === 0 ? { myRating: null } : undefined);
  const id = data?.myRating?.id ?? null;
  useEffect(() => {
    ownRatingId.value = id;
    return () => {
      ownRatingId.value = null;
    };
  }, [id]);
  return (
    <Loaded from={{ ...mine, data, problems }}>
      {({ myRating }) => (
        <RatingForm
          app={app}
          current={myRating}
          onChanged={() => {
            mine.reload();
            onChanged();
          }}
        />
      )}
    </Loaded>
  );
}

interface RatingFormProps extends OwnRatingProps {
  /** Null if the person has not rated the app. */
  current: MyRatingResult | null;
  /** True if the rating is written before the person signs in. */
  isSignedOut?: boolean;
}

interface RatingValues {
  rating: number;
  authorName: string;
  title: string;
  text: string;
}

function accountName(): string | null {
  const state = session.state.value;
  return state.kind === 'signed-out' ? null : state.account.name;
}

function RatingForm({ app, current, isSignedOut = false, onChanged }: RatingFormProps) {
  const { rating = 0, authorName, title, text } = current ?? {};
  const saved: RatingValues = {
    rating,
    authorName: (current ? authorName : accountName()) ?? '',
    title: title ?? '',
    text: text ?? '',
  };
  const draftName = `rating:${app.slug}`;
  const [changed, setChanged, clearDraft, isDraft] = useDraft<Partial<RatingValues>>(draftName, {});
  const draft = { ...saved, ...changed };
  const change = (part: Partial<RatingValues>) => setChanged({ ...changed, ...part });
  const [isSigningIn, setIsSigningIn] = useState(false);
  const send = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The person has signed in to send this.
    if (!isSignedOut && takeOpened('rate') !== null)
      whenShown(() => send.current?.focus({ preventScroll: true }));
  }, [isSignedOut]);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [rate, isRating] = useChange(RateApp);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isSignedOut) return setIsSigningIn(true);
    const outcome = await rate({ slug: app.slug, input: draft });
    setProblems(outcome.problems);
    if (!outcome.data) return;
    clearDraft();
    announce(current ? 'Your rating is changed.' : 'Thank you. Your rating is published.');
    onChanged();
  };
  const bind = (field: 'authorName' | 'title' | 'text') => ({
    dir: 'auto' as const,
    value: draft[field],
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      change({ [field]: value }),
  });
  return (
    <form onSubmit={submit}>
      <StarChoice value={draft.rating} onChange={(stars) => change({ rating: stars })} />
      {!isSignedOut && (
        <Field
          label="Display name"
          hint="Optional. It is shown with your rating; otherwise you appear as “Anonymous”."
          problems={fieldProblems(problems, 'authorName')}
        >
          {(attributes) => (
            <input {...attributes} {...bind('authorName')} maxLength={100} autocomplete="nickname" />
          )}
        </Field>
      )}
      <Field label="Headline" hint="Optional." problems={fieldProblems(problems, 'title')}>
        {(attributes) => <input {...attributes} {...bind('title')} maxLength={120} />}
      </Field>
      <Field
        label="What do you think?"
        hint="Optional, at most 2,000 characters."
        problems={fieldProblems(problems, 'text')}
      >
        {(attributes) => <textarea {...attributes} {...bind('text')} maxLength={2000} rows={4} />}
      </Field>
      <Problems problems={problemsBeside(problems, ['authorName', 'title', 'text'])} />
      <div class="row">
        <button
          type="submit"
          class="primary"
          ref={send}
          disabled={isRating || (draft.rating === 0 && !isSignedOut)}
        >
          {isSignedOut ? 'Sign in to rate' : current ? 'Change my rating' : 'Rate'}
        </button>
        {draft.rating === 0 && !isSignedOut && <small>Choose a star rating first.</small>}
        {isDraft && (
          <button type="button" onClick={clearDraft}>
            Discard the draft
          </button>
        )}
        {current && <Remove app={app} onChanged={onChanged} />}
      </div>
      {isSigningIn && (
        <SignInDialog
          title="Sign in to rate"
          purpose={{ open: 'rate:', draft: draftName }}
          onClose={() => setIsSigningIn(false)}
        />
      )}
    </form>
  );
}

function Remove({ app, onChanged }: OwnRatingProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [remove] = useChange(RemoveRating);
  const confirm = async () => {
    setIsAsking(false);
    const outcome = await remove({ slug: app.slug });
    setProblems(outcome.problems);
    if (!outcome.data) return;
    announce('Your rating is removed.');
    onChanged();
  };
  return (
    <>
      <button type="button" class="danger" onClick={() => setIsAsking(true)}>
        Remove
      </button>
      <Problems problems={problems} />
      {isAsking && (
        <Confirm
          title={`Remove your rating of ${app.name}?`}
          action="Remove my rating"
          isDangerous
          onConfirm={confirm}
          onClose={() => setIsAsking(false)}
        >
          <p>The developer’s reply to it is removed too.</p>
        </Confirm>
      )}
    </>
  );
}
