import type { ResultOf } from 'gql.tada';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useChange } from '../client/data.ts';
import { draftOf, useFormDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import { takeOpened, whenShown } from '../client/place.ts';
import { fieldProblems, type Problem, problemsBeside } from '../client/problems.ts';
import { session } from '../client/session.ts';
import { announce } from '../components/announcements.tsx';
import { Field } from '../components/field.tsx';
import { SignInDialog } from '../components/sign-in.tsx';
import { Problems } from '../components/status.tsx';
import { StarChoice } from './star-choice.tsx';

const RateApp = graphql(`
  mutation MarketRate($slug: String!, $input: RateAppInput!) {
    rateApp(slug: $slug, input: $input) { id rating authorName title text }
  }
`);

interface RatingValues {
  rating: number;
  authorName: string;
  title: string;
  text: string;
}

export type SentRating = ResultOf<typeof RateApp>['rateApp'];

interface RatingFormProps {
  app: { readonly slug: string };
  draft: ReturnType<typeof useRatingDraft>;
  /** Null if the person has not rated the app. */
  current: SentRating | null;
  /** True if the rating is written before the person signs in. */
  isSignedOut: boolean;
  onSent: (rating: SentRating) => void;
  /** Called when there is nothing left to send. */
  onClose: () => void;
}

/** A rating as the person writes it. */
export const useRatingDraft = (slug: string, current: SentRating | null) =>
  useFormDraft<RatingValues>(draftNameOf(slug), {
    rating: current?.rating ?? 0,
    authorName: (current ? current.authorName : accountName()) ?? '',
    title: current?.title ?? '',
    text: current?.text ?? '',
  });

const draftNameOf = (slug: string) => `rating:${slug}`;

function accountName(): string | null {
  const state = session.state.value;
  return state.kind === 'signed-out' ? null : state.account.name;
}

/** Writes or changes a rating. A new one begins with the stars alone; the rest follows once they are chosen. */
export function RatingForm({ app, draft, current, isSignedOut, onSent, onClose }: RatingFormProps) {
  const { values, changed, isChanged, change, clear } = draft;
  const isOpen = current !== null || isChanged;
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
    if (!isOpen) return;
    if (isSignedOut) return setIsSigningIn(true);
    const outcome = await rate({ slug: app.slug, input: values });
    setProblems(outcome.problems);
    if (!outcome.data) return;
    clear(values);
    announce(current ? 'Your rating is changed.' : 'Thank you. Your rating is published.');
    onSent(outcome.data.rateApp);
    if (!draftOf(draftNameOf(app.slug))) onClose();
  };
  const cancel = () => {
    clear();
    setProblems([]);
    onClose();
  };
  const bind = (field: 'authorName' | 'title' | 'text') => ({
    dir: 'auto' as const,
    value: values[field],
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      change({ [field]: value }),
  });
  return (
    <form onSubmit={submit}>
      <StarChoice value={values.rating} onChange={(stars) => change({ rating: stars })} />
      {isOpen && (
        <>
          {!isSignedOut && (
            <Field
              label="Display name (optional)"
              hint="It is shown with your rating; otherwise you appear as “Anonymous”."
              problems={fieldProblems(problems, 'authorName')}
            >
              {(attributes) => (
                <input {...attributes} {...bind('authorName')} maxLength={100} autocomplete="nickname" />
              )}
            </Field>
          )}
          <Field label="Headline (optional)" problems={fieldProblems(problems, 'title')}>
            {(attributes) => <input {...attributes} {...bind('title')} maxLength={120} />}
          </Field>
          <Field
            label="What do you think? (optional)"
            hint="At most 2,000 characters."
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
              disabled={isRating || (values.rating === 0 && !isSignedOut)}
            >
              {isSignedOut ? 'Sign in to rate' : current ? 'Change my rating' : 'Rate'}
            </button>
            <button type="button" onClick={cancel}>
              {changed.title || changed.text ? 'Discard the draft' : 'Cancel'}
            </button>
            {values.rating === 0 && !isSignedOut && <small>Choose a star rating first.</small>}
          </div>
        </>
      )}
      {isSigningIn && (
        <SignInDialog
          title="Sign in to rate"
          purpose={{ open: 'rate:', draft: draftNameOf(app.slug) }}
          onClose={() => setIsSigningIn(false)}
        />
      )}
    </form>
  );
}
