import { admin, developer } from '../../auth/policy.js';
import { Scope } from '../../auth/scope.js';
import { Nothing } from '../../operations/input.js';
import { inInput, mutation, query } from '../../operations/operation.js';
import {
  AdminWebhookChanges,
  CreateAdminWebhook,
  CreateWebhookEndpoint,
  ListEvents,
  ListWebhookDeliveries,
  UpdateAdminWebhook,
  UpdateWebhookEndpoint,
  WebhookDeliveryId,
  WebhookEndpointChanges,
  WebhookEndpointId,
} from './webhook.input.js';
import {
  DeletedWebhookEndpoint,
  EventConnection,
  IssuedWebhookEndpoint,
  WebhookDeliveryConnection,
} from './webhook.types.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { ownedBy, ownedByAdministration } from './webhook-owner.rules.js';

const secretOf = ({ url, id }: IssuedWebhookEndpoint) => `a secret of the webhook endpoint ${url} (id ${id})`;

/** Describes the fields of an endpoint that is changed. */
const changes =
  'Fields of the endpoint to change. Omitted fields stay as they are; `null` clears an optional field.';

export const createWebhookEndpoint = mutation({
  summary: 'Creates a webhook endpoint. Its secret is in this response and is never shown again.',
  catalog: 'none',
  policy: developer(Scope.WEBHOOK_MANAGE),
  input: CreateWebhookEndpoint,
  grouped: inInput('CreateWebhookEndpointInput', 'The webhook endpoint to create.', CreateWebhookEndpoint),
  output: IssuedWebhookEndpoint,
  shownOnce: secretOf,
  problems: ({ webhookEndpoints }, _caller, { url }) => webhookEndpoints.problemsOfUrl(url),
  run: ({ webhookEndpoints }, caller, input) => webhookEndpoints.create(ownedBy(caller), input),
});

export const myWebhookEndpoints = query({
  summary: "Lists the caller's webhook endpoints, newest first.",
  policy: developer(Scope.APP_READ),
  input: Nothing,
  output: [WebhookEndpoint],
  run: ({ webhookEndpoints }, caller) => webhookEndpoints.list(ownedBy(caller)),
});

export const updateWebhookEndpoint = mutation({
  summary: 'Changes the given fields of a webhook endpoint.',
  catalog: 'none',
  policy: developer(Scope.WEBHOOK_MANAGE),
  input: UpdateWebhookEndpoint,
  grouped: inInput('UpdateWebhookEndpointInput', changes, WebhookEndpointChanges),
  output: WebhookEndpoint,
  errors: ['NOT_FOUND'],
  problems: ({ webhookEndpoints }, _caller, { url }) => webhookEndpoints.problemsOfUrl(url),
  run: ({ webhookEndpoints }, caller, input) => webhookEndpoints.update(ownedBy(caller), input),
});

export const deleteWebhookEndpoint = mutation({
  summary: 'Deletes a webhook endpoint with its delivery log. Pending deliveries are cancelled.',
  catalog: 'none',
  policy: developer(Scope.WEBHOOK_MANAGE),
  input: WebhookEndpointId,
  output: DeletedWebhookEndpoint,
  errors: ['NOT_FOUND'],
  run: ({ webhookEndpoints }, caller, { id }) => webhookEndpoints.delete(ownedBy(caller), id),
});

export const rotateWebhookSecret = mutation({
  summary:
    'Gives a webhook endpoint a new secret. For 24 hours deliveries are signed with both the new and the former secret.',
  catalog: 'none',
  policy: developer(Scope.WEBHOOK_MANAGE),
  input: WebhookEndpointId,
  output: IssuedWebhookEndpoint,
  shownOnce: secretOf,
  errors: ['NOT_FOUND'],
  run: ({ webhookEndpoints }, caller, { id }) => webhookEndpoints.rotateSecret(ownedBy(caller), id),
});

export const enableWebhookEndpoint = mutation({
  summary: 'Enables a webhook endpoint that was disabled after failing for too long.',
  catalog: 'none',
  policy: developer(Scope.WEBHOOK_MANAGE),
  input: WebhookEndpointId,
  output: WebhookEndpoint,
  errors: ['NOT_FOUND'],
  run: ({ webhookEndpoints }, caller, { id }) => webhookEndpoints.enable(ownedBy(caller), id),
});

export const testWebhookEndpoint = mutation({
  summary:
    'Sends a `webhook.test` event to an endpoint, without retries. `webhookDeliveries` shows the result.',
  catalog: 'none',
  policy: developer(Scope.WEBHOOK_MANAGE),
  input: WebhookEndpointId,
  output: WebhookDelivery,
  errors: ['NOT_FOUND', 'QUOTA_EXCEEDED'],
  run: ({ webhookDeliveries: deliveries }, caller, { id }) => deliveries.test(ownedBy(caller), id),
});

export const webhookDeliveries = query({
  summary: 'Lists the deliveries to a webhook endpoint in the last 30 days, newest first.',
  policy: developer(Scope.APP_READ),
  input: ListWebhookDeliveries,
  output: WebhookDeliveryConnection,
  errors: ['NOT_FOUND'],
  run: ({ webhookDeliveries: deliveries }, caller, input) => deliveries.list(ownedBy(caller), input),
});

