import { useCallback, useEffect } from 'preact/hooks';
import { draftOf, useDraft } from '../client/draft.ts';
import type { Change } from '../components/changes.tsx';
import {
  changesBetween,
  differingFields,
  type Listing,
  type ListingData,
  type ListingField,
  listingOf,
} from './listing.ts';

interface StoredDraft {
  /** The listing from which the editing began, and its revision. */
  readonly base: Listing;
  readonly revision: number;
  readonly listing: Listing;
}

/** A listing that is being edited: the text of the form, and how it relates to the stored one. */
export interface ListingDraft {
  readonly listing: Listing;
  readonly base: Listing;
  /** Revision from which the editing began. The service refuses to save over a newer one. */
  readonly revision: number;
  /** Fields that are not saved. */
  readonly changed: readonly ListingField[];
  /** Changes that somebody else has saved meanwhile; empty if there are none. */
  readonly foreign: readonly Change[];
  readonly change: (part: Partial<Listing>) => void;
  /** Takes over the changes of others, except in the fields that were changed here. */
  readonly merge: () => void;
  readonly discard: () => void;
  /** Continues from what was saved. Fields that were left out, or changed since, stay as they are written. */
  readonly saved: (data: ListingData, leftOut: readonly ListingField[]) => void;
}

const draftNameOf = (id: string) => `listing:${id}`;

/** Returns whether somebody has written into the listing of an app or version without saving it. */
export function isUnsaved(id: string): boolean {
  const kept = draftOf<StoredDraft | null>(draftNameOf(id));
  return kept != null && differingFields(kept.base, kept.listing).length > 0;
}

/** Keeps what somebody writes into a listing until it is saved. */
export function useListingDraft(data: ListingData): ListingDraft {
  const stored = listingOf(data);
  const draftName = draftNameOf(data.id);
  const [kept, keep, clear] = useDraft<StoredDraft | null>(draftName, null);
  const discard = useCallback(() => clear(), [clear]);
  const { base, revision, listing } = kept ?? { base: stored, revision: data.revision, listing: stored };
  const changed = differingFields(base, listing);
  const isBehind = data.revision > revision;
  const foreign = isBehind ? changesBetween(base, stored) : [];
  // Once the page has read what was saved, nothing has to be kept.
  const isDone = kept !== null && changed.length === 0 && data.revision >= revision;
  useEffect(() => {
    if (isDone) discard();
  }, [isDone, discard]);
  const saved = useCallback(
    (next: ListingData, leftOut: readonly ListingField[]) => {
      const latest = draftOf<StoredDraft | null>(draftName)?.listing ?? base;
      const unsaved = [...leftOut, ...differingFields(listing, latest)];
      const written = Object.fromEntries(unsaved.map((field) => [field, latest[field]]));
      keep({
        base: listingOf(next),
        revision: next.revision,
        listing: { ...listingOf(next), ...written },
      });
    },
    [keep, listing, base, draftName],
  );
  return {
    listing,
    base,
    revision,
    changed,
    foreign,
    change: (part) => keep({ base, revision, listing: { ...listing, ...part } }),
    merge: () => {
      const own = Object.fromEntries(changed.map((field) => [field, listing[field]]));
      keep({ base: stored, revision: data.revision, listing: { ...stored, ...own } });
    },
    discard,
    saved,
  };
}
