import { useEffect, useRef } from 'preact/hooks';
import { Changes } from '../components/changes.tsx';
import { fieldLabels } from './listing.ts';
import type { ListingDraft } from './listing-draft.ts';
import type { ListingEditing } from './listing-editing.ts';
import { ListingForm, type ReviewReason } from './listing-form.tsx';
import { ListingPreview } from './listing-preview.tsx';

/** The id of the form, for the buttons of the save bar, which are outside of it. */
export const LISTING_FORM = 'listing';

interface ListingEditorProps {
  editing: ListingEditing;
  /** The open reasons of the last rejection. */
  reasons: readonly ReviewReason[];
  /** True to see the listing as people will see it. */
  isPreview: boolean;
}

/** The editor of a listing, or its preview. Everything is saved on request; until then the browser keeps it. */
export function ListingEditor({ editing, reasons, isPreview }: ListingEditorProps) {
  const { draft, findings, sizes, onMeasured, save } = editing;
  const form = useEditorForm(editing.failure);
  return (
    <form
      id={LISTING_FORM}
      ref={form}
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {draft.foreign.length > 0 && <Conflict draft={draft} />}
      {isPreview ? (
        <ListingPreview listing={draft.listing} />
      ) : (
        <ListingForm
          listing={draft.listing}
          findings={findings}
          reasons={reasons}
          sizes={sizes}
          onChange={draft.change}
          onMeasured={onMeasured}
        />
      )}
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
      document.querySelector<HTMLElement>(`[type="submit"][form="${LISTING_FORM}"]`)?.click();
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
