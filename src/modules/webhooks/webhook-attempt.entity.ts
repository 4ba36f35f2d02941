import type { Ref } from '@mikro-orm/core';
import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { BaseEntity } from '../../operations/base.entity.js';
import { Node } from '../../operations/node.types.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';

/** One attempt to send a delivery, with its request and response. */
@ObjectType({
  description: 'One attempt to send a delivery: the request and its response.',
  implements: Node,
})
@Entity({ tableName: 'webhook_attempts' })
export class WebhookAttempt extends BaseEntity {
  @ManyToOne(() => WebhookDelivery, { ref: true, deleteRule: 'cascade' })
  delivery!: Ref<WebhookDelivery>;

  @Field(() => Int, { description: 'Number of the attempt within the delivery; the first one is 1.' })
  @Property({ type: 'integer' })
  number!: number;

  @Field(() => String, { description: 'URL that the request was sent to.' })
  @Property({ type: 'text' })
  url!: string;

  @Field(() => GraphQLJSONObject, {
    description: 'Headers of the request: an object with the header names in lower case as keys.',
  })
  @Property({ type: 'json' })
  requestHeaders!: Record<string, string>;

  @Field(() => Int, {
    nullable: true,
    description: 'HTTP status of the response; null if there was no response.',
  })
  @Property({ type: 'integer', nullable: true })
  responseStatus: number | null = null;

  @Field(() => String, {
    nullable: true,
    description: 'First 4 KB of the response body; null if no body was read.',
  })
  @Property({ type: 'text', nullable: true })
  responseBody: string | null = null;

  @Field(() => String, { nullable: true, description: 'Why the attempt failed; null if it succeeded.' })
  @Property({ type: 'text', nullable: true })
  error: string | null = null;

  @Field(() => Int, { description: 'Duration of the request in milliseconds.' })
  @Property({ type: 'integer' })
  durationMs!: number;
}
