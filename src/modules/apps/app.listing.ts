import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { AppChanges, ScreenshotInput } from './app.input.js';
import type { Screenshot } from './app.types.js';
import type { Category } from './listing.entity.js';

/** What a reviewer looks at: the fields that a developer writes, of an app or of a version. */
export interface Listing {
  name: string;
  description: string;
  longDescription: string | null;
  category: Category;
  logoUrl: string | null;
  bannerUrl: string | null;
  websiteUrl: string | null;
  oauthClientId: string | null;
  screenshots: Screenshot[];
}

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

/** The fields in which two listings differ. */
export const differingFields = (before: Listing, after: Listing) =>
  listingFields.filter((field) => !isDeepStrictEqual(before[field], after[field]));

/** Changes what differs, and raises the revision if anything does; answers what changed. */
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

/** The fields that were sent, in the form in which they are stored. */
export function normalized({ screenshots, ...fields }: z.output<typeof AppChanges>): Partial<Listing> {
  const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return screenshots === undefined ? sent : { ...sent, screenshots: inOrder(screenshots ?? []) };
}

/** Sorted by `order`, which defaults to the position; ties stay as they were sent. */
const inOrder = (screenshots: readonly ScreenshotInput[]): Screenshot[] =>
  screenshots
    .map(({ url, caption, order }, position) => ({ url, caption: caption ?? null, order: order ?? position }))
    .sort((a, b) => a.order - b.order);
