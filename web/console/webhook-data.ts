import type { ResultOf } from 'gql.tada';
import { graphql } from '../client/graphql.ts';

export const WebhookFields = graphql(`
  fragment WebhookFields on WebhookEndpoint {
    id
    url
    description
    eventKinds
    status
    createdAt
    disabledAt
    disabledReason
    failingSince
    formerSecretUntil
  }
`);
export type WebhookData = ResultOf<typeof WebhookFields>;

/** The endpoints are at most ten, so every page about them reads them all. */
export const WebhooksQuery = graphql(
  `
    query ConsoleWebhooks {
      myWebhookEndpoints {
        ...WebhookFields
      }
    }
  `,
  [WebhookFields],
);

export type EventKind = ReturnType<typeof graphql.scalar<'EventKind'>>;

/** The events that can be sent, by subject. The type makes sure that none is missing. */
export const eventKinds: Record<EventKind, { group: string; meaning: string }> = {
  APP_SUBMITTED: { group: 'Apps', meaning: 'An app was submitted' },
  APP_APPROVED: { group: 'Apps', meaning: 'An app was approved' },
  APP_REJECTED: { group: 'Apps', meaning: 'An app was rejected' },
  APP_EDITED: { group: 'Apps', meaning: 'An administrator edited an app' },
  APP_SUSPENDED: { group: 'Apps', meaning: 'An app was taken down' },
  APP_RESTORED: { group: 'Apps', meaning: 'An app is public again' },
  APP_FEATURED: { group: 'Apps', meaning: 'An app is featured' },
  APP_UNFEATURED: { group: 'Apps', meaning: 'An app is no longer featured' },
  RATING_CREATED: { group: 'Apps', meaning: 'An app was rated' },
  REVIEW_MESSAGE_RECEIVED: { group: 'Reviews', meaning: 'A reviewer wrote to you' },
  REVIEW_OVERDUE: { group: 'Reviews', meaning: 'A review is overdue' },
  VERSION_CREATED: { group: 'Versions', meaning: 'A version was started' },
  VERSION_UPDATED: { group: 'Versions', meaning: 'A version was changed' },
  VERSION_SUBMITTED: { group: 'Versions', meaning: 'A version was submitted' },
  VERSION_WITHDRAWN: { group: 'Versions', meaning: 'A version was withdrawn' },
  VERSION_APPROVED: { group: 'Versions', meaning: 'A version was approved' },
  VERSION_REJECTED: { group: 'Versions', meaning: 'A version was rejected' },
  VERSION_REBASED: { group: 'Versions', meaning: 'A version took over edits' },
  VERSION_DISCARDED: { group: 'Versions', meaning: 'A version was discarded' },
  KEY_CREATED: { group: 'Keys', meaning: 'A key was created' },
  KEY_ROTATED: { group: 'Keys', meaning: 'A key was rotated' },
  KEY_REVOKED: { group: 'Keys', meaning: 'A key was revoked' },
  KEY_EXPIRING: { group: 'Keys', meaning: 'A key expires soon' },
  KEY_LEAKED: { group: 'Keys', meaning: 'A key was reported as leaked' },
  DEVELOPER_VERIFIED: { group: 'Your account', meaning: 'You were verified' },
  DEVELOPER_UNVERIFIED: { group: 'Your account', meaning: 'Your verification was withdrawn' },
  DEVELOPER_SUSPENDED: { group: 'Your account', meaning: 'You were suspended' },
  DEVELOPER_REINSTATED: { group: 'Your account', meaning: 'Your suspension ended' },
  DEVELOPER_EMAIL_CHANGED: { group: 'Your account', meaning: 'Your e-mail address changed' },
  WEBHOOK_DISABLED: { group: 'Your account', meaning: 'A webhook was disabled' },
};
