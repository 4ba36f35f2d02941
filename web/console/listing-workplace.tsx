import type { ComponentChildren } from 'preact';
import { useSearchParams } from 'wouter-preact';
import { inPlainWords } from '../client/words.ts';
import type { AllowedAction } from './action-button.tsx';
import { type ListingData, listingOf } from './listing.ts';
import { type ListingEditing, type SaveListing, useListingEditing } from './listing-editing.ts';
import { ListingEditor } from './listing-editor.tsx';
import { ListingContents } from './listing-preview.tsx';
import { openReasonsOf, type Readiness, readinessOf, type SubmissionSubject } from './readiness.ts';
import { SaveBar, type Submit } from './save-bar.tsx';

interface ListingWorkplaceProps {
  data: ListingData & SubmissionSubject;
  /** The permission to edit. */
  edit: AllowedAction | undefined;
  save: SaveListing;
  submit: Submit;
  /** Says why nothing can be edited; null where something beside it says so. */
  reason: string | null;
  /** The next steps, beside the editor, and above it on narrow screens. */
  steps: (readiness: Readiness) => ComponentChildren;
  /** Parts that are needed less often, below the steps, and below the editor on narrow screens. */
  further: (editing: ListingEditing) => ComponentChildren;
}

/** The editor of an app or version, or its preview; beside it everything about its review. */
export function ListingWorkplace(props: ListingWorkplaceProps) {
  const { data, edit, submit, reason, save, steps, further } = props;
  const editing = useListingEditing(data, save);
  const readiness = readinessOf(editing, data, submit.operation);
  const [search] = useSearchParams();
  const isPreview = search.get('view') === 'preview';
  const canEdit = edit?.allowed ?? false;
  return (
    // The bar is outside of the columns, so that it stays in view beside all of them.
    <div class="stack">
      <div class={canEdit && isPreview ? 'split previewing' : 'split'}>
        <div class="stack steps">{steps(readiness)}</div>
        <div class="stack main">
          {canEdit ? (
            <>
              <Views isPreview={isPreview} />
              <ListingEditor editing={editing} reasons={openReasonsOf(data)} isPreview={isPreview} />
            </>
          ) : (
            <>
              {reason && <p class="note">{inPlainWords(reason)}</p>}
              <ListingContents listing={listingOf(data)} />
            </>
          )}
        </div>
        <aside class="stack" aria-label="Messages and history">
          {further(editing)}
        </aside>
      </div>
      {canEdit && <SaveBar editing={editing} readiness={readiness} submit={submit} />}
    </div>
  );
}

/** The choice between the editor and the preview; it is in the address. */
function Views({ isPreview }: { isPreview: boolean }) {
  const [, setSearch] = useSearchParams();
  return (
    <fieldset class="row views">
      <legend class="hidden">View</legend>
      {(['edit', 'preview'] as const).map((view) => (
        <button
          key={view}
          type="button"
          aria-pressed={isPreview === (view === 'preview')}
          onClick={() => setSearch(view === 'preview' ? { view } : {}, { replace: true })}
        >
          {view === 'edit' ? 'Edit' : 'Preview in the marketplace'}
        </button>
      ))}
    </fieldset>
  );
}
