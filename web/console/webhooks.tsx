import { graphql } from '../client/graphql.ts';
import { DeliveryListFields, WebhookFields, type WebhookKind } from '../webhooks/webhook-data.ts';
import { WebhookIntroduction } from '../webhooks/webhook-introduction.tsx';
import { WebhookList } from '../webhooks/webhook-list.tsx';
import { WebhookPage } from '../webhooks/webhook-page.tsx';
import { NotFound } from './not-found.tsx';

const documents = {
  list: graphql(`query ConsoleWebhooks { endpoints: myWebhookEndpoints { ...WebhookFields } }`, [
    WebhookFields,
  ]),
  create: graphql(`
    mutation ConsoleCreateWebhook($input: CreateWebhookEndpointInput!) {
      endpoint: createWebhookEndpoint(input: $input) { id secret }
    }
  `),
  update: graphql(
    `
    mutation ConsoleUpdateWebhook($id: ID!, $input: UpdateWebhookEndpointInput!) {
      endpoint: updateWebhookEndpoint(id: $id, input: $input) { ...WebhookFields }
    }
  `,
    [WebhookFields],
  ),
  enable: graphql(`
    mutation ConsoleEnableWebhook($id: ID!) { endpoint: enableWebhookEndpoint(id: $id) { id } }
  `),
  rotateSecret: graphql(`
    mutation ConsoleRotateWebhookSecret($id: ID!) { endpoint: rotateWebhookSecret(id: $id) { id secret } }
  `),
  remove: graphql(`
    mutation ConsoleDeleteWebhook($id: ID!) { endpoint: deleteWebhookEndpoint(id: $id) { id } }
  `),
  test: graphql(`
    mutation ConsoleTestWebhook($id: ID!) { delivery: testWebhookEndpoint(id: $id) { id } }
  `),
  deliveries: graphql(
    `
    query ConsoleDeliveries($endpointId: ID!, $first: Int!, $after: String) {
      deliveries: webhookDeliveries(endpointId: $endpointId, first: $first, after: $after) {
        ...DeliveryListFields
      }
    }
  `,
    [DeliveryListFields],
  ),
  replay: graphql(`
    mutation ConsoleReplayDelivery($id: ID!) { delivery: replayWebhookDelivery(id: $id) { id } }
  `),
};

type EventKind = ReturnType<typeof graphql.scalar<'EventKind'>>;

/** The type of each kind of event, as messages have it; null for one that only the administration receives. */
const types: Readonly<Record<EventKind, string | null>> = {
  APP_SUBMITTED: 'app.submitted',
  APP_APPROVED: 'app.approved',
  APP_REJECTED: 'app.rejected',
  APP_EDITED: 'app.edited',
  APP_PICTURES_CHANGED: 'app.pictures_changed',
  APP_SUSPENDED: 'app.suspended',
  APP_RESTORED: 'app.restored',
  APP_FEATURED: 'app.featured',
  APP_UNFEATURED: 'app.unfeatured',
  RATING_CREATED: 'rating.created',
  REVIEW_MESSAGE_RECEIVED: 'review.message-received',
  REVIEW_OVERDUE: null,
  VERSION_CREATED: 'version.created',
  VERSION_UPDATED: 'version.updated',
  VERSION_SUBMITTED: 'version.submitted',
  VERSION_WITHDRAWN: 'version.withdrawn',
  VERSION_APPROVED: 'version.approved',
  VERSION_REJECTED: 'version.rejected',
  VERSION_REBASED: 'version.rebased',
  VERSION_DISCARDED: 'version.discarded',
  KEY_CREATED: 'key.created',
  KEY_ROTATED: 'key.rotated',
  KEY_REVOKED: 'key.revoked',
  KEY_EXPIRING: 'key.expiring',
  KEY_LEAKED: 'key.leaked',
  DEVELOPER_VERIFIED: 'developer.verified',
  DEVELOPER_UNVERIFIED: 'developer.unverified',
  DEVELOPER_SUSPENDED: 'developer.suspended',
  DEVELOPER_REINSTATED: 'developer.reinstated',
  DEVELOPER_CHANGE_UNDONE: 'developer.change_undone',
  DEVELOPER_EDITED: 'developer.edited',
  DEVELOPER_EMAIL_CHANGED: 'developer.email-changed',
  DEVELOPER_EMAIL_LOST: 'developer.email_lost',
  WEBHOOK_DISABLED: 'webhook.disabled',
};

const eventTypes = Object.values(types).filter((type) => type !== null);

const kind: WebhookKind = {
  area: 'Developer console',
  purpose:
    'We send a signed POST request to your server when something happens, such as a decision on an app.',
  eventTypes,
  introduction: <WebhookIntroduction types={eventTypes} example="app.approved" />,
  draft: 'new-endpoint',
  documents,
};

/** The developer's webhook endpoints. */
export const WebhooksPage = () => <WebhookList kind={kind} />;

/** One of them, with its deliveries. */
export const WebhookDeliveriesPage = ({ params: { id } }: { params: { id: string } }) => (
  <WebhookPage kind={kind} id={id} missing={<NotFound what="endpoint" />} />
);
