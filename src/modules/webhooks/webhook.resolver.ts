import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../operations/context.js';
import { Exposes, type ListPage, PageArgs, parsePage } from '../../operations/expose.js';
import * as contract from './webhook.contract.js';
import { WebhookDeliveryConnection } from './webhook.types.js';
import { WebhookAttempt } from './webhook-attempt.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** The GraphQL fields of webhooks and of the events feed. */
@Resolver(() => WebhookDelivery)
@Exposes(contract)
export class WebhookResolver {
  @FieldResolver(() => [WebhookAttempt], {
    description: 'The last 50 attempts, oldest first.',
  })
  attempts(@Root() { id }: WebhookDelivery, @Ctx() { loaders }: Context) {
    return loaders.webhookAttempts.load(id);
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
