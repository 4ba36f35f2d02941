import type { Outcome } from '../client/data.ts';
import { useAttempt } from '../components/form.tsx';
import { Problems } from '../components/status.tsx';
import { ActionButton, type AllowedAction } from './action-button.tsx';
import { FieldLink } from './field-link.tsx';
import type { ListingFinding } from './listing-checks.ts';
import { QueuePlace, type QueuePlaceData } from './queue-place.tsx';
import type { Readiness } from './readiness.ts';

interface SubmissionProps {
  subject: { review: QueuePlaceData | null; allowedActions: readonly AllowedAction[] };
  readiness: Readiness;
  /** Withdraws the submission by this operation. */
  withdraw: { operation: string; isBusy: boolean; run: () => Promise<Outcome<unknown>> };
}

/** The next step of an app or version: what is missing, or the place in the queue. The save bar submits it. */
export function Submission({ subject, readiness, withdraw }: SubmissionProps) {
  const { attempt, problems } = useAttempt();
  const { isWaiting, errors, warnings, openReasons } = readiness;
  const canEdit = subject.allowedActions.some(({ action, allowed }) => allowed && /^update/.test(action));
  // The section about the rejection says which reasons are open.
  if (!isWaiting && openReasons > 0 && errors.length + warnings.length === 0) return null;
  return (
    <section class="card">
      <h2>{isWaiting ? 'In review' : 'Next step'}</h2>
      {isWaiting ? (
        <div class="stack">
          {subject.review && <QueuePlace place={subject.review} since="Submitted" usual="24 to 48 hours" />}
          {canEdit && (
            <p class="soft">
              You can still edit it: the reviewer sees every change that you save, and it keeps its place.
            </p>
          )}
          <ActionButton
            actions={subject.allowedActions}
            action={withdraw.operation}
            label="Withdraw"
            isBusy={withdraw.isBusy}
            confirm={{
              title: 'Withdraw the submission',
              text: (
                <p>
                  It leaves the queue. If you submit it again unchanged within seven days, it gets its place
                  back.
                </p>
              ),
            }}
            onRun={() => void attempt(withdraw.run(), 'The submission is withdrawn.')}
          />
          <Problems problems={problems} />
        </div>
      ) : (
        <Missing readiness={readiness} />
      )}
    </section>
  );
}

/** Lists what has to be fixed before a submission, and the warnings. */
const Missing = ({ readiness: { text, errors, warnings } }: { readiness: Readiness }) => (
  <div>
    <p>{errors.length > 0 ? 'Fix this before you submit:' : text}</p>
    <FindingList findings={errors} />
    {warnings.length > 0 && (
      <>
        <p class="soft">
          {warnings.length === 1 ? 'Reviewers see this warning too:' : 'Reviewers see these warnings too:'}
        </p>
        <FindingList findings={warnings} />
      </>
    )}
  </div>
);

const FindingList = ({ findings }: { findings: readonly ListingFinding[] }) =>
  findings.length > 0 ? (
    <ul class="missing">
      {findings.map(({ field, message }) => (
        <li key={field + message}>
          <FieldLink field={field} />: {message}
        </li>
      ))}
    </ul>
  ) : null;
