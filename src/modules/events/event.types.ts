import type { RejectionReason } from '../listings/rejection.types.js';
import type { PublisherEvent } from './publisher-event.types.js';

/** The fields that an event changed, with their old and new values. */
export interface EventChange {
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

/**
 * Everything that can happen in the marketplace, with the data that the audit log, mails and webhooks use. An event of a
 * webhook endpoint without a developer is about an endpoint of the administration.
 */
export type DomainEvent =
  | { kind: 'developer.registered'; developerId: string }
  | ({ kind: 'developer.updated'; developerId: string } & ByKey)
  | { kind: 'developer.verified' | 'developer.reinstated'; developerId: string }
  | {
      kind: 'developer.unverified' | 'developer.suspended' | 'developer.edited';
      developerId: string;
      reason: string;
    }
  | ({ kind: 'developer.email-changed'; developerId: string; formerEmail: string } & ByKey)
  | {
      kind: 'developer.change_undone';
      developerId: string;
      /** The key whose changes were undone. */
      keyId: string;
      /** True if the former e-mail address could not be restored, because another developer uses it now. */
      emailTaken: boolean;
    }
  | { kind: 'developer.email_lost'; developerId: string }
  | { kind: 'key.created'; developerId: string; keyId: string }
  | {
      kind: 'key.revoked' | 'key.leaked';
      developerId: string;
      keyId: string;
      /** The ancestor key whose revocation also revoked this key; absent if this key was revoked directly. */
      ancestorKeyId?: string;
      /** The descendants that were revoked together with this key; absent if there were none. */
      revokedDescendants?: KeyList;
      /** The descendants that are still active; absent if there are none. */
      livingDescendants?: KeyList;
    }
  | {
      kind: 'key.rotated';
      developerId: string;
      keyId: string;
      /** The key that it replaces, and when that key expires. */
      formerKeyId: string;
      formerUntil: string;
    }
  | PublisherEvent
  | { kind: 'key.expiring'; developerId: string; keyId: string; daysBefore: number }
  | {
      kind: 'webhook.created' | 'webhook.deleted' | 'webhook.enabled';
      developerId: string | null;
      endpointId: string;
      host: string;
    }
  | {
      kind: 'webhook.updated';
      developerId: string | null;
      endpointId: string;
      host: string;
      /** Names of the changed fields. */
      changed: string[];
    }
  | {
      kind: 'webhook.secret-rotated';
      developerId: string | null;
      endpointId: string;
      host: string;
      /** Until then messages are also signed with the old secret. */
      formerUntil: string;
    }
  | { kind: 'webhook.disabled'; developerId: string | null; endpointId: string; host: string; reason: string }
  | {
      kind: 'app.created' | 'app.updated' | 'app.deleted' | 'app.withdrawn';
      developerId: string;
      appId: string;
    }
  | {
      kind: 'app.submitted';
      developerId: string;
      appId: string;
      /** True if the app was submitted before. */
      resubmission: boolean;
    }
  | { kind: 'app.restored'; developerId: string; appId: string }
  | ({ kind: 'app.approved'; developerId: string; appId: string; note: string | null } & Acknowledging)
  | { kind: 'app.rejected'; developerId: string; appId: string; reasons: RejectionReason[]; guidance: string }
  | { kind: 'app.suspended' | 'app.edited'; developerId: string; appId: string; reason: string }
  | { kind: 'app.featured' | 'app.unfeatured'; developerId: string; appId: string }
  | { kind: 'app.reported' | 'app.reports_dismissed'; developerId: string; appId: string }
  | { kind: 'app.pictures_changed'; developerId: string; appId: string; pictures: ChangedPicture[] }
  | {
      kind: 'app.reason-addressed';
      developerId: string;
      appId: string;
      versionId: string | null;
      text: string;
    }
  | {
      kind: 'review.claimed';
      developerId: string;
      appId: string;
      submissionId: string;
      versionId: string | null;
      /** The administrator who had claimed it before. */
      takenFrom: string | null;
    }
  | {
      kind: 'review.released';
      developerId: string;
      appId: string;
      submissionId: string;
      versionId: string | null;
    }
  | {
      kind: 'review.overdue';
      developerId: string;
      appId: string;
      submissionId: string;
      versionId: string | null;
      dueAt: string;
    }
  | {
      kind: 'review.message-received' | 'review.message-sent';
      developerId: string;
      appId: string;
      text: string;
    }
  | {
      kind: 'rating.created';
      developerId: string;
      appId: string;
      ratingId: string;
      rating: number;
      authorName: string | null;
      title: string | null;
      text: string | null;
    }
  | {
      kind:
        | 'rating.updated'
        | 'rating.removed'
        | 'rating.replied'
        | 'rating.unhidden'
        | 'rating.reported'
        | 'rating.reports_dismissed';
      developerId: string;
      appId: string;
      ratingId: string;
    }
  | { kind: 'rating.hidden'; developerId: string; appId: string; ratingId: string; reason: string }
  | { kind: VersionEventKind; developerId: string; appId: string; versionId: string }
  | ({
      kind: 'version.approved';
      developerId: string;
      appId: string;
      versionId: string;
      note: string | null;
    } & Acknowledging)
  | {
      kind: 'version.submitted';
      developerId: string;
      appId: string;
      versionId: string;
      /** True if the version was submitted before. */
      resubmission: boolean;
    }
  | {
      kind: 'version.rebased';
      developerId: string;
      appId: string;
      versionId: string;
      /** The fields in which it would overwrite an edit of the live listing. */
      conflicts: string[];
    }
  | {
      kind: 'version.rejected';
      developerId: string;
      appId: string;
      versionId: string;
      reasons: RejectionReason[];
      guidance: string;
    };

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

type VersionEventKind = `version.${'created' | 'updated' | 'withdrawn' | 'discarded'}`;

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

/** The events that webhooks and the event feed publish, each with the data fields that developers may see. */
export const webhooked: { readonly [Kind in EventKind]?: readonly EventDataField[] } = {
  'developer.verified': [],
  'developer.unverified': ['reason'],
  'developer.suspended': ['reason'],
  'developer.reinstated': [],
  'developer.edited': ['reason'],
  'developer.email-changed': [],
  'developer.change_undone': ['keyId', 'emailTaken'],
  'developer.email_lost': [],
  'key.created': ['keyId'],
  'key.revoked': ['keyId', 'ancestorKeyId'],
  'key.rotated': ['keyId', 'formerKeyId', 'formerUntil'],
  'key.leaked': ['keyId'],
  'key.expiring': ['keyId', 'daysBefore'],
  'app.submitted': [],
  'app.approved': ['note'],
  'app.rejected': ['reasons', 'guidance'],
  'app.suspended': ['reason'],
  'app.restored': [],
  'app.edited': ['reason'],
  'app.featured': [],
  'app.unfeatured': [],
  'app.pictures_changed': ['pictures'],
  'review.message-received': ['text'],
  'rating.created': ['ratingId', 'rating', 'authorName', 'title', 'text'],
  'version.created': ['versionId'],
  'version.updated': ['versionId'],
  'version.rebased': ['versionId', 'conflicts'],
  'version.submitted': ['versionId'],
  'version.withdrawn': ['versionId'],
  'version.discarded': ['versionId'],
  'version.approved': ['versionId', 'note'],
  'version.rejected': ['versionId', 'reasons', 'guidance'],
  'webhook.disabled': ['endpointId', 'host', 'reason'],
};
