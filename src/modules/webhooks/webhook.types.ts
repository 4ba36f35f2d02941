import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, GraphQLISODateTime, ID, ObjectType } from 'type-graphql';
import { connectionOf } from '../../operations/connection.types.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** An endpoint with its secret: the answer to its creation and to a rotation, and nothing else. */
@ObjectType({ description: 'An endpoint with a new secret, which is shown here and never again.' })
export class IssuedWebhookEndpoint extends WebhookEndpoint {
  @Field(() => String, { description: 'What messages are signed with: keep it now, it cannot be retrieved.' })
  secret!: string;
}

/** The answer to a deletion. */
@ObjectType({ description: 'An endpoint that is no more.' })
export class DeletedWebhookEndpoint {
  @Field(() => ID, { description: 'The id it had.' })
  id!: string;

  @Field(() => Boolean, { description: 'Always true.' })
  deleted!: boolean;
}

/** An event as a developer reads it in the feed; a webhook carries the same. */
@ObjectType({ description: 'Something that happened to a developer, or to an app of theirs.' })
export class Event {
  @Field(() => ID, { description: 'Its id: the `webhook-id` where it came by webhook.' })
  id!: string;

  @Field(() => String, { description: 'What happened, such as `app.approved`.' })
  type!: string;

  @Field(() => GraphQLISODateTime, { description: 'When it happened.' })
  timestamp!: Date;

  @Field(() => GraphQLJSONObject, { description: 'Whom it is about, and what belongs to it.' })
  data!: Record<string, unknown>;
}

export const WebhookDeliveryConnection = connectionOf('WebhookDelivery', () => WebhookDelivery);
export const EventConnection = connectionOf('Event', () => Event);
