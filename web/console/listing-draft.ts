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
  /** Continues from what was saved. Fields that were left out stay as they were written. */
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
  const [kept, keep, discard] = useDraft<StoredDraft | null>(draftNameOf(data.id), null);
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
      const written = Object.fromEntries(leftOut.map((field) => [field, listing[field]]));
      keep({
        base: listingOf(next),
        revision: next.revision,
        listing: { ...listingOf(next), ...written },
      });
    },
    [keep, listing],
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
