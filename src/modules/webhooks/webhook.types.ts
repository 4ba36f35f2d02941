import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, GraphQLISODateTime, ID, ObjectType } from 'type-graphql';
import { connectionOf } from '../../operations/connection.types.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { Node } from '../../operations/node.types.js';
import type { EventKind } from '../events/event.types.js';
import { publishedKinds } from '../events/event-kind.types.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookEndpointFields } from './webhook-endpoint.entity.js';

/** An endpoint with its new secret; returned only when it is created and when its secret is rotated. */
@ObjectType({
  description: 'A webhook endpoint with its new secret. The secret is shown only in this response.',
})
export class IssuedWebhookEndpoint extends WebhookEndpointFields {
  @Field(() => String, {
    description:
      'Secret that signs the messages, such as `whsec_…` (Standard Webhooks). Store it now: it cannot be read again.',
  })
  secret!: string;
}

/** The result of a deletion. */
@ObjectType({ description: 'A webhook endpoint that was deleted.' })
export class DeletedWebhookEndpoint {
  @Field(() => ID, { description: 'Id of the deleted endpoint.' })
  id!: string;

  @Field(() => Boolean, { description: 'Always true.' })
  deleted!: boolean;
}

/** An event as a developer sees it in the events feed and in webhook messages. */
@ObjectType('Event', {
  description: 'An event about a developer or one of their apps. Webhook messages have the same content.',
  implements: Node,
})
export class DeveloperEvent {
  @Field(() => ID, { description: 'Id of the event. Webhook messages have it in the header `webhook-id`.' })
  id!: string;

  @Field(() => String, { description: 'Type of the event, such as `app.approved`.' })
  type!: string;

  @GraphQLOnly()
  @Field(() => publishedKinds, { description: 'The same as `type`, as an enum: `APP_APPROVED`.' })
  eventKind!: EventKind;

  @Field(() => GraphQLISODateTime, { description: 'When the event was recorded (UTC).' })
  timestamp!: Date;

  @Field(() => GraphQLJSONObject, {
    description:
      'Details of the event: always `developer` (`id`, `name`, `companyName`, `websiteUrl`) and `app` (`id`, `slug`, `name`; null if it is not about an app), and further fields that depend on the type, such as `reasons` and `guidance` of `app.rejected`.',
  })
  data!: Record<string, unknown>;
}

export const WebhookDeliveryConnection = connectionOf('WebhookDelivery', () => WebhookDelivery);
export const EventConnection = connectionOf('Event', () => DeveloperEvent);
