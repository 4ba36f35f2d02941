import type { PortalUrls } from '../../config/formats.js';
import type { AuditEvent } from '../events/audit-event.entity.js';
import type { EventOf } from '../events/event.types.js';
import type { MailedKind, MailFacts } from '../events/event-mail.types.js';
import type { ReviewerKind } from '../events/published-event.types.js';

/** Everything besides the event that a template can use. */
export interface TemplateData extends MailFacts {
  developer: NonNullable<MailFacts['developer']>;
  /** The row of the event in the audit log, which never changes. */
  auditEvent: Pick<AuditEvent, 'createdAt' | 'before' | 'after'>;
  /** Pages of the host product that the mail can link to. */
  portal: PortalUrls;
  /** The link that undoes the change; null if this mail has none. */
  undoUrl: string | null;
  /** False for a mail to an address that the developer had before. */
  isPresentAddress: boolean;
}

/** Writes the content of the mail about an event. */
export type MailTemplate<K extends MailedKind> = (event: EventOf<K>, data: TemplateData) => MailDraft;
/** Writes the content of the mail to the reviewers about an event. */
export type ReviewerTemplates = {
  readonly [K in ReviewerKind]: (event: EventOf<K>, data: ReviewerTemplateData) => MailDraft;
};
export type ReviewerTemplateData = Pick<TemplateData, 'app' | 'portal'> & Pick<MailFacts, 'developer'>;

export type MailTemplates = { readonly [K in MailedKind]: MailTemplate<K> };

/** The content of a mail, before it is rendered as HTML and as text. */
export interface MailContent {
  subject: string;
  heading: string;
  body: MailBlock[];
  /** Null in a digest whose notices have different actions: then each has its own. */
  action: MailAction | null;
  /** Completes "You receive this e-mail because …"; the default is that the recipient is a developer. */
  because?: string;
}

/** The content that a template writes. Without a heading, the subject is the heading too. */
export type MailDraft = Omit<MailContent, 'heading'> & { heading?: string };

/** The next step of the recipient: a link to a page, or without one a sentence that names what to call. */
export type MailAction = MailLink | string;

interface MailLink {
  label: string;
  url: string;
}

/**
 * A kind of mail: the kind of its event, or for the addresses of REVIEWERS_EMAIL one kind for all events, so that they
 * are collected together, and one for the daily digest.
 */
export type MailKind = MailedKind | 'reviewers.notice' | 'reviewers.digest';

/** A mail that is ready to be sent. */
export interface PreparedMail {
  kind: MailKind;
  to: { name: string; address: string };
  /** Time of the event, in ISO 8601. */
  at: string;
  content: MailContent;
}

/** A part of a mail's body: a paragraph, a title or a link within a digest, a quotation, a numbered list, or a list of changed fields. */
export type MailBlock =
  | string
  | { title: string }
  | MailLink
  | { label: string; quote: string }
  | { points: MailPoint[] }
  | { changes: MailFieldChange[] };

/** An item of a numbered list. */
export interface MailPoint {
  label: string;
  tag?: string;
  text: string;
}

/** A field with its values before and after a change; null where it is empty. */
export interface MailFieldChange {
  field: string;
  before: string | null;
  after: string | null;
}
