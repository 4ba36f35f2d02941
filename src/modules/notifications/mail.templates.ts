import type { ApiKey } from '../api-keys/api-key.entity.js';
import type { App } from '../apps/app.entity.js';
import type { DomainEvent, EventKind } from '../audit/event.types.js';
import type { Developer } from '../developers/developer.entity.js';
import type { MailContent } from './mail.layout.js';

/** What a template may speak of besides the event itself. */
export interface MailSubjects {
  developer: Developer;
  /** Null where the event is not about one, or where it has been deleted since. */
  app: App | null;
  key: ApiKey | null;
  publicUrl: string;
}

/** The event of a kind; kinds that carry the same share one form. */
type EventOf<K extends EventKind, E = DomainEvent> = E extends { kind: infer Kinds }
  ? K extends Kinds
    ? E
    : never
  : never;
type Templates = { [K in EventKind]?: (event: EventOf<K>, subjects: MailSubjects) => MailContent };

const appName = ({ app }: MailSubjects) => `“${app?.name ?? 'your app'}”`;
const reference = ({ publicUrl }: MailSubjects) => ({ label: 'Open the marketplace', url: `${publicUrl}/` });
const documentation = ({ publicUrl }: MailSubjects) => ({ label: 'How to go on', url: `${publicUrl}/docs` });
const listing = ({ publicUrl, app }: MailSubjects) => ({
  label: 'See it live',
  url: `${publicUrl}/api/apps/${app?.slug ?? ''}`,
});
const keyName = ({ key }: MailSubjects) => `“${key?.name ?? 'a key'}” (${key?.maskedKey ?? 'unknown'})`;

/** Every mail, by the event that it tells of. */
export const templates = {
  'developer.verified': (_, subjects) => ({
    subject: 'You are verified',
    heading: `Welcome, ${subjects.developer.name}`,
    paragraphs: [
      'Your developer account has been verified.',
      'You can now create API keys, list apps and submit them for review.',
    ],
    action: documentation(subjects),
  }),
  'developer.unverified': ({ reason }, subjects) => ({
    subject: 'Your verification was withdrawn',
    heading: 'Your verification was withdrawn',
    paragraphs: [
      'Until you are verified again, you cannot create API keys or submit apps. Your apps and keys stay as they are.',
      `The reason: ${reason}`,
    ],
    action: reference(subjects),
  }),
  'developer.suspended': ({ reason }, subjects) => ({
    subject: 'Your developer account is suspended',
    heading: 'Your developer account is suspended',
    paragraphs: [
      'Your API keys do not work and your apps are not public while the suspension lasts.',
      `The reason: ${reason}`,
      'Reply to support if you think that this is a mistake.',
    ],
    action: reference(subjects),
  }),
  'developer.reinstated': (_, subjects) => ({
    subject: 'Your suspension has ended',
    heading: 'Your suspension has ended',
    paragraphs: [
      'Your account is what it was before: your keys work again, and your approved apps are public.',
    ],
    action: reference(subjects),
  }),
  'developer.email-changed': (_, subjects) => ({
    subject: 'Your e-mail address was changed',
    heading: 'Your e-mail address was changed',
    paragraphs: [
      `Notifications now go to ${subjects.developer.email}. This is the last one to this address.`,
      'If you did not do this, revoke your API keys and contact support at once.',
    ],
    action: reference(subjects),
  }),
  'key.created': (_, subjects) => ({
    subject: 'An API key was created',
    heading: 'An API key was created',
    paragraphs: [
      `The key ${keyName(subjects)} can now act for you. It works until ${day(subjects.key?.expiresAt)}.`,
      'If you did not do this, revoke it at once: DELETE /api/dev/api-keys/:id, with any of your keys.',
    ],
    points: subjects.key ? [{ label: 'Scopes', text: subjects.key.scopes.join(', ') }] : [],
    action: documentation(subjects),
  }),
  'key.revoked': (_, subjects) => ({
    subject: 'An API key was revoked',
    heading: 'An API key was revoked',
    paragraphs: [
      `The key ${keyName(subjects)} no longer works.`,
      'If something of yours still uses it, create a new key.',
    ],
    action: documentation(subjects),
  }),
  'webhook.disabled': ({ host, reason }, subjects) => ({
    subject: `Your webhook to ${host} was switched off`,
    heading: 'A webhook of yours was switched off',
    paragraphs: [
      `We no longer send events to your endpoint at ${host}.`,
      `The reason: ${reason}`,
      'Mend the receiver, call testWebhookEndpoint, then enableWebhookEndpoint. What was missed is in the delivery log, to be replayed, and in the events feed.',
    ],
    action: documentation(subjects),
  }),
  'app.submitted': (_, subjects) => ({
    subject: `We have received ${appName(subjects)}`,
    heading: `${appName(subjects)} is in the queue`,
    paragraphs: [
      'An administrator will look at it, usually within 24 to 48 hours. You will hear from us either way.',
      'You can still edit it while it waits; withdraw it to take it back.',
    ],
    action: reference(subjects),
  }),
  'app.approved': ({ note }, subjects) => ({
    subject: `${appName(subjects)} is approved`,
    heading: `${appName(subjects)} is live`,
    paragraphs: [
      'Your app was approved and is public as of now.',
      ...(note ? [`A word from the reviewer: ${note}`] : []),
    ],
    action: listing(subjects),
  }),
  'app.rejected': ({ reasons, guidance }, subjects) => ({
    subject: `${appName(subjects)} needs changes`,
    heading: `${appName(subjects)} was not approved yet`,
    paragraphs: ['This is what stands in the way:'],
    points: reasons.map(({ code, field, message }) => ({
      label: field ? `${field} (${code})` : code,
      text: message,
    })),
    closing: [
      `What to do: ${guidance}`,
      'Change the app and submit it again; there is no need to start over.',
    ],
    action: documentation(subjects),
  }),
  'app.suspended': ({ reason }, subjects) => ({
    subject: `${appName(subjects)} was taken down`,
    heading: `${appName(subjects)} was taken down`,
    paragraphs: [
      'An administrator has taken your app down. It is no longer public.',
      `The reason: ${reason}`,
    ],
    action: reference(subjects),
  }),
  'app.restored': (_, subjects) => ({
    subject: `${appName(subjects)} is public again`,
    heading: `${appName(subjects)} is public again`,
    paragraphs: ['An administrator has restored your app.'],
    action: listing(subjects),
  }),
  'app.edited': ({ reason }, subjects) => ({
    subject: `${appName(subjects)} was edited by an administrator`,
    heading: `${appName(subjects)} was edited by an administrator`,
    paragraphs: [`The reason: ${reason}`],
    action: listing(subjects),
  }),
} satisfies Templates as Templates;

const day = (date: Date | undefined) => date?.toISOString().slice(0, 10) ?? 'it expires';
