import { useEffect, useState } from 'preact/hooks';
import { useChange } from '../client/data.ts';
import { useDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import { takeOpened } from '../client/place.ts';
import { fieldProblems, type Problem, problemsBeside } from '../client/problems.ts';
import { session } from '../client/session.ts';
import { Signal, useSignal } from '../client/signal.ts';
import { announce } from '../components/announcements.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { SignInChoice } from '../components/sign-in.tsx';
import { Problems } from '../components/status.tsx';

const Report = graphql(`
  mutation MarketReportRating($id: ID!, $reason: String!) {
    reportRating(id: $id, reason: $reason) { createdAt }
  }
`);

/** The rating that the person is reporting; null if there is none. */
const reported = new Signal<string | null>(null);

/** Opens the report of a rating. */
export const ReportButton = ({ id }: { id: string }) => (
  <button type="button" class="link" onClick={() => (reported.value = id)}>
    Report<span class="hidden"> this rating</span>
  </button>
);

/** Reports a rating to the administrators. It does not depend on the list, which signing in reads again. */
export function ReportDialog() {
  const id = useSignal(reported);
  useEffect(() => {
    reported.value = takeOpened('report');
    return () => {
      reported.value = null;
    };
  }, []);
  if (id === null) return null;
  const close = () => {
    reported.value = null;
  };
  return (
    <Dialog title="Report a rating" onClose={close}>
      <ReportForm key={id} id={id} onClose={close} />
    </Dialog>
  );
}

function ReportForm({ id, onClose }: { id: string; onClose: () => void }) {
  const name = `report:${id}`;
  const isSignedOut = useSignal(session.state).kind === 'signed-out';
  const [isSigningIn, setIsSigningIn] = useState(false);
  const [reason, setReason, clearReason] = useDraft(name, '');
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [report, isReporting] = useChange(Report);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isSignedOut) return setIsSigningIn(true);
    const outcome = await report({ id, reason });
    setProblems(outcome.problems);
    if (!outcome.data) return;
    clearReason();
    announce('Thank you. The administrators will look at it.');
    onClose();
  };
  return (
    <form onSubmit={submit}>
      <Field
        label="Why should it be hidden?"
        hint="Only the marketplace team can read this."
        problems={fieldProblems(problems, 'reason')}
      >
        {(attributes) => (
          <textarea
            {...attributes}
            dir="auto"
            required
            maxLength={2000}
            value={reason}
            onInput={({ currentTarget: { value } }) => setReason(value)}
          />
        )}
      </Field>
      <Problems problems={problemsBeside(problems, ['reason'])} />
      {isSigningIn && isSignedOut && (
        <section class="stack" aria-label="Sign in">
          <p class="note">Sign in to send the report. Your text is kept.</p>
          <SignInChoice purpose={{ open: name, draft: name }} />
        </section>
      )}
      <div class="row end">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        {!(isSigningIn && isSignedOut) && (
          <button type="submit" class="primary" disabled={isReporting || reason.trim() === ''}>
            {isSignedOut ? 'Sign in to report' : 'Report'}
          </button>
        )}
      </div>
    </form>
  );
}
