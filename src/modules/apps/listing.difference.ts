import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { fieldsOf } from '../../operations/columns.js';
import { AppChanges, type ScreenshotInput } from './app.input.js';
import type { Screenshot } from './app.types.js';
import { type Listing, ListingEntity } from './listing.entity.js';

/** The fields that a developer can change, in the order of the entity. */
export const listingFields = fieldsOf(ListingEntity).filter(
  (name): name is keyof Listing => name in AppChanges.shape,
);

/** Returns the listing fields of an app or version, without its other columns. */
export const listingOf = (source: Listing): Listing =>
  Object.fromEntries(listingFields.map((field) => [field, source[field]])) as unknown as Listing;

/** Returns the names of the fields in which two listings differ. */
export const differingFields = (before: Listing, after: Listing) =>
  listingFields.filter((field) => !isDeepStrictEqual(before[field] ?? null, after[field] ?? null));

/** Applies changes and increments the revision; returns the old and new values, or null if nothing differs. */
export function applyChanges(target: Listing & { revision: number }, changes: z.output<typeof AppChanges>) {
  const wanted = { ...listingOf(target), ...normalized(changes) };
  const fields = differingFields(target, wanted);
  if (fields.length === 0) return null;
  const pick = (listing: Listing): Record<string, unknown> =>
    Object.fromEntries(fields.map((field) => [field, listing[field]]));
  const { revision } = target;
  const change = {
    before: { ...pick(target), revision },
    after: { ...pick(wanted), revision: revision + 1 },
  };
  Object.assign(target, change.after);
  return change;
}

/** Converts the fields of a request to the form in which they are stored; absent fields stay absent. */
export function normalized({ screenshots, ...fields }: z.output<typeof AppChanges>): Partial<Listing> {
  const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return screenshots === undefined ? sent : { ...sent, screenshots: sorted(screenshots ?? []) };
}

/** Sorts by `order`, which defaults to the position in the list; equal orders keep the sequence of the request. */
const sorted = (screenshots: readonly ScreenshotInput[]): Screenshot[] =>
  screenshots
    .map(({ url, caption, order }, position) => ({ url, caption: caption ?? null, order: order ?? position }))
    .sort((a, b) => a.order - b.order);
