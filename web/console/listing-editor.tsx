import { useEffect, useRef } from 'preact/hooks';
import { Changes } from '../components/changes.tsx';
import { Problems } from '../components/status.tsx';
import { useDeveloper } from './developer.tsx';
import { fieldLabels } from './listing.ts';
import { preventsSaving } from './listing-checks.ts';
import type { ListingDraft } from './listing-draft.ts';
import type { ListingEditing } from './listing-editing.ts';
import { ListingForm } from './listing-form.tsx';

interface ListingEditorProps {
  editing: ListingEditing;
  disabled: boolean;
  /** True if it waits for a review. */
  isInReview: boolean;
  /** True if the service would take a submission now. */
  canSubmit: boolean;
}

/** The editor of a listing. Everything is saved on request; until then the browser keeps it. */
export function ListingEditor({ editing, disabled, isInReview, canSubmit }: ListingEditorProps) {
  const { draft, findings, sizes, onMeasured, save } = editing;
  const form = useEditorForm(editing.failure);
  return (
    <form
      ref={form}
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {draft.foreign.length > 0 && <Conflict draft={draft} />}
      <ListingForm
        listing={draft.listing}
        findings={findings}
        sizes={sizes}
        disabled={disabled}
        onChange={draft.change}
        onMeasured={onMeasured}
      />
      {!disabled && <SaveBar editing={editing} isInReview={isInReview} canSubmit={canSubmit} />}
    </form>
  );
}

/** Returns the form: Ctrl+S saves it, and after a failed attempt the first field with a mistake gets the focus. */
function useEditorForm(failure: object) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      form.current?.querySelector<HTMLElement>('.save-bar [type="submit"]')?.click();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const first = useRef(failure);
  useEffect(() => {
    if (failure !== first.current) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [failure]);
  return form;
}

type SaveBarProps = Omit<ListingEditorProps, 'disabled'>;

function SaveBar({ editing, isInReview, canSubmit }: SaveBarProps) {
  const { draft, isSaving, problems, findings } = editing;
  const isVerified = useDeveloper().status === 'VERIFIED';
  const isDirty = draft.changed.length > 0;
  const hasMistakes = findings.some(
    (finding) => preventsSaving(finding) && draft.changed.some((field) => finding.field.startsWith(field)),
  );
  return (
    <div class="save-bar card">
      <Problems problems={problems} />
      <div class="row">
        <button type="submit" class="primary" disabled={!isDirty || isSaving || draft.foreign.length > 0}>
          Save
        </button>
        {isDirty && (
          <button type="button" onClick={draft.discard}>
            Discard the changes
          </button>
        )}
        <span role="status">
          {isDirty ? (
            <>
              <strong>Not saved:</strong> {draft.changed.map((field) => fieldLabels[field]).join(', ')}.{' '}
              <small>{hasMistakes ? 'Correct what is marked.' : 'Your text is kept in this browser.'}</small>
            </>
          ) : (
            `Saved. ${nextStep(editing, { isInReview, canSubmit, isVerified })}`
          )}
        </span>
      </div>
    </div>
  );
}

interface Standing {
  isInReview: boolean;
  canSubmit: boolean;
  isVerified: boolean;
}

/** Returns what a saved listing needs before it can be submitted. */
function nextStep({ isChecking, findings }: ListingEditing, standing: Standing): string {
  if (isChecking) return 'Checking pictures and links…';
  const errors = findings.filter(({ severity }) => severity === 'ERROR').length;
  if (errors > 0) return `${errors} ${errors === 1 ? 'thing' : 'things'} to fix before you submit.`;
  if (standing.isInReview) return 'This is what the reviewer sees.';
  if (!standing.isVerified) return 'You can submit it when your account is verified.';
  return standing.canSubmit ? 'Ready to submit.' : '';
}

/** Somebody else has saved meanwhile: shows what, and lets the person decide. */
const Conflict = ({ draft }: { draft: ListingDraft }) => (
  <section class="note warn" role="alert">
    <h2>The listing was changed elsewhere while you were writing</h2>
    <Changes changes={draft.foreign} />
    <p>
      You have not saved: {draft.changed.map((field) => fieldLabels[field]).join(', ')}. If you keep your
      changes, all other fields become what they are now; nothing is saved yet.
    </p>
    <div class="row">
      <button type="button" class="primary" onClick={draft.merge}>
        Keep my changes
      </button>
      <button type="button" onClick={draft.discard}>
        Discard my changes
      </button>
    </div>
  </section>
);
