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

/** The kinds of events that can be sent. The type makes sure that none is missing. */
const allKinds: Record<EventKind, true> = {
  APP_SUBMITTED: true,
  APP_APPROVED: true,
  APP_REJECTED: true,
  APP_EDITED: true,
  APP_PICTURES_CHANGED: true,
  APP_SUSPENDED: true,
  APP_RESTORED: true,
  APP_FEATURED: true,
  APP_UNFEATURED: true,
  RATING_CREATED: true,
  REVIEW_MESSAGE_RECEIVED: true,
  REVIEW_OVERDUE: true,
  VERSION_CREATED: true,
  VERSION_UPDATED: true,
  VERSION_SUBMITTED: true,
  VERSION_WITHDRAWN: true,
  VERSION_APPROVED: true,
  VERSION_REJECTED: true,
  VERSION_REBASED: true,
  VERSION_DISCARDED: true,
  KEY_CREATED: true,
  KEY_ROTATED: true,
  KEY_REVOKED: true,
  KEY_EXPIRING: true,
  KEY_LEAKED: true,
  DEVELOPER_VERIFIED: true,
  DEVELOPER_UNVERIFIED: true,
  DEVELOPER_SUSPENDED: true,
  DEVELOPER_REINSTATED: true,
  DEVELOPER_CHANGE_UNDONE: true,
  DEVELOPER_EDITED: true,
  DEVELOPER_EMAIL_CHANGED: true,
  DEVELOPER_EMAIL_LOST: true,
  WEBHOOK_DISABLED: true,
};
export const eventKinds = Object.keys(allKinds) as EventKind[];

/** The kinds of the first release, whose types have a hyphen; those of later ones have an underscore. */
const hyphenated: ReadonlySet<EventKind> = new Set(['REVIEW_MESSAGE_RECEIVED', 'DEVELOPER_EMAIL_CHANGED']);

/** `REVIEW_MESSAGE_RECEIVED` as `review.message-received`, the type of messages. */
export const typeOf = (kind: EventKind): string => {
  const type = kind.toLowerCase().replace('_', '.');
  return hyphenated.has(kind) ? type.replaceAll('_', '-') : type;
};
