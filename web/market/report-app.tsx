import { useState } from 'preact/hooks';
import { useChange } from '../client/data.ts';
import { useDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import { takeOpened } from '../client/place.ts';
import { fieldProblems, type Problem, problemsBeside } from '../client/problems.ts';
import { session } from '../client/session.ts';
import { useSignal } from '../client/signal.ts';
import { announce } from '../components/announcements.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { SignInChoice } from '../components/sign-in.tsx';
import { Problems } from '../components/status.tsx';

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
          <ReportForm slug={slug} onClose={() => setIsOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

const nothing: { reason: Reason | ''; text: string } = { reason: '', text: '' };

function ReportForm({ slug, onClose }: { slug: string; onClose: () => void }) {
  const name = `report-app:${slug}`;
  const isSignedOut = useSignal(session.state).kind === 'signed-out';
  const [isSigningIn, setIsSigningIn] = useState(false);
  const [{ reason, text }, setDraft, clearDraft] = useDraft(name, nothing);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [report, isReporting] = useChange(Report);
  const isComplete = reason !== '' && (reason !== 'OTHER' || text.trim() !== '');
  const submit = async (event: Event) => {
    event.preventDefault();
    if (reason === '') return;
    if (isSignedOut) return setIsSigningIn(true);
    const outcome = await report({ slug, reason, text });
    setProblems(outcome.problems);
    if (!outcome.data) return;
    clearDraft();
    announce('Thank you. The administrators will look at it.');
    onClose();
  };
  return (
    <form onSubmit={submit}>
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
        label="Details"
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
      <Problems problems={problemsBeside(problems, ['reason', 'text'])} />
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
          <button type="submit" class="primary" disabled={isReporting || !isComplete}>
            {isSignedOut ? 'Sign in to report' : 'Report'}
          </button>
        )}
      </div>
    </form>
  );
}
