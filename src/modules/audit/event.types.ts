import type { RejectionReason } from '../apps/app.types.js';

/** What happens in the marketplace, and what those who are told of it need to know. */
export type DomainEvent =
  | { kind: 'developer.registered' | 'developer.updated'; developerId: string }
  | { kind: 'developer.verified' | 'developer.reinstated'; developerId: string }
  | { kind: 'developer.unverified' | 'developer.suspended'; developerId: string; reason: string }
  | { kind: 'developer.email-changed'; developerId: string; formerEmail: string }
  | { kind: 'key.created'; developerId: string; keyId: string }
  | {
      kind: 'key.revoked' | 'key.leaked';
      developerId: string;
      keyId: string;
      /** The key that it descends from and was revoked with; absent where it was revoked by itself. */
      ancestorKeyId?: string;
      /** The descendants that were revoked with it; absent where none was. */
      revokedDescendants?: KeyList;
      /** The descendants that still work; absent where none does. */
      livingDescendants?: KeyList;
    }
  | {
      kind: 'key.rotated';
      developerId: string;
      keyId: string;
      /** The key that it takes the place of, and until when that one works. */
      formerKeyId: string;
      formerUntil: string;
    }
  | { kind: 'key.expiring'; developerId: string; keyId: string; daysBefore: number }
  | {
      kind: 'webhook.created' | 'webhook.deleted' | 'webhook.enabled';
      developerId: string;
      endpointId: string;
      host: string;
    }
  | {
      kind: 'webhook.updated';
      developerId: string;
      endpointId: string;
      host: string;
      /** The fields whose value is a new one. */
      changed: string[];
    }
  | {
      kind: 'webhook.secret-rotated';
      developerId: string;
      endpointId: string;
      host: string;
      /** Until when messages are also signed with the former secret. */
      formerUntil: string;
    }
  | { kind: 'webhook.disabled'; developerId: string; endpointId: string; host: string; reason: string }
  | {
      kind: 'app.created' | 'app.updated' | 'app.deleted' | 'app.withdrawn';
      developerId: string;
      appId: string;
    }
  | { kind: 'app.submitted' | 'app.restored'; developerId: string; appId: string }
  | { kind: 'app.approved'; developerId: string; appId: string; note: string | null }
  | { kind: 'app.rejected'; developerId: string; appId: string; reasons: RejectionReason[]; guidance: string }
  | { kind: 'app.suspended' | 'app.edited'; developerId: string; appId: string; reason: string }
  | { kind: 'app.featured' | 'app.unfeatured'; developerId: string; appId: string }
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
      /** The administrator who held it until now. */
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
      title: string | null;
      text: string | null;
    }
  | {
      kind: 'rating.updated' | 'rating.removed' | 'rating.replied' | 'rating.unhidden';
      developerId: string;
      appId: string;
      ratingId: string;
    }
  | { kind: 'rating.hidden'; developerId: string; appId: string; ratingId: string; reason: string }
  | { kind: VersionAct; developerId: string; appId: string; versionId: string }
  | {
      kind: 'version.rebased';
      developerId: string;
      appId: string;
      versionId: string;
      /** The fields in which it would replace an edit of the live listing. */
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

/** Some of an owner's keys, as they were then; of many only the first are listed. */
export interface KeyList {
  count: number;
  first: { name: string; maskedKey: string }[];
}

type VersionAct = `version.${'created' | 'updated' | 'submitted' | 'withdrawn' | 'discarded' | 'approved'}`;

export type EventKind = DomainEvent['kind'];

/**
 * When a mail is sent. `at-once`: always, since SPEC asks for it, or since it is its counterpart for versions.
 * `gathered`: the first to an address at once, those of the same kind within the next hour in one mail (D110).
 */
type MailTiming = 'at-once' | 'gathered';

/**
 * The events that are mailed, and when: to the developer, unless the event is recorded with other recipients.
 * Each kind needs its template: see notifications/mail.templates.ts.
 */
const mailTimings = {
  'developer.verified': 'at-once',
  'developer.unverified': 'gathered',
  'developer.suspended': 'gathered',
  'developer.reinstated': 'gathered',
  'developer.email-changed': 'gathered',
  'key.created': 'gathered',
  'key.revoked': 'gathered',
  'key.rotated': 'gathered',
  'key.leaked': 'gathered',
  'key.expiring': 'gathered',
  'webhook.created': 'gathered',
  'webhook.updated': 'gathered',
  'webhook.deleted': 'gathered',
  'webhook.secret-rotated': 'gathered',
  'webhook.enabled': 'gathered',
  'webhook.disabled': 'gathered',
  'app.submitted': 'gathered',
  'app.approved': 'at-once',
  'app.rejected': 'at-once',
  'app.suspended': 'gathered',
  'app.restored': 'gathered',
  'app.edited': 'gathered',
  'review.message-received': 'gathered',
  'review.message-sent': 'gathered',
  'version.submitted': 'gathered',
  'version.approved': 'at-once',
  'version.rejected': 'at-once',
} as const satisfies { readonly [Kind in EventKind]?: MailTiming };

/** A fact that some event carries besides its kind and whom it is about. */
type EventFact = Exclude<
  DomainEvent extends infer Event ? (Event extends unknown ? keyof Event : never) : never,
  'kind' | 'developerId' | 'appId'
>;

/** The events that webhooks and the feed tell of: those of the mails and more, each with the facts that leave the house. */
export const webhooked: { readonly [Kind in EventKind]?: readonly EventFact[] } = {
  'developer.verified': [],
  'developer.unverified': ['reason'],
  'developer.suspended': ['reason'],
  'developer.reinstated': [],
  'developer.email-changed': [],
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
  'review.message-received': ['text'],
  'rating.created': ['ratingId', 'rating', 'title', 'text'],
  'version.created': ['versionId'],
  'version.updated': ['versionId'],
  'version.rebased': ['versionId', 'conflicts'],
  'version.submitted': ['versionId'],
  'version.withdrawn': ['versionId'],
  'version.discarded': ['versionId'],
  'version.approved': ['versionId'],
  'version.rejected': ['versionId', 'reasons', 'guidance'],
  'webhook.disabled': ['endpointId', 'host', 'reason'],
};

export type MailedKind = keyof typeof mailTimings;
export type MailedEvent = DomainEvent & { kind: MailedKind };

export const mailed: ReadonlySet<MailedKind> = new Set(Object.keys(mailTimings) as MailedKind[]);
export const isMailed = (event: DomainEvent): event is MailedEvent => Object.hasOwn(mailTimings, event.kind);
export const isGathered = (kind: MailedKind): boolean => mailTimings[kind] === 'gathered';
