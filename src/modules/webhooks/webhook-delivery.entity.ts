import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, GraphQLISODateTime, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { BaseEntity } from '../../operations/base.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

export enum WebhookDeliveryStatus {
  PENDING = 'PENDING',
  DELIVERED = 'DELIVERED',
  FAILED = 'FAILED',
}
registerEnumType(WebhookDeliveryStatus, {
  name: 'WebhookDeliveryStatus',
  description: 'How far a delivery is.',
  valuesConfig: {
    PENDING: { description: 'Waiting for its first or its next attempt.' },
    DELIVERED: { description: 'The receiver has taken it.' },
    FAILED: { description: 'Given up; it can be replayed.' },
  },
});

/** One event on its way to one endpoint. Its attempts are resolved through a loader. */
@ObjectType({ description: 'One event on its way to one endpoint.' })
@Entity({ tableName: 'webhook_deliveries' })
export class WebhookDelivery extends BaseEntity {
  @ManyToOne(() => WebhookEndpoint, { ref: true, deleteRule: 'cascade' })
  endpoint!: Ref<WebhookEndpoint>;

  @Field(() => ID, { description: "The event's id: the `webhook-id` of every attempt." })
  @Property({ type: 'uuid' })
  eventId!: string;

  @Field(() => String, { description: "The event's type." })
  @Property({ type: 'text' })
  type!: string;

  @Field(() => String, { description: 'The body, the same in every attempt.' })
  @Property({ type: 'text' })
  requestBody!: string;

  @Field(() => WebhookDeliveryStatus, { description: 'How far it is.' })
  @Enum({ items: () => WebhookDeliveryStatus, type: 'text' })
  status: Opt<WebhookDeliveryStatus> = WebhookDeliveryStatus.PENDING;

  @Field(() => Int, { description: 'How often it was sent, replays included.' })
  @Property({ type: 'integer' })
  attemptCount: Opt<number> = 0;

  /** How often it was sent since it was last put on its way: the place in the schedule. */
  @Property({ type: 'integer' })
  tryCount: Opt<number> = 0;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When it is sent next, while pending.' })
  @Property({ type: 'datetime', length: 3, nullable: true })
  nextAttemptAt: Date | null = null;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When the receiver last took it.' })
  @Property({ type: 'datetime', length: 3, nullable: true })
  deliveredAt: Date | null = null;

  @Field(() => String, { nullable: true, description: 'Why it was given up.' })
  @Property({ type: 'text', nullable: true })
  failure: string | null = null;

  /** The job that may send it: one that was overtaken by a replay finds another's id here. */
  @Property({ type: 'uuid' })
  jobId!: string;
}
