import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { fieldsOf } from '../../operations/columns.js';
import { isExcerpt, shortenLongValues } from '../events/long-value.rules.js';
import type { FieldChange } from './field-change.types.js';
import { type Listing, ListingEntity } from './listing.entity.js';
import { AppChanges, type CreateApp, type ScreenshotInput } from './listing.input.js';
import type { Screenshot } from './screenshot.types.js';

/** The fields that a developer can change, in the order of the entity. */
export const listingFields = fieldsOf(ListingEntity).filter(
  (name): name is keyof Listing => name in AppChanges.shape,
);

const valuesOf = (listing: Listing, fields: readonly (keyof Listing)[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field, listing[field]]));

/** Returns the listing fields of an app or version, without its other columns. */
export const listingOf = (source: Listing) => valuesOf(source, listingFields) as unknown as Listing;

/** Returns the names of the fields in which two listings differ. */
export const differingFields = (before: Listing, after: Listing) =>
  listingFields.filter((field) => !isDeepStrictEqual(before[field] ?? null, after[field] ?? null));

/** Applies changes and increments the revision; returns the old and new values, or null if nothing differs. */
export function applyChanges(target: Listing & { revision: number }, changes: z.output<typeof AppChanges>) {
  const wanted = { ...listingOf(target), ...normalized(changes) };
  const fields = differingFields(target, wanted);
  if (fields.length === 0) return null;
  const change = changeTo(target, wanted, fields);
  Object.assign(target, change.after);
  return change;
}

/** The old and new values of an edit, as the audit log records it. */
export type ListingChange = NonNullable<ReturnType<typeof applyChanges>>;

/** Returns the old and new values of a listing that takes over fields of another one. */
export const changeTo = (
  target: Listing & { revision: number },
  source: Listing,
  fields: readonly (keyof Listing)[],
) => ({
  before: { ...valuesOf(target, fields), revision: target.revision },
  after: { ...valuesOf(source, fields), revision: target.revision + 1 },
});

/** Converts the fields of a request to the form in which they are stored; absent fields stay absent. */
export function normalized({ screenshots, ...fields }: z.output<typeof AppChanges>): Partial<Listing> {
  const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return screenshots === undefined ? sent : { ...sent, screenshots: sorted(screenshots ?? []) };
}

/** Returns the listing that these fields of a request would create. */
export const completed = (fields: z.output<typeof CreateApp>): Listing =>
  ({
    ...Object.fromEntries(listingFields.map((field) => [field, null])),
    screenshots: [],
    ...normalized(fields),
  }) as unknown as Listing;

/** Sorts by `order`, which defaults to the position in the list; equal orders keep the sequence of the request. */
const sorted = (screenshots: readonly ScreenshotInput[]): Screenshot[] =>
  screenshots
    .map(({ url, caption, order }, position) => ({ url, caption: caption ?? null, order: order ?? position }))
    .sort((a, b) => a.order - b.order);

/** Returns the differences between two listings with long texts shortened, for an error. */
export const shortChangesBetween = (before: Listing, after: Listing): FieldChange[] => {
  const [old, current] = [shortenLongValues({ ...before }), shortenLongValues({ ...after })];
  return differingFields(before, after).map((field) => fieldChange(field, old[field], current[field]));
};

/** Returns the differences between two listings, field by field. */
export const changesBetween = (before: Listing, after: Listing): FieldChange[] =>
  differingFields(before, after).map((field) => fieldChange(field, before[field], after[field]));

/** Describes the change of one field. */
export const fieldChange = (field: string, before: unknown, after: unknown): FieldChange => ({
  field,
  before: asText(before),
  after: asText(after),
});

/** Formats a field value as text: text as it is, everything else as JSON. */
export const asText = (value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  if (isExcerpt(value)) return `${value.excerpt}… (${value.length} characters)`;
  return typeof value === 'string' ? value : JSON.stringify(value);
};
