import type { MailSubjects } from './mail.templates.js';

/** The operations that mails lead to, and where the REST reference lists them. */
const chapters = {
  createApp: 'Apps',
  myApp: 'Apps',
  updateApp: 'Apps',
  createApiKey: 'API keys',
  revokeApiKey: 'API keys',
  me: 'Developer profile',
} as const;
type Linked = keyof typeof chapters;

/** A place in the REST reference, which is open to everybody. */
export const reference = ({ publicUrl }: MailSubjects, label: string, operation: Linked) => ({
  label,
  url: `${publicUrl}/docs#/${encodeURIComponent(chapters[operation])}/${operation}`,
});

/** Where one does what only GraphQL can: the playground; where there is none, the home page. */
export const graphql = (
  { publicUrl, playground }: MailSubjects,
  label: string,
  as: 'admin' | 'developer',
) => ({
  label,
  url: playground ? `${publicUrl}/playground?as=${as}` : `${publicUrl}/`,
});

/** The app's public page, if it was public when the event happened. */
export const listing = (subjects: MailSubjects, label: string) =>
  subjects.app?.isPublic
    ? { label, url: `${subjects.publicUrl}/api/apps/${subjects.app.slug}` }
    : reference(subjects, 'See where it stands', 'myApp');

export const appName = ({ app }: MailSubjects): string => (app ? `“${app.name}”` : 'your app');
export const appNameFirst = (subjects: MailSubjects): string =>
  subjects.app ? appName(subjects) : 'Your app';
export const keyName = ({ key }: MailSubjects): string =>
  key ? `“${key.name}” (${key.maskedKey})` : 'a key';

/** A day as everybody reads it the same. */
export const day = (date: Date): string =>
  date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
/** A day with its time. */
export const moment = (date: Date): string => `${day(date)} at ${date.toISOString().slice(11, 16)} UTC`;
