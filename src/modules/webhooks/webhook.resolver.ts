import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { z } from 'zod';
import type { Context } from '../../operations/context.js';
import { ArgOf, Expose, InputOf } from '../../operations/expose.js';
import { call } from '../../operations/operation.js';
import * as contract from './webhook.contract.js';
import {
  CreateWebhookEndpoint,
  ListEvents,
  ListWebhookDeliveries,
  WebhookDeliveryId,
  WebhookEndpointChanges,
  WebhookEndpointId,
} from './webhook.input.js';
import { WebhookAttempt } from './webhook-attempt.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';

/** The GraphQL fields of webhooks and of the events feed. */
@Resolver(() => WebhookDelivery)
export class WebhookResolver {
  @Expose(contract.createWebhookEndpoint)
  createWebhookEndpoint(
    @InputOf('CreateWebhookEndpointInput', CreateWebhookEndpoint)
    input: z.input<typeof CreateWebhookEndpoint>,
    @Ctx() context: Context,
  ) {
    return call(contract.createWebhookEndpoint, context, input);
  }

  @Expose(contract.myWebhookEndpoints)
  myWebhookEndpoints(@Ctx() context: Context) {
    return call(contract.myWebhookEndpoints, context, {});
  }

  @Expose(contract.updateWebhookEndpoint)
  updateWebhookEndpoint(
    @ArgOf(WebhookEndpointId, 'id') id: string,
    @InputOf('UpdateWebhookEndpointInput', WebhookEndpointChanges)
    input: z.input<typeof WebhookEndpointChanges>,
    @Ctx() context: Context,
  ) {
    return call(contract.updateWebhookEndpoint, context, { ...input, id });
  }

  @Expose(contract.deleteWebhookEndpoint)
  deleteWebhookEndpoint(@ArgOf(WebhookEndpointId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.deleteWebhookEndpoint, context, { id });
  }

  @Expose(contract.rotateWebhookSecret)
  rotateWebhookSecret(@ArgOf(WebhookEndpointId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.rotateWebhookSecret, context, { id });
  }

  @Expose(contract.enableWebhookEndpoint)
  enableWebhookEndpoint(@ArgOf(WebhookEndpointId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.enableWebhookEndpoint, context, { id });
  }

  @Expose(contract.testWebhookEndpoint)
  testWebhookEndpoint(@ArgOf(WebhookEndpointId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.testWebhookEndpoint, context, { id });
  }

  @Expose(contract.webhookDeliveries)
  webhookDeliveries(
    @ArgOf(ListWebhookDeliveries, 'endpointId') endpointId: string,
    @ArgOf(ListWebhookDeliveries, 'first') first: number | undefined,
    @ArgOf(ListWebhookDeliveries, 'after') after: string | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.webhookDeliveries, context, { endpointId, first, after });
  }

  @FieldResolver(() => [WebhookAttempt], {
    description: 'Its attempts, the first one first: the last 50 of them.',
  })
  attempts(@Root() { id }: WebhookDelivery, @Ctx() { loaders }: Context) {
    return loaders.webhookAttempts.load(id);
  }

  @Expose(contract.replayWebhookDelivery)
  replayWebhookDelivery(@ArgOf(WebhookDeliveryId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.replayWebhookDelivery, context, { id });
  }

  @Expose(contract.events)
  events(
    @ArgOf(ListEvents, 'after') after: string | undefined,
    @ArgOf(ListEvents, 'first') first: number | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.events, context, { after, first });
  }
}
