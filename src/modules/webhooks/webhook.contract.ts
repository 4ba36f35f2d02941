import { developer } from '../../auth/policy.js';
import { Nothing } from '../../operations/input.js';
import { mutation, query } from '../../operations/operation.js';
import {
  CreateWebhookEndpoint,
  ListEvents,
  ListWebhookDeliveries,
  UpdateWebhookEndpoint,
  WebhookDeliveryId,
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

export const createWebhookEndpoint = mutation({
  summary: 'Creates a webhook endpoint; its secret is in this answer and never again.',
  catalog: 'none',
  policy: developer(null),
  input: CreateWebhookEndpoint,
  output: IssuedWebhookEndpoint,
  problems: ({ webhookEndpoints }, _caller, { url }) => webhookEndpoints.problemsOfUrl(url),
  run: ({ webhookEndpoints }, caller, input) => webhookEndpoints.create(caller, input),
});

export const myWebhookEndpoints = query({
  summary: "Lists the caller's webhook endpoints, newest first.",
  policy: developer(null),
  input: Nothing,
  output: [WebhookEndpoint],
  run: ({ webhookEndpoints }, caller) => webhookEndpoints.list(caller),
});

export const updateWebhookEndpoint = mutation({
  summary: 'Changes the fields that are sent of a webhook endpoint.',
  catalog: 'none',
  policy: developer(null),
  input: UpdateWebhookEndpoint,
  output: WebhookEndpoint,
  errors: ['NOT_FOUND'],
  problems: ({ webhookEndpoints }, _caller, { url }) => webhookEndpoints.problemsOfUrl(url),
  run: ({ webhookEndpoints }, caller, input) => webhookEndpoints.update(caller, input),
});

export const deleteWebhookEndpoint = mutation({
  summary: 'Deletes a webhook endpoint with its delivery log; what was still to be sent is not.',
  catalog: 'none',
  policy: developer(null),
  input: WebhookEndpointId,
  output: DeletedWebhookEndpoint,
  errors: ['NOT_FOUND'],
  run: ({ webhookEndpoints }, caller, { id }) => webhookEndpoints.delete(caller, id),
});

export const rotateWebhookSecret = mutation({
  summary: 'Gives a webhook endpoint a new secret; the former one signs too for 24 hours.',
  catalog: 'none',
  policy: developer(null),
  input: WebhookEndpointId,
  output: IssuedWebhookEndpoint,
  errors: ['NOT_FOUND'],
  run: ({ webhookEndpoints }, caller, { id }) => webhookEndpoints.rotateSecret(caller, id),
});

export const enableWebhookEndpoint = mutation({
  summary: 'Switches a webhook endpoint on again.',
  catalog: 'none',
  policy: developer(null),
  input: WebhookEndpointId,
  output: WebhookEndpoint,
  errors: ['NOT_FOUND'],
  run: ({ webhookEndpoints }, caller, { id }) => webhookEndpoints.enable(caller, id),
});

export const testWebhookEndpoint = mutation({
  summary: 'Sends a `webhook.test` event to an endpoint, once; `webhookDeliveries` tells what came of it.',
  catalog: 'none',
  policy: developer(null),
  input: WebhookEndpointId,
  output: WebhookDelivery,
  errors: ['NOT_FOUND', 'QUOTA_EXCEEDED'],
  run: ({ webhookDeliveries: deliveries }, caller, { id }) => deliveries.test(caller, id),
});

export const webhookDeliveries = query({
  summary: 'Lists what was sent to a webhook endpoint in the last 30 days, newest first.',
  policy: developer(null),
  input: ListWebhookDeliveries,
  output: WebhookDeliveryConnection,
  errors: ['NOT_FOUND'],
  run: ({ webhookDeliveries: deliveries }, caller, input) => deliveries.list(caller, input),
});

export const replayWebhookDelivery = mutation({
  summary: 'Sends a delivery again, now, with the same id and body.',
  catalog: 'none',
  policy: developer(null),
  input: WebhookDeliveryId,
  output: WebhookDelivery,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ webhookDeliveries: deliveries }, caller, { id }) => deliveries.replay(caller, id),
});

export const events = query({
  summary: 'Lists what happened to the caller and their apps, oldest first, for those who poll.',
  policy: developer(null),
  input: ListEvents,
  output: EventConnection,
  run: ({ eventFeed }, caller, input) => eventFeed.list(caller, input),
});
