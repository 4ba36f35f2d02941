import type { DomainEvent, EventDataField, EventKind } from './event.types.js';

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

/** An event as a webhook endpoint receives it: its type there, and the data fields that it contains. */
export interface PublishedKind {
  type: string;
  facts: readonly EventDataField[];
}

/** The events that endpoints of the administration receive. */
const adminWebhooked = {
  'app.submitted': { type: 'app.submitted', facts: ['resubmission'] },
  'version.submitted': { type: 'version.submitted', facts: ['versionId', 'resubmission'] },
  // The developer's message is sent for one side and received by the other.
  'review.message-sent': { type: 'review.message_received', facts: ['text'] },
  'app.pictures_changed': { type: 'app.pictures_changed', facts: ['pictures'] },
  'review.overdue': { type: 'review.overdue', facts: ['versionId', 'dueAt'] },
  'webhook.disabled': { type: 'webhook.disabled', facts: ['endpointId', 'host', 'reason'] },
} as const satisfies { readonly [Kind in EventKind]?: PublishedKind };

/** The events that administrators are told about, by webhooks and by mail. */
export type ReviewerKind = keyof typeof adminWebhooked;
export type ReviewerEvent = DomainEvent & { kind: ReviewerKind };

/** The types that an endpoint of the administration can subscribe to, each with its data fields. */
export const adminEvents: Readonly<Record<string, readonly EventDataField[]>> = Object.fromEntries(
  Object.values(adminWebhooked).map(({ type, facts }) => [type, facts]),
);

/** Returns true for the events that administrators are told about. Of endpoints only those of the administration concern them. */
export const isForReviewers = <E extends Pick<DomainEvent, 'kind' | 'developerId'>>(
  event: E,
): event is E & { kind: ReviewerKind } =>
  Object.hasOwn(adminWebhooked, event.kind) &&
  (event.kind !== 'webhook.disabled' || event.developerId === null);

/** Returns how endpoints of the administration receive an event; null if they do not. */
export const asAdminEvent = (event: Pick<DomainEvent, 'kind' | 'developerId'>): PublishedKind | null =>
  isForReviewers(event) ? adminWebhooked[event.kind] : null;

/** Returns how a developer receives an event, by webhooks and in the feed; null if no developer does. */
export function asDeveloperEvent({ kind, developerId }: Pick<DomainEvent, 'kind' | 'developerId'>) {
  const facts = developerId === null ? undefined : webhooked[kind];
  return facts ? { type: kind, facts } : null;
}
