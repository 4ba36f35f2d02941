import type { ComponentChildren } from 'preact';
import { useSearchParams } from 'wouter-preact';
import { inPlainWords } from '../client/words.ts';
import type { AllowedAction } from './action-button.tsx';
import { type ListingData, listingOf } from './listing.ts';
import { type ListingEditing, type SaveListing, useListingEditing } from './listing-editing.ts';
import { ListingEditor } from './listing-editor.tsx';
import { ListingPreview } from './listing-preview.tsx';

interface ListingWorkplaceProps {
  data: ListingData;
  /** The permission to edit. */
  edit: AllowedAction | undefined;
  save: SaveListing;
  /** True if it waits for a review. */
  isInReview: boolean;
  /** The permission to submit. */
  submit: AllowedAction | undefined;
  /** Says why nothing can be edited; null where something beside it says so. */
  reason: string | null;
  /** The next steps, beside the editor, and above it on narrow screens. */
  steps: (editing: ListingEditing) => ComponentChildren;
  /** Parts that are needed less often, below the steps, and below the editor on narrow screens. */
  further: ComponentChildren;
}

/** The editor of an app or version, or its preview; beside it everything about its review. */
export function ListingWorkplace(props: ListingWorkplaceProps) {
  const { data, edit, submit, reason, save, isInReview, steps, further } = props;
  const editing = useListingEditing(data, save);
  const [search, setSearch] = useSearchParams();
  const isPreview = search.get('view') === 'preview';
  const canEdit = edit?.allowed ?? false;
  return (
    <div class="split">
      <div class="stack steps">{steps(editing)}</div>
      <div class="stack main">
        {canEdit ? (
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
        ) : (
          reason && <p class="note">{inPlainWords(reason)}</p>
        )}
        {canEdit && !isPreview ? (
          <ListingEditor
            editing={editing}
            disabled={false}
            isInReview={isInReview}
            canSubmit={submit?.allowed ?? false}
          />
        ) : (
          <ListingPreview listing={canEdit ? editing.draft.listing : listingOf(data)} />
        )}
      </div>
      <aside class="stack" aria-label="Messages and history">
        {further}
      </aside>
    </div>
  );
}
