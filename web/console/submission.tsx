import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Outcome } from '../client/data.ts';
import { useAttempt } from '../components/form.tsx';
import { Problems } from '../components/status.tsx';
import { ActionButton, type AllowedAction } from './action-button.tsx';
import { labelOf } from './listing.ts';
import type { ListingEditing } from './listing-editing.ts';
import { QueuePlace, type QueuePlaceData } from './queue-place.tsx';
import { SubmitDialog } from './submit-dialog.tsx';

interface SubmissionProps {
  subject: {
    status: string;
    review: QueuePlaceData | null;
    allowedActions: readonly AllowedAction[];
    rejection: { reasons: readonly { addressed: boolean }[] } | null;
  };
  editing: ListingEditing;
  /** Names of the operations: those of an app or those of a version. */
  operations: { submit: string; withdraw: string };
  isBusy: boolean;
  onSubmit: () => Promise<Outcome<unknown>>;
  onWithdraw: () => Promise<Outcome<unknown>>;
  /** Further actions, such as deleting. */
  children: ComponentChildren;
}

/** The next step of an app or version: what is missing, the submission, and the place in the queue. */
export function Submission({
  subject,
  editing,
  operations,
  isBusy,
  onSubmit,
  onWithdraw,
  children,
}: SubmissionProps) {
  const { attempt, problems } = useAttempt();
  const obstacle = obstacleOf(
    editing,
    subject.allowedActions.find(({ action }) => action === operations.submit),
  );
  const isWaiting = subject.status === 'PENDING';
  const canEdit = subject.allowedActions.some(({ action, allowed }) => allowed && /^update/.test(action));
  const [isAsking, setIsAsking] = useState(false);
  const warnings = editing.findings.filter(({ severity }) => severity === 'WARNING');
  const submit = () => {
    setIsAsking(false);
    void attempt(onSubmit(), 'Submitted for review.');
  };
  const unticked = subject.rejection?.reasons.filter(({ addressed }) => !addressed).length ?? 0;
  return (
    <section class="card stack">
      <h2>{isWaiting ? 'In review' : 'Next step'}</h2>
      {isWaiting && subject.review && <QueuePlace place={subject.review} since="Submitted" />}
      {isWaiting && canEdit && (
        <p class="soft">
          You can still edit it: the reviewer sees every change that you save, and it keeps its place.
        </p>
      )}
      {!isWaiting && <Missing editing={editing} />}
      {isWaiting ? (
        <ActionButton
          actions={subject.allowedActions}
          action={operations.withdraw}
          label="Withdraw"
          isBusy={isBusy}
          confirm={{
            title: 'Withdraw the submission',
            text: (
              <p>
                It leaves the queue. If you submit it again unchanged within seven days, it gets its place
                back.
              </p>
            ),
          }}
          onRun={() => void attempt(onWithdraw(), 'The submission is withdrawn.')}
        />
      ) : (
        <ActionButton
          actions={subject.allowedActions}
          action={operations.submit}
          label="Submit for review"
          kind="primary"
          isBusy={isBusy}
          obstacle={obstacle}
          onRun={() => (unticked > 0 || warnings.length > 0 ? setIsAsking(true) : submit())}
        />
      )}
      {isAsking && (
        <SubmitDialog
          warnings={warnings}
          unticked={unticked}
          onClose={() => setIsAsking(false)}
          onSubmit={submit}
        />
      )}
      <Problems problems={problems} />
      <hr />
      {children}
    </section>
  );
}

/** The service only says that a listing is not ready; what is missing is listed above the button. */
function obstacleOf({ draft, findings }: ListingEditing, submit: AllowedAction | undefined): string | null {
  if (draft.changed.length > 0) return 'Save your changes first.';
  const hasErrors = findings.some(({ severity }) => severity === 'ERROR');
  return hasErrors && submit?.code === 'VALIDATION_FAILED' ? 'Fix what is listed above first.' : null;
}

/** Lists what has to be fixed before a submission. */
function Missing({ editing: { findings, isChecking } }: { editing: ListingEditing }) {
  const errors = findings.filter(({ severity }) => severity === 'ERROR');
  const warnings = findings.length - errors.length;
  return (
    <div>
      {errors.length > 0 && (
        <>
          <p>Fix this before you submit:</p>
          <ul class="missing">
            {errors.map(({ field, message }) => (
              <li key={field + message}>
                <strong>{labelOf(field)}:</strong> {message}
              </li>
            ))}
          </ul>
        </>
      )}
      {errors.length === 0 && (
        <p>{isChecking ? 'Checking pictures and links…' : 'The listing is complete.'}</p>
      )}
      {warnings > 0 && (
        <p class="soft">
          {warnings === 1 ? 'There is 1 warning' : `There are ${warnings} warnings`} beside the fields.
          Reviewers see them too.
        </p>
      )}
    </div>
  );
}
