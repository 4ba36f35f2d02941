import { useEffect } from 'preact/hooks';
import { useChange } from '../client/data.ts';
import { useDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import { takeOpened } from '../client/place.ts';
import { fieldProblems } from '../client/problems.ts';
import { Signal, useSignal } from '../client/signal.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { ReportForm } from './report-form.tsx';

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
      <RatingReportForm key={id} id={id} onClose={close} />
    </Dialog>
  );
}

function RatingReportForm({ id, onClose }: { id: string; onClose: () => void }) {
  const name = `report:${id}`;
  const [reason, setReason, clearDraft] = useDraft(name, '');
  const [report, isSending] = useChange(Report);
  const missing = reason.trim() ? null : 'Write why first.';
  const send = () => report({ id, reason });
  return (
    <ReportForm {...{ name, fields: ['reason'], missing, isSending, send, clearDraft, onClose }}>
      {(problems) => (
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
      )}
    </ReportForm>
  );
}
