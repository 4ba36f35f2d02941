import type { RejectionReason } from '../apps/rejection.types.js';
import { isExcerpt } from '../audit/long-value.rules.js';
import type { MailFieldChange, TemplateData } from './mail.types.js';

/** The operations that mails link to, with their section of the REST reference. */
const referenceSections = {
  createApp: 'Apps',
  myApp: 'Apps',
  updateApp: 'Apps',
  createApiKey: 'API keys',
  revokeApiKey: 'API keys',
  me: 'Developer profile',
} as const;
type LinkedOperation = keyof typeof referenceSections;

/** Link to an operation in the REST reference, which needs no login. */
export const referenceLink = ({ publicUrl }: TemplateData, label: string, operation: LinkedOperation) => ({
  label,
  url: `${publicUrl}/docs#/${encodeURIComponent(referenceSections[operation])}/${operation}`,
});

/** Link for actions that exist only in GraphQL: to the playground, or to the home page if no playground is served. */
export const playgroundLink = (
  { publicUrl, playground }: TemplateData,
  label: string,
  as: 'admin' | 'developer',
) => ({
  label,
  url: playground ? `${publicUrl}/playground?as=${as}` : `${publicUrl}/`,
});

/** Link to the app's public listing, or to the reference if the app was not public when the event happened. */
export const listingLink = (data: TemplateData, label: string) =>
  data.app?.isPublic
    ? { label, url: `${data.publicUrl}/api/apps/${data.app.slug}` }
    : referenceLink(data, 'See its status', 'myApp');

export const appName = ({ app }: TemplateData): string => (app ? `“${app.name}”` : 'your app');
/** The app's name at the beginning of a sentence. */
export const appNameFirst = (data: TemplateData): string => (data.app ? appName(data) : 'Your app');
export const keyName = ({ key }: TemplateData): string =>
  key ? `“${key.name}” (${key.maskedKey})` : 'a key';

/** Formats a date such as "4 March 2026", with the month as a word because the order of numbers differs by country. */
export const formatDate = (date: Date): string =>
  date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
/** Formats a time such as "4 March 2026 at 09:30 UTC". */
export const formatTime = (date: Date): string =>
  `${formatDate(date)} at ${date.toISOString().slice(11, 16)} UTC`;

/** Lists the reasons of a rejection, each with its field. */
export const reasonList = (reasons: readonly RejectionReason[]) => ({
  points: reasons.map(({ code, field, message }) => ({
    label: field ?? 'The app as a whole',
    tag: code,
    text: message,
  })),
});

const maxValueCharacters = 600;
/** Fields that change with every edit or decision and are not part of the listing. */
const unlistedFields = new Set(['revision', 'updatedAt', 'status']);

/** Lists the fields that an event changed, with their values as text. */
export function changedFields({
  before,
  after,
}: Pick<TemplateData['auditEvent'], 'before' | 'after'>): MailFieldChange[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields]
    .filter((field) => !unlistedFields.has(field))
    .sort()
    .map((field) => ({ field, before: valueText(before?.[field]), after: valueText(after?.[field]) }));
}

function valueText(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(itemText).join('\n');
  if (isExcerpt(value)) return `${value.excerpt}… (shortened)`;
  return shorten(typeof value === 'object' ? itemText(value) : String(value));
}

/** Formats a screenshot as its URL and caption, and any other object as JSON. */
function itemText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if ('url' in value) {
    const caption = 'caption' in value && value.caption ? ` (${value.caption})` : '';
    return `${value.url}${caption}`;
  }
  return JSON.stringify(value);
}

const shorten = (text: string) => {
  const characters = [...text];
  return characters.length > maxValueCharacters
    ? `${characters.slice(0, maxValueCharacters).join('')}… (shortened)`
    : text;
};
