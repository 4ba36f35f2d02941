const names: Record<string, string> = {
  name: 'Name',
  description: 'Description',
  longDescription: 'Long description',
  category: 'Category',
  environment: 'Environment',
  websiteUrl: 'Website',
  logoUrl: 'Logo',
  bannerUrl: 'Banner',
  oauthClientId: 'OAuth client id',
  screenshots: 'Screenshots',
  status: 'Status',
};

/** Returns a field of a listing in words: `screenshots.0.url` is "Screenshot 1". */
export function fieldName(field: string): string {
  const [, position] = /^screenshots\.(\d+)/.exec(field) ?? [];
  return position === undefined ? (names[field] ?? inWords(field)) : `Screenshot ${Number(position) + 1}`;
}

/** `authorName` as "Author name". */
const inWords = (name: string) =>
  name.charAt(0).toUpperCase() + name.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Returns the fields that a reason of a rejection can be about. */
export const fieldsOf = (screenshots: number): string[] => [
  ...[
    'name',
    'description',
    'longDescription',
    'category',
    'websiteUrl',
    'oauthClientId',
    'logoUrl',
    'bannerUrl',
  ],
  'screenshots',
  ...Array.from({ length: screenshots }, (_, position) => `screenshots.${position}.url`),
];

/** Returns changes with their fields in words. */
export const named = <T extends { readonly field: string }>(changes: readonly T[]): T[] =>
  changes.map((change) => ({ ...change, field: fieldName(change.field) }));
