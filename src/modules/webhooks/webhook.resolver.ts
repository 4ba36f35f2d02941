import { Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { call } from '../../operations/call.js';
import type { Context } from '../../operations/context.js';
import { Expose, type ListPage, PageArgs, parsePage } from '../../operations/expose.js';
import type { RawInput } from '../../operations/parse-input.js';
import * as contract from './webhook.contract.js';
import { WebhookDeliveryConnection } from './webhook.types.js';
import { WebhookAttempt } from './webhook-attempt.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** The GraphQL fields of webhooks and of the events feed. */
@Resolver(() => WebhookDelivery)
export class WebhookResolver {
  @Expose(contract.createWebhookEndpoint)
  createWebhookEndpoint(input: RawInput, context: Context) {
    return call(contract.createWebhookEndpoint, context, input);
  }

  @Expose(contract.myWebhookEndpoints)
  myWebhookEndpoints(input: RawInput, context: Context) {
    return call(contract.myWebhookEndpoints, context, input);
  }

  @Expose(contract.updateWebhookEndpoint)
  updateWebhookEndpoint(input: RawInput, context: Context) {
    return call(contract.updateWebhookEndpoint, context, input);
  }

  @Expose(contract.deleteWebhookEndpoint)
  deleteWebhookEndpoint(input: RawInput, context: Context) {
    return call(contract.deleteWebhookEndpoint, context, input);
  }

  @Expose(contract.rotateWebhookSecret)
  rotateWebhookSecret(input: RawInput, context: Context) {
    return call(contract.rotateWebhookSecret, context, input);
  }

  @Expose(contract.enableWebhookEndpoint)
  enableWebhookEndpoint(input: RawInput, context: Context) {
    return call(contract.enableWebhookEndpoint, context, input);
  }

  @Expose(contract.testWebhookEndpoint)
  testWebhookEndpoint(input: RawInput, context: Context) {
    return call(contract.testWebhookEndpoint, context, input);
  }

  @Expose(contract.webhookDeliveries)
  webhookDeliveries(input: RawInput, context: Context) {
    return call(contract.webhookDeliveries, context, input);
  }

  @FieldResolver(() => [WebhookAttempt], {
    description: 'The last 50 attempts, oldest first.',
  })
  attempts(@Root() { id }: WebhookDelivery, @Ctx() { loaders }: Context) {
    return loaders.webhookAttempts.load(id);
  }

  @Expose(contract.replayWebhookDelivery)
  replayWebhookDelivery(input: RawInput, context: Context) {
    return call(contract.replayWebhookDelivery, context, input);
  }

  @Expose(contract.events)
  events(input: RawInput, context: Context) {
    return call(contract.events, context, input);
  }

  @Expose(contract.createAdminWebhook)
  createAdminWebhook(input: RawInput, context: Context) {
    return call(contract.createAdminWebhook, context, input);
  }

  @Expose(contract.adminWebhooks)
  adminWebhooks(input: RawInput, context: Context) {
    return call(contract.adminWebhooks, context, input);
  }

  @Expose(contract.updateAdminWebhook)
  updateAdminWebhook(input: RawInput, context: Context) {
    return call(contract.updateAdminWebhook, context, input);
  }

  @Expose(contract.deleteAdminWebhook)
  deleteAdminWebhook(input: RawInput, context: Context) {
    return call(contract.deleteAdminWebhook, context, input);
  }

  @Expose(contract.rotateAdminWebhookSecret)
  rotateAdminWebhookSecret(input: RawInput, context: Context) {
    return call(contract.rotateAdminWebhookSecret, context, input);
  }

  @Expose(contract.enableAdminWebhook)
  enableAdminWebhook(input: RawInput, context: Context) {
    return call(contract.enableAdminWebhook, context, input);
  }

  @Expose(contract.testAdminWebhook)
  testAdminWebhook(input: RawInput, context: Context) {
    return call(contract.testAdminWebhook, context, input);
  }

  @Expose(contract.adminWebhookDeliveries)
  adminWebhookDeliveries(input: RawInput, context: Context) {
    return call(contract.adminWebhookDeliveries, context, input);
  }

  @Expose(contract.replayAdminWebhookDelivery)
  replayAdminWebhookDelivery(input: RawInput, context: Context) {
    return call(contract.replayAdminWebhookDelivery, context, input);
  }
}

/** The deliveries to an endpoint. Only its developer ever gets a `WebhookEndpoint`. */
@Resolver(() => WebhookEndpoint)
export class EndpointDeliveriesResolver {
  @FieldResolver(() => WebhookDeliveryConnection, {
    description:
      'The deliveries to the endpoint in the last 30 days, newest first. API keys need the scope APP_READ. A page ends early when it would exceed 512 KiB.',
  })
  async deliveries(
    @Root() { id: owner }: WebhookEndpoint,
    @PageArgs() page: ListPage,
    @Ctx() context: Context,
  ) {
    if (!(await context.isAdministrator()))
      contract.webhookDeliveries.policy.admit(await context.caller(), context.door);
    return context.loaders.deliveries.load({ owner, page: parsePage(page) });
  }
}

/** The number of deliveries. For those of an endpoint it is counted only if it is selected. */
@Resolver(() => WebhookDeliveryConnection)
export class DeliveriesLengthResolver {
  @FieldResolver(() => Int, { description: 'Number of items in the whole list, not only on this page.' })
  totalCount(@Root() page: { totalCount: number } | { owner: string }, @Ctx() { loaders }: Context) {
    return 'totalCount' in page ? page.totalCount : loaders.deliveriesLength.load(page.owner);
  }
}
