import { useId, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import type { Outcome } from '../client/data.ts';
import { useAttempt } from '../components/form.tsx';
import { Problems } from '../components/status.tsx';
import { fieldLabels } from './listing.ts';
import { preventsSaving } from './listing-checks.ts';
import type { ListingEditing } from './listing-editing.ts';
import { LISTING_FORM } from './listing-editor.tsx';
import type { Readiness } from './readiness.ts';
import { SubmitDialog } from './submit-dialog.tsx';

/** The submission of an app or of a version. */
export interface Submit {
  /** Name of the operation, such as `submitApp`. */
  readonly operation: string;
  readonly isBusy: boolean;
  readonly run: () => Promise<Outcome<unknown>>;
}

interface SaveBarProps {
  editing: ListingEditing;
  readiness: Readiness;
  submit: Submit;
}

/** The bar at the bottom of the window: the state of the listing, Save, and Submit with its reason if it is disabled. */
export function SaveBar({ editing, readiness, submit }: SaveBarProps) {
  const { draft, isSaving } = editing;
  const { attempt, problems } = useAttempt();
  const [isAsking, setIsAsking] = useState(false);
  const [, setSearch] = useSearchParams();
  const stateId = useId();
  const isDirty = draft.changed.length > 0;
  const { canSubmit, isWaiting, warnings, openReasons } = readiness;
  const run = async () => {
    setIsAsking(false);
    const submitted = await attempt(submit.run(), 'Submitted for review.');
    if (!submitted) return;
    // The state and the place in the queue are at the top of the page with the editor.
    setSearch({}, { replace: true });
    scrollTo({ top: 0 });
  };
  return (
    <div class="save-bar card">
      <Problems problems={[...editing.problems, ...problems]} />
      <p role="status" id={stateId}>
        {isDirty ? <NotSaved editing={editing} isWaiting={isWaiting} /> : `Saved. ${readiness.text}`}
      </p>
      <div class="row">
        {isDirty && (
          <button type="button" onClick={draft.discard}>
            Discard the changes
          </button>
        )}
        <button
          type="submit"
          form={LISTING_FORM}
          class="primary"
          disabled={!isDirty || isSaving || draft.foreign.length > 0}
        >
          Save
        </button>
        {!isWaiting && (
          <button
            type="button"
            // The next step has the accent.
            class={openReasons === 0 ? 'primary' : ''}
            disabled={!canSubmit || submit.isBusy}
            aria-describedby={stateId}
            onClick={() => setIsAsking(true)}
          >
            Submit for review
          </button>
        )}
      </div>
      {isAsking && (
        <SubmitDialog
          isVersion={submit.operation === 'submitAppVersion'}
          warnings={warnings}
          openReasons={openReasons}
          onClose={() => setIsAsking(false)}
          onSubmit={() => void run()}
        />
      )}
    </div>
  );
}

function NotSaved({
  editing: { draft, findings },
  isWaiting,
}: {
  editing: ListingEditing;
  isWaiting: boolean;
}) {
  const hasMistakes = findings.some(
    (finding) => preventsSaving(finding) && draft.changed.some((field) => finding.field.startsWith(field)),
  );
  const kept = `Your text is kept in this browser${isWaiting ? '' : '; save it before you submit'}.`;
  return (
    <>
      <strong>Not saved:</strong> {draft.changed.map((field) => fieldLabels[field]).join(', ')}.{' '}
      <small>{hasMistakes ? 'Correct what is marked.' : kept}</small>
    </>
  );
}
