import type { AuditEvent } from '../audit/audit-event.entity.js';
import type { DomainEvent, EventKind, MailedKind } from '../audit/event.types.js';
import { appMails } from './app.mails.js';
import { developerMails } from './developer.mails.js';
import { keyMails } from './key.mails.js';
import type { MailFacts } from './mail.facts.js';
import type { MailContent } from './mail.layout.js';
import { reviewMails } from './review.mails.js';
import { webhookMails } from './webhook.mails.js';

/** What a template may speak of besides the event itself. */
export interface MailSubjects extends MailFacts {
  /** The event's line of the audit log, which never changes: when, and what changed. */
  record: Pick<AuditEvent, 'createdAt' | 'before' | 'after'>;
  publicUrl: string;
  /** Whether the playground is served. */
  playground: boolean;
}

/** The event of a kind; kinds that carry the same share one form. */
type EventOf<K extends EventKind, E = DomainEvent> = E extends { kind: infer Kinds }
  ? K extends Kinds
    ? E
    : never
  : never;

/** Writes the mail about an event. */
export type Template<K extends MailedKind> = (event: EventOf<K>, subjects: MailSubjects) => MailContent;
export type Templates = { readonly [K in MailedKind]: Template<K> };

/** Every mail, by the event that it tells of. An event that is `mailed` and not here does not compile. */
export const templates: Templates = {
  ...developerMails,
  ...keyMails,
  ...appMails,
  ...reviewMails,
  ...webhookMails,
};
