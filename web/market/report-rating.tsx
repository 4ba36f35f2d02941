import { useState } from 'preact/hooks';
import { useChange } from '../client/data.ts';
import { useDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import { fieldProblems, type Problem, problemsBeside } from '../client/problems.ts';
import { session } from '../client/session.ts';
import { useSignal } from '../client/signal.ts';
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

/** Reports a rating to the administrators. */
export function ReportRating({ id }: { id: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const state = useSignal(session.state);
  const close = () => setIsOpen(false);
  return (
    <>
      <button type="button" class="link" onClick={() => setIsOpen(true)}>
        Report<span class="hidden"> this rating</span>
      </button>
      {isOpen && (
        <Dialog title="Report a rating" onClose={close}>
          {state.kind === 'signed-out' ? (
            <>
              <p>Sign in first, so that the administrators know that you are a person.</p>
              <SignInChoice />
              <div class="row end">
                <button type="button" onClick={close}>
                  Cancel
                </button>
              </div>
            </>
          ) : (
            <ReportForm id={id} onClose={close} />
          )}
        </Dialog>
      )}
    </>
  );
}

function ReportForm({ id, onClose }: { id: string; onClose: () => void }) {
  const [reason, setReason, clearReason] = useDraft(`report:${id}`, '');
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [report, isReporting] = useChange(Report);
  const submit = async (event: Event) => {
    event.preventDefault();
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
        hint="Only administrators read this."
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
      <div class="row end">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" class="primary" disabled={isReporting || reason.trim() === ''}>
          Report
        </button>
      </div>
    </form>
  );
}
