import { Link } from 'wouter-preact';
import { graphql } from '../client/graphql.ts';
import { NotFound } from '../components/not-found.tsx';
import { DeliveryListFields, WebhookFields, type WebhookKind } from '../webhooks/webhook-data.ts';
import { WebhookIntroduction } from '../webhooks/webhook-introduction.tsx';
import { WebhookList } from '../webhooks/webhook-list.tsx';
import { WebhookPage } from '../webhooks/webhook-page.tsx';
import { useRowKeys } from './row-keys.ts';

const documents = {
  list: graphql(`query DeskWebhooks { endpoints: adminWebhooks { ...WebhookFields } }`, [WebhookFields]),
  create: graphql(`
    mutation DeskCreateWebhook($input: CreateAdminWebhookInput!) {
      endpoint: createAdminWebhook(input: $input) { id secret }
    }
  `),
  update: graphql(
    `
    mutation DeskUpdateWebhook($id: ID!, $input: UpdateAdminWebhookInput!) {
      endpoint: updateAdminWebhook(id: $id, input: $input) { ...WebhookFields }
    }
  `,
    [WebhookFields],
  ),
  enable: graphql(`
    mutation DeskEnableWebhook($id: ID!) { endpoint: enableAdminWebhook(id: $id) { id } }
  `),
  rotateSecret: graphql(`
    mutation DeskRotateWebhookSecret($id: ID!) { endpoint: rotateAdminWebhookSecret(id: $id) { id secret } }
  `),
  remove: graphql(`
    mutation DeskDeleteWebhook($id: ID!) { endpoint: deleteAdminWebhook(id: $id) { id } }
  `),
  test: graphql(`
    mutation DeskTestWebhook($id: ID!) { delivery: testAdminWebhook(id: $id) { id } }
  `),
  deliveries: graphql(
    `
    query DeskDeliveries($endpointId: ID!, $first: Int!, $after: String) {
      deliveries: adminWebhookDeliveries(endpointId: $endpointId, first: $first, after: $after) {
        ...DeliveryListFields
      }
    }
  `,
    [DeliveryListFields],
  ),
  replay: graphql(`
    mutation DeskReplayDelivery($id: ID!) { delivery: replayAdminWebhookDelivery(id: $id) { id } }
  `),
};

const eventTypes = [
  'app.submitted',
  'version.submitted',
  'review.message_received',
  'review.overdue',
  'app.pictures_changed',
  'webhook.disabled',
];

const kind: WebhookKind = {
  area: 'Review desk',
  purpose:
    'We send a signed POST request to your server when something needs an administrator. All administrators share these endpoints.',
  eventTypes,
  introduction: <WebhookIntroduction types={eventTypes} example="app.submitted" />,
  draft: 'new-admin-endpoint',
  documents,
};

/** The webhook endpoints of the administration. */
export function WebhooksPage() {
  useRowKeys();
  return <WebhookList kind={kind} />;
}

/** One of them, with its deliveries. */
export const WebhookDeliveriesPage = ({ id }: { id: string }) => (
  <WebhookPage
    kind={kind}
    id={id}
    missing={
      <NotFound area={kind.area} what="endpoint">
        <Link href="/webhooks">See all webhooks</Link>
      </NotFound>
    }
  />
);
