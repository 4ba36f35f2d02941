import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { BaseEntity } from '../../operations/base.entity.js';
import { describeEnum } from '../../operations/enum-type.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { Node } from '../../operations/node.types.js';
import {
  IntegerColumn,
  NullableTextColumn,
  NullableTimeColumn,
  TextColumn,
} from '../../operations/shown-column.js';
import type { EventKind } from '../events/event.types.js';
import { publishedKind, publishedKinds } from '../events/event-kind.types.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

export enum WebhookDeliveryStatus {
  PENDING = 'PENDING',
  DELIVERED = 'DELIVERED',
  FAILED = 'FAILED',
}
describeEnum(WebhookDeliveryStatus, 'WebhookDeliveryStatus', 'Status of a delivery.', {
  PENDING: 'Waits for its first or next attempt.',
  DELIVERED: 'The receiver has confirmed it with a 2xx status.',
  FAILED: 'Failed, and not retried any more. It can be replayed.',
});

/** The delivery of one event to one endpoint. Its attempts are resolved through a loader. */
@ObjectType({
  description: 'The delivery of one event to one endpoint, with all its attempts.',
  implements: Node,
})
@Entity({ tableName: 'webhook_deliveries' })
export class WebhookDelivery extends BaseEntity {
  @ManyToOne(() => WebhookEndpoint, { ref: true, deleteRule: 'cascade' })
  endpoint!: Ref<WebhookEndpoint>;

  @Field(() => ID, { description: 'Id of the event. Every attempt sends it in the header `webhook-id`.' })
  @Property({ type: 'uuid' })
  eventId!: string;

  @TextColumn('Type of the event, such as `app.approved`, or `webhook.test` for a test.')
  type!: string;

  @GraphQLOnly()
  @Field(() => publishedKinds, {
    nullable: true,
    description: 'The same as `type`, as an enum: `APP_APPROVED`. Null for a test.',
  })
  get eventKind(): Opt<EventKind> | null {
    return publishedKind(this.type);
  }

  @TextColumn('Body of the request (JSON), the same in every attempt.')
  requestBody!: string;

  @Field(() => WebhookDeliveryStatus, { description: 'Status of the delivery.' })
  @Enum({ items: () => WebhookDeliveryStatus, type: 'text' })
  status: Opt<WebhookDeliveryStatus> = WebhookDeliveryStatus.PENDING;

  @IntegerColumn('Number of attempts so far, including those of replays.')
  attemptCount: Opt<number> = 0;

  /** Number of attempts since the delivery was created or last replayed: the index of the next retry delay. */
  @Property({ type: 'integer' })
  tryCount: Opt<number> = 0;

  @NullableTimeColumn('Time of the next attempt (UTC); null unless the status is PENDING.')
  nextAttemptAt: Date | null = null;

  @NullableTimeColumn('When the receiver last confirmed it (UTC); null if it never did.')
  deliveredAt: Date | null = null;

  @NullableTextColumn('Why the delivery failed; null unless the status is FAILED.')
  failure: string | null = null;

  /** The only job that may send the delivery. A replay sets a new id, so that the former job does nothing. */
  @Property({ type: 'uuid' })
  jobId!: string;
}
