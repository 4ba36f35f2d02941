import { useState } from 'preact/hooks';
import { useChange } from '../client/data.ts';
import { useDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import { takeOpened } from '../client/place.ts';
import { fieldProblems } from '../client/problems.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { ReportForm } from './report-form.tsx';

const Report = graphql(`
  mutation MarketReportApp($slug: String!, $reason: AppReportReason!, $text: String) {
    reportApp(slug: $slug, reason: $reason, text: $text) { createdAt }
  }
`);

type Reason = ReturnType<typeof graphql.scalar<'AppReportReason'>>;

const REASONS: Record<Reason, string> = {
  MISLEADING: 'It does not do what it says',
  BROKEN: 'It does not work',
  HARMFUL: 'It is harmful, offensive or unlawful',
  COPY: 'It copies or imitates another app',
  SPAM: 'It is an advertisement',
  OTHER: 'Something else',
};

/** Reports an app to the administrators. Signing in returns to the open dialog and its text. */
export function ReportApp({ slug, name }: { slug: string; name: string }) {
  const [isOpen, setIsOpen] = useState(() => takeOpened('report-app') === slug);
  return (
    <>
      <button type="button" class="link" onClick={() => setIsOpen(true)}>
        Report this app
      </button>
      {isOpen && (
        <Dialog title={`Report ${name}`} onClose={() => setIsOpen(false)}>
          <AppReportForm slug={slug} onClose={() => setIsOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

const nothing: { reason: Reason | ''; text: string } = { reason: '', text: '' };

function AppReportForm({ slug, onClose }: { slug: string; onClose: () => void }) {
  const name = `report-app:${slug}`;
  const [{ reason, text }, setDraft, clearDraft] = useDraft(name, nothing);
  const [report, isSending] = useChange(Report);
  const lacksDetails = reason === 'OTHER' && !text.trim();
  const missing = reason === '' ? 'Choose a reason first.' : lacksDetails ? 'Describe it first.' : null;
  // The form is sent only if it is complete.
  const send = () => report({ slug, reason: reason || 'OTHER', text });
  return (
    <ReportForm {...{ name, fields: ['reason', 'text'], missing, isSending, send, clearDraft, onClose }}>
      {(problems) => (
        <>
          <Field label="What is wrong with it?" problems={fieldProblems(problems, 'reason')}>
            {(attributes) => (
              <select
                {...attributes}
                required
                value={reason}
                onChange={({ currentTarget: { value } }) => setDraft({ reason: value as Reason, text })}
              >
                <option value="">Choose a reason</option>
                {Object.entries(REASONS).map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field
            label={reason === 'OTHER' ? 'Details' : 'Details (optional)'}
            hint="Only the marketplace team can read this."
            problems={fieldProblems(problems, 'text')}
          >
            {(attributes) => (
              <textarea
                {...attributes}
                dir="auto"
                required={reason === 'OTHER'}
                maxLength={2000}
                value={text}
                onInput={({ currentTarget: { value } }) => setDraft({ reason, text: value })}
              />
            )}
          </Field>
        </>
      )}
    </ReportForm>
  );
}
