const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
/** Words in capitals that people know. */
const KNOWN = new Set(
  'AI API CI HTTP HTTPS ID JPG JSON ML OAUTH OK PNG POST SHA URL URLS UTC UTF HEAD GET'.split(' '),
);

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });

/** A time as "Nov 18, 2026, 14:05". */
export const momentOf = (at: string): string => moment.format(new Date(at));

/** `DEVELOPER_TOOLS` and `developerTools` as "developer tools". */
const inWords = (name: string) =>
  name
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();

/**
 * Returns a message of the service in words for people who do not know the API: without ids, names of operations and
 * codes. The service writes for programmers, who need them.
 */
export const inPlainWords = (message: string): string =>
  message
    // Text in brackets is for programmers: an operation, a path, an id.
    .replace(/(?<!\s)\s*\((?:[^()]|\([^()]*\))*\)/g, (part) => (isTechnical(part) ? '' : part))
    .replace(/[:,]? see details\b/gi, '')
    .replace(UUID, '')
    .replace(TIME, momentOf)
    .replaceAll('`', '')
    .replace(/"([a-z]+[A-Z]\w*)"/g, (_, name: string) => `“${inWords(name)}”`)
    .replace(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, inWords)
    .replace(/\b[A-Z]{2,}(?:_[A-Z]+)*\b/g, (word) => (KNOWN.has(word) ? word : inWords(word)))
    .replace(/(?<!\s)\s+([.,;:])/g, '$1')
    .replace(/ {2,}/g, ' ')
    .trim();

const isTechnical = (part: string) =>
  /\/api\/|\b[a-z]+[A-Z]\w*|GraphQL|\b(?:POST|GET|id)\b/.test(part) || part.search(UUID) >= 0;

/** The fields that messages name, with the labels that the pages show. */
const labels: Record<string, string> = {
  authorName: 'Display name',
  bannerUrl: 'Banner',
  bio: 'About you',
  caption: 'Caption',
  code: 'Reason',
  companyName: 'Company',
  daysBefore: 'Days of notice',
  description: 'Short description',
  email: 'E-mail address',
  expiresAt: 'Works until',
  expiresInDays: 'Lifetime',
  formerUntil: 'The former key works until',
  graceHours: 'Keep the old key working for (hours)',
  logoUrl: 'Logo',
  longDescription: 'Full description',
  message: 'Text',
  oauthClientId: 'OAuth client',
  reasons: 'Reasons',
  releaseNotes: 'What’s new',
  scopes: 'Permissions',
  successor: 'New key',
  text: 'Text',
  title: 'Headline',
  url: 'Address',
  versionNumber: 'Version number',
  websiteUrl: 'Website',
};

/** Returns a field in the words of the forms: `authorName` is "Display name", `sortOrder` "Sort order". */
export const labelOf = (name: string) =>
  labels[name] ?? name.charAt(0).toUpperCase() + inWords(name).slice(1);

/** Returns a field in words, for messages without a label beside them: `reasons.0.message` is "Reason 1, text". */
export function fieldInWords(field: string): string {
  const words: string[] = [];
  for (const part of field.split('.')) {
    if (/^\d+$/.test(part)) words.push(`${(words.pop() ?? '').replace(/s$/, '')} ${Number(part) + 1}`);
    else words.push(labelOf(part));
  }
  return words.map((word, index) => (index === 0 ? word : word.toLowerCase())).join(', ');
}

/**
 * Returns a message about a field without the name of the field, because a label stands beside it: "email must be…" is
 * "Must be…", and "screenshots must have at least 2 items" is "Must have at least 2 screenshots".
 */
export function withoutField(field: string, message: string): string {
  const names = [field, field.split('.').at(-1) ?? field];
  const name = names.find((each) => message.startsWith(`${each} `));
  const rest = name === undefined ? message : message.slice(name.length + 1);
  const plain = inPlainWords(rest.replace(/\bitems\b/, labelOf(field.split('.')[0] ?? '').toLowerCase()));
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
