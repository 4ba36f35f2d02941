import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { AppChanges, ScreenshotInput } from './app.input.js';
import type { Screenshot } from './app.types.js';
import type { Listing } from './listing.entity.js';

export const listingFields = [
  'name',
  'description',
  'longDescription',
  'category',
  'logoUrl',
  'bannerUrl',
  'websiteUrl',
  'oauthClientId',
  'screenshots',
] as const satisfies (keyof Listing)[];

/** Returns the listing fields of an app or version, without its other columns. */
export function listingOf(source: Listing): Listing {
  const {
    name,
    description,
    longDescription,
    category,
    logoUrl,
    bannerUrl,
    websiteUrl,
    oauthClientId,
    screenshots,
  } = source;
  return {
    name,
    description,
    longDescription,
    category,
    logoUrl,
    bannerUrl,
    websiteUrl,
    oauthClientId,
    screenshots,
  };
}

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