export const replayWebhookDelivery = mutation({
  summary: 'Sends a delivery again immediately, with the same id and body.',
  catalog: 'none',
  policy: developer(Scope.WEBHOOK_MANAGE),
  input: WebhookDeliveryId,
  output: WebhookDelivery,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ webhookDeliveries: deliveries }, caller, { id }) => deliveries.replay(ownedBy(caller), id),
});

export const events = query({
  summary: 'Lists the events of the caller and their apps, oldest first, for clients that poll.',
  policy: developer(null),
  input: ListEvents,
  output: EventConnection,
  run: ({ eventFeed }, caller, input) => eventFeed.list(caller, input),
});

/** The endpoints of the administration belong to all administrators together, so none of them is somebody's own. */
const administration = admin({ ownAllowed: 'The endpoints of the administration belong to nobody alone.' });

export const createAdminWebhook = mutation({
  summary:
    'Creates a webhook endpoint of the administration, which is told about work that waits for review. Its secret is in this response and is never shown again.',
  catalog: 'none',
  policy: administration,
  input: CreateAdminWebhook,
  grouped: inInput('CreateAdminWebhookInput', 'The webhook endpoint to create.', CreateAdminWebhook),
  output: IssuedWebhookEndpoint,
  shownOnce: secretOf,
  problems: ({ webhookEndpoints }, _caller, { url }) => webhookEndpoints.problemsOfUrl(url),
  run: ({ webhookEndpoints }, caller, input) => webhookEndpoints.create(ownedByAdministration(caller), input),
});

export const adminWebhooks = query({
  summary: 'Lists the webhook endpoints of the administration, newest first.',
  policy: administration,
  input: Nothing,
  output: [WebhookEndpoint],
  run: ({ webhookEndpoints }, caller) => webhookEndpoints.list(ownedByAdministration(caller)),
});

export const updateAdminWebhook = mutation({
  summary: 'Changes the given fields of a webhook endpoint of the administration.',
  catalog: 'none',
  policy: administration,
  input: UpdateAdminWebhook,
  grouped: inInput('UpdateAdminWebhookInput', changes, AdminWebhookChanges),
  output: WebhookEndpoint,
  errors: ['NOT_FOUND'],
  problems: ({ webhookEndpoints }, _caller, { url }) => webhookEndpoints.problemsOfUrl(url),
  run: ({ webhookEndpoints }, caller, input) => webhookEndpoints.update(ownedByAdministration(caller), input),
});

export const deleteAdminWebhook = mutation({
  summary: 'Deletes a webhook endpoint of the administration with its delivery log.',
  catalog: 'none',
  policy: administration,
  input: WebhookEndpointId,
  output: DeletedWebhookEndpoint,
  errors: ['NOT_FOUND'],
  run: ({ webhookEndpoints }, caller, { id }) => webhookEndpoints.delete(ownedByAdministration(caller), id),
});

export const rotateAdminWebhookSecret = mutation({
  summary:
    'Gives a webhook endpoint of the administration a new secret. For 24 hours deliveries are signed with both the new and the former secret.',
  catalog: 'none',
  policy: administration,
  input: WebhookEndpointId,
  output: IssuedWebhookEndpoint,
  shownOnce: secretOf,
  errors: ['NOT_FOUND'],
  run: ({ webhookEndpoints }, caller, { id }) =>
    webhookEndpoints.rotateSecret(ownedByAdministration(caller), id),
});

export const enableAdminWebhook = mutation({
  summary: 'Enables a webhook endpoint of the administration that was disabled after failing for too long.',
  catalog: 'none',
  policy: administration,
  input: WebhookEndpointId,
  output: WebhookEndpoint,
  errors: ['NOT_FOUND'],
  run: ({ webhookEndpoints }, caller, { id }) => webhookEndpoints.enable(ownedByAdministration(caller), id),
});

export const testAdminWebhook = mutation({
  summary:
    'Sends a `webhook.test` event to an endpoint of the administration, without retries. `adminWebhookDeliveries` shows the result.',
  catalog: 'none',
  policy: administration,
  input: WebhookEndpointId,
  output: WebhookDelivery,
  errors: ['NOT_FOUND', 'QUOTA_EXCEEDED'],
  run: ({ webhookDeliveries: deliveries }, caller, { id }) =>
    deliveries.test(ownedByAdministration(caller), id),
});

export const adminWebhookDeliveries = query({
  summary:
    'Lists the deliveries to a webhook endpoint of the administration in the last 30 days, newest first.',
  policy: administration,
  input: ListWebhookDeliveries,
  output: WebhookDeliveryConnection,
  errors: ['NOT_FOUND'],
  run: ({ webhookDeliveries: deliveries }, caller, input) =>
    deliveries.list(ownedByAdministration(caller), input),
});

export const replayAdminWebhookDelivery = mutation({
  summary: 'Sends a delivery of the administration again immediately, with the same id and body.',
  catalog: 'none',
  policy: administration,
  input: WebhookDeliveryId,
  output: WebhookDelivery,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ webhookDeliveries: deliveries }, caller, { id }) =>
    deliveries.replay(ownedByAdministration(caller), id),
});
