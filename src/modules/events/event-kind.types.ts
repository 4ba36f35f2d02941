import 'reflect-metadata';
import { describeEnum } from '../../operations/enum-type.js';
import type { EventKind } from './event.types.js';
import { webhooked } from './published-event.types.js';

/** Every kind of event, with its description in the API. */
const kindMeanings: Readonly<Record<EventKind, string>> = {
  'developer.registered': 'An account registered as a developer.',
  'developer.updated': 'A developer changed their profile, but not the e-mail address.',
  'developer.verified': 'A developer was verified.',
  'developer.unverified': 'The verification of a developer was withdrawn.',
  'developer.suspended': 'A developer was suspended.',
  'developer.reinstated': 'The suspension of a developer ended.',
  'developer.edited': 'An administrator edited the profile of a developer.',
  'developer.email-changed': 'A developer changed their e-mail address.',
  'developer.change_undone': 'Changes of a profile that an API key had made were undone.',
  'developer.email_lost': 'A developer lost their e-mail address to an account that has proven it.',
  'key.created': 'An API key was created.',
  'key.revoked': 'An API key was revoked.',
  'key.rotated': 'An API key was replaced by a new one.',
  'key.leaked': 'An API key was reported as leaked and revoked.',
  'key.expiring': 'An API key expires in 14, 3 or 1 days.',
  'publisher.added': 'A pipeline was trusted to publish an app.',
  'publisher.removed': 'The trust in a pipeline was withdrawn.',
  'publisher.key-issued': 'A pipeline exchanged its identity for an API key.',
  'webhook.created': 'A webhook endpoint was created.',
  'webhook.updated': 'A webhook endpoint was changed.',
  'webhook.deleted': 'A webhook endpoint was deleted.',
  'webhook.enabled': 'A webhook endpoint was enabled again.',
  'webhook.disabled': 'A webhook endpoint was disabled, because it failed for too long.',
  'webhook.secret-rotated': 'A webhook endpoint got a new secret.',
  'app.created': 'An app was created.',
  'app.updated': 'An app was changed by its developer.',
  'app.deleted': 'An app was deleted.',
  'app.submitted': 'An app was submitted for review.',
  'app.withdrawn': 'An app was withdrawn from review.',
  'app.approved': 'An app was approved and is public.',
  'app.rejected': 'An app was rejected.',
  'app.reason-addressed': 'A developer marked a rejection reason as addressed, or as not addressed.',
  'app.suspended': 'An administrator took an app down.',
  'app.restored': 'An app that was taken down is public again.',
  'app.edited': 'An administrator edited an app.',
  'app.featured': 'An app was added to the featured list.',
  'app.unfeatured': 'An app was removed from the featured list.',
  'app.pictures_changed': 'Pictures of a public app differ from what was reviewed.',
  'app.reported': 'An account reported an app, or changed its report.',
  'app.reports_dismissed': 'An administrator dismissed the reports of an app.',
  'review.claimed': 'An administrator claimed a submission.',
  'review.released': 'An administrator released a submission.',
  'review.message-received': 'A reviewer sent a message to the developer of an app.',
  'review.message-sent': 'A developer sent a message to the reviewers.',
  'review.overdue': 'A submission was not decided by its due time.',
  'rating.created': 'An account rated an app.',
  'rating.updated': 'An account changed its rating of an app.',
  'rating.removed': 'An account removed its rating of an app.',
  'rating.replied': 'A developer changed the reply to a rating.',
  'rating.hidden': 'An administrator hid a rating.',
  'rating.unhidden': 'An administrator made a hidden rating visible again.',
  'rating.reported': 'An account reported a rating, or changed the reason of its report.',
  'rating.reports_dismissed': 'An administrator dismissed the reports of a rating.',
  'version.created': 'A new version of an app was created.',
  'version.updated': 'A version was changed.',
  'version.rebased': 'A version took over edits of the live listing.',
  'version.submitted': 'A version was submitted for review.',
  'version.withdrawn': 'A version was withdrawn from review.',
  'version.discarded': 'A version was discarded.',
  'version.approved': 'A version was approved and is the live listing.',
  'version.rejected': 'A version was rejected.',
};

/** Returns the name of a kind as an enum value: `DEVELOPER_EMAIL_CHANGED` for `developer.email-changed` (D150). */
const enumName = (kind: string) => kind.replaceAll(/[.-]/g, '_').toUpperCase();

/** An enum whose values are kinds: GraphQL shows the names, the code uses the kinds. */
type KindEnum = Readonly<Record<string, EventKind>>;

const enumOf = (kinds: readonly string[]): KindEnum =>
  Object.fromEntries(kinds.map((kind) => [enumName(kind), kind as EventKind]));

const meaningsOf = (kinds: KindEnum) =>
  Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, `\`${kind}\`: ${kindMeanings[kind]}`]),
  );

/** Every kind of event. */
export const auditKinds = enumOf(Object.keys(kindMeanings));
describeEnum(
  auditKinds,
  'AuditKind',
  'Every kind of event in the audit log and in timelines: its name in upper case, with underscores instead of dots and hyphens.',
  meaningsOf(auditKinds),
);

/** The kinds of events that webhooks and the events feed publish. */
export const publishedKinds = enumOf([...Object.keys(webhooked), 'review.overdue']);
describeEnum(
  publishedKinds,
  'EventKind',
  'A kind of event of the events feed and of webhooks: the `type` of messages in upper case, with underscores instead of dots and hyphens.',
  meaningsOf(publishedKinds),
);

/** Returns the published kind with this name; null for others, such as `webhook.test`. */
export const publishedKind = (type: string): EventKind | null => publishedKinds[enumName(type)] ?? null;
