import type { Ref } from '@mikro-orm/core';
import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { BaseEntity } from '../../operations/base.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';

/** One request to an endpoint, and what came of it. */
@ObjectType({ description: 'One request to an endpoint, and what came of it.' })
@Entity({ tableName: 'webhook_attempts' })
export class WebhookAttempt extends BaseEntity {
  @ManyToOne(() => WebhookDelivery, { ref: true, deleteRule: 'cascade' })
  delivery!: Ref<WebhookDelivery>;

  @Field(() => Int, { description: 'The first is 1.' })
  @Property({ type: 'integer' })
  number!: number;

  @Field(() => String, { description: 'Where it was sent.' })
  @Property({ type: 'text' })
  url!: string;

  @Field(() => GraphQLJSONObject, { description: 'The headers that were sent, by name.' })
  @Property({ type: 'json' })
  requestHeaders!: Record<string, string>;

  @Field(() => Int, { nullable: true, description: 'The status of the answer; null if none came.' })
  @Property({ type: 'integer', nullable: true })
  responseStatus: number | null = null;

  @Field(() => String, { nullable: true, description: 'The first 4 KB of the answer.' })
  @Property({ type: 'text', nullable: true })
  responseBody: string | null = null;

  @Field(() => String, { nullable: true, description: 'Why it failed; null where it did not.' })
  @Property({ type: 'text', nullable: true })
  error: string | null = null;

  @Field(() => Int, { description: 'How long it took, in milliseconds.' })
  @Property({ type: 'integer' })
  durationMs!: number;
}
