import type { RejectionReason } from '../listings/rejection.types.js';

/** The fields that an event changed, with their old and new values. */
export interface EventChange {
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

type AboutDeveloper<Kind, Data = unknown> = { kind: Kind; developerId: string } & Data;
type AboutApp<Kind, Data = unknown> = AboutDeveloper<Kind, { appId: string } & Data>;
type AboutVersion<Kind, Data = unknown> = AboutApp<Kind, { versionId: string } & Data>;
type AboutRating<Kind, Data = unknown> = AboutApp<Kind, { ratingId: string } & Data>;
type AboutSubmission<Kind, Data = unknown> = AboutApp<
  Kind,
  { submissionId: string; versionId: string | null } & Data
>;
type AboutKey<Kind, Data = unknown> = AboutDeveloper<Kind, { keyId: string } & Data>;
/** `developerId` is null for an endpoint of the administration. */
type AboutEndpoint<Kind, Data = unknown> = {
  kind: Kind;
  developerId: string | null;
  endpointId: string;
  host: string;
} & Data;

/** Everything that can happen in the marketplace, with the data that the audit log, mails and webhooks use. */
export type DomainEvent =
  | AboutDeveloper<'developer.registered' | 'developer.verified' | 'developer.reinstated'>
  | AboutDeveloper<'developer.unverified' | 'developer.suspended' | 'developer.edited', { reason: string }>
  | AboutDeveloper<'developer.updated', ByKey>
  | AboutDeveloper<'developer.email-changed', { formerEmail: string } & ByKey>
  | AboutDeveloper<'developer.email_lost'>
  /** `emailTaken`: the former address could not be restored, because another developer uses it now. */
  | AboutKey<'developer.change_undone', { emailTaken: boolean }>
  | AboutKey<'key.created'>
  | AboutKey<'key.revoked' | 'key.leaked', Revocation>
  | AboutKey<'key.rotated', { formerKeyId: string; formerUntil: string }>
  | AboutKey<'key.expiring', { daysBefore: number }>
  | AboutApp<'publisher.added', { publisherId: string; repository: string; issuer: string }>
  | AboutApp<'publisher.removed', { publisherId: string }>
  | AboutKey<'publisher.key-issued', { appId: string; publisherId: string }>
  | AboutEndpoint<'webhook.created' | 'webhook.deleted' | 'webhook.enabled'>
  | AboutEndpoint<'webhook.updated', { changed: string[] }>
  /** Until `formerUntil` messages are also signed with the old secret. */
  | AboutEndpoint<'webhook.secret-rotated', { formerUntil: string }>
  | AboutEndpoint<'webhook.disabled', { reason: string }>
  | AboutApp<'app.created' | 'app.updated' | 'app.deleted' | 'app.withdrawn' | 'app.restored'>
  /** `resubmission`: it was submitted before. */
  | AboutApp<'app.submitted', { resubmission: boolean }>
  | AboutApp<'app.approved', { note: string | null } & Acknowledging>
  | AboutApp<'app.rejected', Rejecting>
  | AboutApp<'app.suspended' | 'app.edited', { reason: string }>
  | AboutApp<'app.featured' | 'app.unfeatured' | 'app.reported' | 'app.reports_dismissed'>
  | AboutApp<'app.pictures_changed', { pictures: ChangedPicture[] }>
  | AboutApp<'app.reason-addressed', { versionId: string | null; text: string }>
  /** `takenFrom`: the administrator who had claimed it before. */
  | AboutSubmission<'review.claimed', { takenFrom: string | null }>
  | AboutSubmission<'review.released'>
  | AboutSubmission<'review.overdue', { dueAt: string }>
  | AboutApp<'review.message-received' | 'review.message-sent', { text: string }>
  | AboutRating<
      'rating.created',
      { rating: number; authorName: string | null; title: string | null; text: string | null }
    >
  | AboutRating<`rating.${'updated' | 'removed' | 'replied' | 'unhidden' | 'reported' | 'reports_dismissed'}`>
  | AboutRating<'rating.hidden', { reason: string }>
  | AboutVersion<`version.${'created' | 'updated' | 'withdrawn' | 'discarded'}`>
  | AboutVersion<'version.submitted', { resubmission: boolean }>
  /** `conflicts`: the fields in which it would overwrite an edit of the live listing. */
  | AboutVersion<'version.rebased', { conflicts: string[] }>
  | AboutVersion<'version.approved', { note: string | null } & Acknowledging>
  | AboutVersion<'version.rejected', Rejecting>;

interface Revocation {
  /** The ancestor key whose revocation also revoked this key; absent if this key was revoked directly. */
  ancestorKeyId?: string;
  /** The descendants that were revoked together with this key; absent if there were none. */
  revokedDescendants?: KeyList;
  /** The descendants that are still active; absent if there are none. */
  livingDescendants?: KeyList;
}

interface Rejecting {
  reasons: RejectionReason[];
  guidance: string;
}

/** A change of the profile by an API key: the key, and the names of the changed fields. Both are absent for an account token. */
interface ByKey {
  keyId?: string;
  changed?: string[];
}

/** Codes of findings in spite of which something was approved, and why; absent if none needed a reason. Only administrators see them. */
export interface Acknowledging {
  acknowledged?: string[];
  acknowledgementReason?: string;
}

/** API keys at the time of the event: their number, and the first of them. */
export interface KeyList {
  count: number;
  first: { name: string; maskedKey: string }[];
}

/** A picture of a public app that differs from what was reviewed. */
export interface ChangedPicture {
  /** The field of the listing, such as `logoUrl`. */
  field: string;
  code: 'picture_changed' | 'picture_gone' | 'picture_moved';
}

export type EventKind = DomainEvent['kind'];

/** Events about an app that its developer does not see, neither in the timeline nor in subscriptions. */
export const administratorsOnly: ReadonlySet<string> = new Set<EventKind>([
  'app.reported',
  'app.reports_dismissed',
  'rating.reported',
  'rating.reports_dismissed',
]);

/** The event of a kind. Kinds with the same fields share one member of the union. */
export type EventOf<K extends EventKind, E = DomainEvent> = E extends { kind: infer Kinds }
  ? K extends Kinds
    ? E
    : never
  : never;

/** The name of a data field of an event. */
export type EventDataField = Exclude<
  DomainEvent extends infer Each ? (Each extends unknown ? keyof Each : never) : never,
  'kind' | 'developerId' | 'appId'
>;
