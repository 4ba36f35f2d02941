import { labelOf } from '../client/words.ts';

/** Returns a field of a listing in words: `screenshots.0.url` is "Screenshot 1". */
export function fieldName(field: string): string {
  const [, list, position] = /^(screenshots|rejection\.reasons)\.(\d+)/.exec(field) ?? [];
  if (list) return `${list === 'screenshots' ? 'Screenshot' : 'Reason'} ${Number(position) + 1}`;
  return labelOf(field);
}

/** Returns the fields that a reason of a rejection can be about. */
export const fieldsOf = (screenshots: number): string[] => [
  'name',
  'description',
  'longDescription',
  'category',
  'websiteUrl',
  'oauthClientId',
  'logoUrl',
  'bannerUrl',
  'versionNumber',
  'releaseNotes',
  'screenshots',
  ...Array.from({ length: screenshots }, (_, position) => `screenshots.${position}.url`),
];

interface ListingChange {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Returns changes with their fields in words, and screenshots as lines instead of JSON. */
export const named = (changes: readonly ListingChange[]): ListingChange[] =>
  changes.map(({ field, before, after }) => {
    const shown = (text: string | null) => (field === 'screenshots' ? screenshotLines(text) : text);
    return { field: fieldName(field), before: shown(before), after: shown(after) };
  });

/** Shortened texts are not valid JSON, and stay as they are. */
function screenshotLines(text: string | null): string | null {
  try {
    const screenshots: { url: string; caption: string | null }[] = JSON.parse(text ?? '[]');
    return screenshots.map(({ url, caption }) => `${caption ?? 'No caption'} (${url})`).join('\n');
  } catch {
    return text;
  }
}
