import { useEffect, useRef, useState } from 'preact/hooks';
import { useChange, useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import type { Problem } from '../client/problems.ts';
import { session } from '../client/session.ts';
import { pathOf } from '../client/settings.ts';
import { Signal, useSignal } from '../client/signal.ts';
import { announce } from '../components/announcements.tsx';
import { Confirm } from '../components/dialog.tsx';
import { Stars } from '../components/stars.tsx';
import { Loaded, Problems } from '../components/status.tsx';
import { RatingForm, type SentRating, useRatingDraft } from './rating-form.tsx';

const MyRatingOf = graphql(`
  query MarketMyRating($slug: String!) {
    myRating(slug: $slug) { id rating authorName title text }
    viewer { developer { id } }
  }
`);

const RemoveRating = graphql(`
  mutation MarketRemoveRating($slug: String!) {
    removeRating(slug: $slug) { id }
  }
`);

interface OwnRatingProps {
  app: {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    readonly developer: { readonly id: string };
  };
  onChanged: () => void;
}

interface RatingStateProps {
  app: OwnRatingProps['app'];
  /** Null if the person has not rated the app. */
  current: SentRating | null;
  isSignedOut?: boolean;
  onSent: (rating: SentRating) => void;
  onRemoved: () => void;
  /** Called when the element with the focus goes: the heading takes it. */
  onClose: () => void;
}

/** Id of the person's rating of the app that is shown; null if there is none, or if it is not known. */
export const ownRatingId = new Signal<string | null>(null);

/** The person's own rating: write it, sign in, change it, remove it. */
export function OwnRating(props: OwnRatingProps) {
  const state = useSignal(session.state);
  const heading = useRef<HTMLHeadingElement>(null);
  const onClose = () => heading.current?.focus();
  return (
    <section class="own-rating" aria-labelledby="own-rating">
      <h3 id="own-rating" tabIndex={-1} ref={heading}>
        Your rating
      </h3>
      {state.kind === 'signed-out' ? (
        <RatingState
          app={props.app}
          current={null}
          isSignedOut
          onSent={props.onChanged}
          onRemoved={props.onChanged}
          onClose={onClose}
        />
      ) : (
        <MyRating {...props} onClose={onClose} />
      )}
    </section>
  );
}

function MyRating({ app, onChanged, onClose }: OwnRatingProps & { onClose: () => void }) {
  const mine = useData(MyRatingOf, { slug: app.slug });
  /** The rating that this page sent last: null if it removed the rating, undefined if it has sent nothing. */
  const [sent, setSent] = useState<SentRating | null>();
  useEffect(() => setSent(undefined), [mine.data]);
  // Without a rating the service answers NOT_FOUND or null.
  const problems = mine.problems.filter(({ code }) => code !== 'NOT_FOUND');
  const data =
    mine.data ??
    (mine.problems.length > 0 && problems.length === 0 ? { myRating: null, viewer: null } : undefined);
  const current = (sent === undefined ? data?.myRating : sent) ?? null;
  const id = current?.id ?? null;
  useEffect(() => {
    ownRatingId.value = id;
    return () => {
      ownRatingId.value = null;
    };
  }, [id]);
  const changed = (rating: SentRating | null) => {
    setSent(rating);
    mine.reload();
    onChanged();
  };
  return (
    <Loaded from={{ ...mine, data, problems }}>
      {({ viewer }) =>
        viewer?.developer?.id === app.developer.id ? (
          <p>
            This is your own app, which only others can rate. You can{' '}
            <a href={pathOf(`/console/apps/${app.id}/analytics`)}>reply to their ratings</a>.
          </p>
        ) : (
          <RatingState
            app={app}
            current={current}
            onSent={changed}
            onRemoved={() => changed(null)}
            onClose={onClose}
          />
        )
      }
    </Loaded>
  );
}

/** The rating with what can be done about it, or the form while it is written or changed. */
function RatingState({ app, current, isSignedOut = false, onSent, onRemoved, onClose }: RatingStateProps) {
  const draft = useRatingDraft(app.slug, current);
  const [isEditing, setIsEditing] = useState(false);
  const close = () => {
    setIsEditing(false);
    onClose();
  };
  const edit = () => {
    setIsEditing(true);
    onClose();
  };
  const removed = () => {
    onRemoved();
    close();
  };
  if (current && !isEditing && !draft.isChanged)
    return (
      <div class="my-rating">
        <Stars rating={current.rating} />
        {current.title && <strong dir="auto">{current.title}</strong>}
        {current.text && (
          <p class="my-rating-text" dir="auto">
            {current.text}
          </p>
        )}
        <div class="row">
          <button type="button" onClick={edit}>
            Edit<span class="hidden"> my rating</span>
          </button>
          <Remove app={app} onRemoved={removed} />
        </div>
      </div>
    );
  return <RatingForm {...{ app, draft, current, isSignedOut, onSent }} onClose={close} />;
}

function Remove({ app, onRemoved }: Pick<RatingStateProps, 'app' | 'onRemoved'>) {
  const [isAsking, setIsAsking] = useState(false);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [remove] = useChange(RemoveRating);
  const confirm = async () => {
    setIsAsking(false);
    const outcome = await remove({ slug: app.slug });
    setProblems(outcome.problems);
    if (!outcome.data) return;
    announce('Your rating is removed.');
    onRemoved();
  };
  return (
    <>
      <button type="button" onClick={() => setIsAsking(true)}>
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
