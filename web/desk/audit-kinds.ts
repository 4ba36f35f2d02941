import type { graphql } from '../client/graphql.ts';
import { eventText } from '../webhooks/event-words.ts';

type AuditKind = ReturnType<typeof graphql.scalar<'AuditKind'>>;

/** The sentences of the audit log, by the kind of the entry. The words in braces are names: who did it, the app, and the developer. */
export const auditSentences: Readonly<Record<AuditKind, string>> = {
  APP_APPROVED: '{actor} approved {app} of {developer}',
  APP_CREATED: '{actor} created the app {app}',
  APP_DELETED: '{actor} deleted an app of {developer}',
  APP_EDITED: '{actor} edited {app} of {developer}',
  APP_FEATURED: '{actor} made {app} of {developer} a staff pick',
  APP_PICTURES_CHANGED: 'Pictures of {app} differ from what was reviewed',
  APP_REASON_ADDRESSED: '{actor} addressed a reason for the rejection of {app}',
  APP_REJECTED: '{actor} rejected {app} of {developer}',
  APP_REPORTED: '{actor} reported {app} of {developer}',
  APP_REPORTS_DISMISSED: '{actor} dismissed the reports of {app}',
  APP_RESTORED: '{actor} restored {app} of {developer}',
  APP_SUBMITTED: '{actor} submitted {app} for review',
  APP_SUSPENDED: '{actor} took down {app} of {developer}',
  APP_UNFEATURED: '{actor} removed {app} of {developer} from the staff picks',
  APP_UPDATED: '{actor} changed {app}',
  APP_WITHDRAWN: '{actor} withdrew {app} from review',
  DEVELOPER_CHANGE_UNDONE: '{actor} undid a change of the profile of {developer}',
  DEVELOPER_EDITED: '{actor} edited the profile of {developer}',
  DEVELOPER_EMAIL_CHANGED: '{actor} changed the e-mail address of {developer}',
  DEVELOPER_EMAIL_LOST: '{developer} lost the e-mail address to another account',
  DEVELOPER_REGISTERED: '{developer} registered as a developer',
  DEVELOPER_REINSTATED: '{actor} reinstated {developer}',
  DEVELOPER_SUSPENDED: '{actor} suspended {developer}',
  DEVELOPER_UNVERIFIED: '{actor} took back the verification of {developer}',
  DEVELOPER_UPDATED: '{actor} changed the profile of {developer}',
  DEVELOPER_VERIFIED: '{actor} verified {developer}',
  KEY_CREATED: '{actor} created an API key',
  KEY_EXPIRING: 'An API key of {developer} is about to expire',
  KEY_LEAKED: 'An API key of {developer} was reported as leaked',
  KEY_REVOKED: '{actor} revoked an API key of {developer}',
  KEY_ROTATED: '{actor} replaced an API key',
  PUBLISHER_ADDED: '{actor} let a pipeline publish {app}',
  PUBLISHER_KEY_ISSUED: 'A pipeline got a key to publish {app}',
  PUBLISHER_REMOVED: '{actor} no longer lets a pipeline publish {app}',
  RATING_CREATED: '{actor} rated {app}',
  RATING_HIDDEN: '{actor} hid a rating of {app}',
  RATING_REMOVED: '{actor} removed a rating of {app}',
  RATING_REPLIED: '{actor} replied to a rating of {app}',
  RATING_REPORTED: '{actor} reported a rating of {app}',
  RATING_REPORTS_DISMISSED: '{actor} dismissed the reports of a rating of {app}',
  RATING_UNHIDDEN: '{actor} showed a rating of {app} again',
  RATING_UPDATED: '{actor} changed a rating of {app}',
  REVIEW_CLAIMED: '{actor} claimed the review of {app}',
  REVIEW_MESSAGE_RECEIVED: '{actor} sent {developer} a message about {app}',
  REVIEW_MESSAGE_SENT: '{actor} sent the reviewers a message about {app}',
  REVIEW_OVERDUE: 'The review of {app} became overdue',
  REVIEW_RELEASED: '{actor} released the review of {app}',
  VERSION_APPROVED: '{actor} approved a new version of {app}',
  VERSION_CREATED: '{actor} began a new version of {app}',
  VERSION_DISCARDED: '{actor} discarded the new version of {app}',
  VERSION_REBASED: '{actor} updated the new version of {app} to the public listing',
  VERSION_REJECTED: '{actor} rejected a new version of {app}',
  VERSION_SUBMITTED: '{actor} submitted a new version of {app} for review',
  VERSION_UPDATED: '{actor} changed the new version of {app}',
  VERSION_WITHDRAWN: '{actor} withdrew the new version of {app} from review',
  WEBHOOK_CREATED: '{actor} created a webhook',
  WEBHOOK_DELETED: '{actor} deleted a webhook',
  WEBHOOK_DISABLED: '{actor} turned off a webhook',
  WEBHOOK_ENABLED: '{actor} turned on a webhook',
  WEBHOOK_SECRET_ROTATED: '{actor} replaced the secret of a webhook',
  WEBHOOK_UPDATED: '{actor} changed a webhook',
};

/** Kinds that are no events of webhooks, or are told from the other side. */
const kindNames: Partial<Record<string, string>> = {
  APP_REASON_ADDRESSED: 'Reason marked as fixed',
  DEVELOPER_EMAIL_CHANGED: 'E-mail address changed',
  PUBLISHER_ADDED: 'Pipeline trusted',
  PUBLISHER_KEY_ISSUED: 'Pipeline got a key',
  PUBLISHER_REMOVED: 'Pipeline no longer trusted',
  RATING_UNHIDDEN: 'Rating shown again',
  REVIEW_MESSAGE_RECEIVED: 'Message to a developer',
  REVIEW_MESSAGE_SENT: 'Message to the reviewers',
};

/** Returns the name of a kind of entry, for a choice: the words that webhooks have for the same event. */
export const kindName = (kind: string): string =>
  kindNames[kind] ?? eventText(kind.toLowerCase().replace('_', '.'));

const timelineActors = {
  DEVELOPER: 'The developer',
  ADMINISTRATOR: 'An administrator',
  SYSTEM: 'The marketplace',
};

/** Returns the sentence of an entry in the history of one app, which need not name the app and its developer. */
export const timelineSentence = (kind: AuditKind, by: keyof typeof timelineActors): string =>
  auditSentences[kind]
    .replace(' of {developer}', '')
    .replace('the app {app}', '{app}')
    .replace('{actor}', timelineActors[by])
    .replace('{app}', 'the app')
    .replace('{developer}', 'the developer');

/** The kinds of entries of the audit log. */
export const auditKinds = Object.keys(auditSentences) as readonly AuditKind[];
