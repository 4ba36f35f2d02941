import type { ResultOf } from 'gql.tada';
import { graphql } from '../client/graphql.ts';
import { wordsOf } from '../components/badge.tsx';
import { categories as allCategories, type Category } from '../components/categories.ts';
import type { Change } from '../components/changes.tsx';

export const AppListingFields = graphql(`
  fragment AppListingFields on App {
    id
    revision
    name
    description
    longDescription
    category
    websiteUrl
    logoUrl
    bannerUrl
    oauthClientId
    screenshots {
      url
      caption
    }
    versionNumber
    releaseNotes
  }
`);
export const VersionListingFields = graphql(`
  fragment VersionListingFields on AppVersion {
    id
    revision
    name
    description
    longDescription
    category
    websiteUrl
    logoUrl
    bannerUrl
    oauthClientId
    screenshots {
      url
      caption
    }
    versionNumber
    releaseNotes
  }
`);
/** An app or a version, as far as the editor knows it. */
export type ListingData = ResultOf<typeof AppListingFields> | ResultOf<typeof VersionListingFields>;

export type { Category };
export type Environment = ReturnType<typeof graphql.scalar<'Environment'>>;

/** A listing as the form holds it: empty fields are empty texts. */
export interface Listing {
  name: string;
  description: string;
  longDescription: string;
  category: Category;
  websiteUrl: string;
  logoUrl: string;
  bannerUrl: string;
  oauthClientId: string;
  screenshots: { url: string; caption: string }[];
  versionNumber: string;
  releaseNotes: string;
}
export type ListingField = keyof Listing;

/** The fields in the order of the form, with their labels. */
export const fieldLabels: Record<ListingField, string> = {
  name: 'Name',
  description: 'Short description',
  category: 'Category',
  longDescription: 'Full description',
  logoUrl: 'Logo',
  bannerUrl: 'Banner',
  screenshots: 'Screenshots',
  websiteUrl: 'Website',
  oauthClientId: 'OAuth client',
  versionNumber: 'Version number',
  releaseNotes: 'What’s new',
};
export const listingFields = Object.keys(fieldLabels) as ListingField[];

/** The categories with their names. */
export const categories = Object.fromEntries(
  allCategories.map((category) => [category, wordsOf(category)]),
) as Record<Category, string>;

export const listingOf = (data: ListingData): Listing => ({
  name: data.name,
  description: data.description,
  longDescription: data.longDescription ?? '',
  category: data.category,
  websiteUrl: data.websiteUrl ?? '',
  logoUrl: data.logoUrl ?? '',
  bannerUrl: data.bannerUrl ?? '',
  oauthClientId: data.oauthClientId ?? '',
  screenshots: data.screenshots.map(({ url, caption }) => ({ url, caption: caption ?? '' })),
  versionNumber: data.versionNumber ?? '',
  releaseNotes: data.releaseNotes ?? '',
});

/** Returns the fields in which two listings differ. */
export const differingFields = (one: Listing, other: Listing): ListingField[] =>
  listingFields.filter((field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]));

/** Returns the input of an update: only these fields, empty ones as null. */
export function inputOf(listing: Listing, fields: readonly ListingField[]) {
  const { screenshots, ...texts } = listing;
  const all = {
    ...Object.fromEntries(
      Object.entries(texts).map(([field, value]) => [field, value === '' ? null : value]),
    ),
    // A required text stays an empty text, so that the service says what is wrong with it.
    name: listing.name,
    description: listing.description,
    screenshots: screenshots.map(({ url, caption }) => ({ url, caption: caption || null })),
  };
  const wanted = new Set<string>(fields);
  return Object.fromEntries(Object.entries(all).filter(([field]) => wanted.has(field)));
}

const textOf = ({ screenshots, ...texts }: Listing, field: ListingField): string =>
  field === 'screenshots'
    ? screenshots.map(({ url, caption }) => [url, caption].filter(Boolean).join(' – ')).join('\n')
    : texts[field];

/** Returns the differences between two listings for `Changes`. */
export const changesBetween = (before: Listing, after: Listing): Change[] =>
  differingFields(before, after).map((field) => ({
    field: fieldLabels[field],
    before: textOf(before, field),
    after: textOf(after, field),
  }));

/** Returns the label of a field; `screenshots.0.url` is "Screenshot 1". */
export function labelOf(field: string): string {
  const position = /^screenshots\.(\d+)/.exec(field)?.[1];
  if (position) return `Screenshot ${Number(position) + 1}`;
  return fieldLabels[field as ListingField] ?? field.charAt(0).toUpperCase() + field.slice(1);
}

/** Returns changes as the service reports them in words of this page: screenshots are JSON there. */
export const readableChanges = (changes: readonly Change[]): Change[] =>
  changes.map(({ field, before, after }) => ({
    field: labelOf(field),
    before: field === 'screenshots' ? screenshotLines(before) : before,
    after: field === 'screenshots' ? screenshotLines(after) : after,
  }));

export function screenshotLines(json: string | null): string | null {
  try {
    const screenshots: { url: string; caption?: string | null }[] = JSON.parse(json ?? '[]');
    return screenshots.map(({ url, caption }) => [url, caption].filter(Boolean).join(' – ')).join('\n');
  } catch {
    // A timeline shortens long values, which are no JSON any more.
    return json;
  }
}
