import type { ChangedPicture } from '../events/event.types.js';
import { isExcerpt } from '../events/long-value.rules.js';
import type { RejectionReason } from '../listings/rejection.types.js';
import { codeLabel, fieldLabel } from './field-label.rules.js';
import type { MailAction, MailFieldChange, ReviewerTemplateData, TemplateData } from './mail.types.js';

/** Returns the link to a page of the portal, or the sentence if the portal has no such page. */
export function pageOr(
  pattern: string | null,
  { id, slug }: { id?: string; slug?: string | undefined },
  label: string,
  sentence: string,
): MailAction {
  if (pattern === null || (pattern.includes('{slug}') && slug === undefined)) return sentence;
  const values = { id: id ?? '', slug: slug ?? '' };
  const url = pattern.replaceAll(/\{(id|slug)\}/g, (_, name: 'id' | 'slug') =>
    encodeURIComponent(values[name]),
  );
  return { label, url };
}

/** The developer's page of an app. */
export const appPage = (
  { portal, app }: TemplateData,
  id: string,
  label = 'See its status',
  sentence = `To see its status, call myApp (GraphQL), or GET /api/dev/apps/${id}.`,
) => pageOr(portal.app, { id, slug: app?.slug }, label, sentence);

/** The app's public listing, or the developer's page of the app if it was not public when the event happened. */
export const listingPage = (data: TemplateData, id: string) =>
  data.app?.isPublic
    ? pageOr(
        data.portal.listing,
        { id, slug: data.app.slug },
        'See the live listing',
        `To see the live listing, call app (GraphQL) with its slug, ${data.app.slug}, or GET /api/apps/${data.app.slug}.`,
      )
    : appPage(data, id);

/** The administrator's page of an app. */
export const reviewPage = (
  { portal, app }: ReviewerTemplateData,
  id: string,
  label: string,
  sentence: string,
) => pageOr(portal.review, { id, slug: app?.slug }, label, sentence);

export const keysPage = ({ portal }: TemplateData, label: string, sentence: string) =>
  pageOr(portal.keys, {}, label, sentence);

/** The page on which a developer undoes what was done with a key. */
export const keyChangesPage = ({ portal }: TemplateData, id: string, label: string) =>
  pageOr(
    portal.keyChanges,
    { id },
    label,
    `To see what was done with it, and to undo it, call undoKeyChanges (GraphQL) with your account token and the key's id, ${id}.`,
  );

export const newKeyPage = (data: TemplateData, label = 'Create a new key') =>
  keysPage(data, label, 'To create a key, call createApiKey (GraphQL), or POST /api/dev/api-keys.');

export const developerPage = ({ portal }: TemplateData, id: string, label: string, sentence: string) =>
  pageOr(portal.developer, { id }, label, sentence);

export const webhooksPage = ({ portal }: TemplateData, id: string) =>
  pageOr(
    portal.webhooks,
    { id },
    'See your webhooks',
    'To see your webhook endpoints, call myWebhookEndpoints (GraphQL).',
  );

export const appName = ({ app }: Pick<TemplateData, 'app'>): string => (app ? `“${app.name}”` : 'your app');
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
  points: reasons.map(({ code, field, message: text }) =>
    field === null
      ? { label: codeLabel(code), text }
      : { label: fieldLabel(field), tag: codeLabel(code), text },
  ),
});

const pictureProblems: Record<ChangedPicture['code'], string> = {
  picture_changed: 'It is another picture.',
  picture_gone: 'It could not be fetched three times in a row.',
  picture_moved: 'It comes from another host.',
};

/** Lists the pictures of an app that differ from what was reviewed, each with its field. */
export const pictureList = (pictures: readonly ChangedPicture[]) => ({
  points: pictures.map(({ field, code }) => ({ label: fieldLabel(field), text: pictureProblems[code] })),
});

const maxValueCharacters = 600;
/** Fields that change with every edit or decision and are not part of the listing. */
const unlistedFields = new Set(['revision', 'updatedAt', 'status']);

/** Lists the fields that an event changed, with their labels and their values as text. */
export function changedFields(
  { before, after }: Pick<TemplateData['auditEvent'], 'before' | 'after'>,
  labelOf = fieldLabel,
): MailFieldChange[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields]
    .filter((field) => !unlistedFields.has(field))
    .sort()
    .map((field) => ({
      field: labelOf(field),
      before: valueText(before?.[field]),
      after: valueText(after?.[field]),
    }));
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
