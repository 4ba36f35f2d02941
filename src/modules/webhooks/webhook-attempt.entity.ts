import type { Ref } from '@mikro-orm/core';
import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, ObjectType } from 'type-graphql';
import { BaseEntity } from '../../operations/base.entity.js';
import { Node } from '../../operations/node.types.js';
import {
  IntegerColumn,
  NullableIntegerColumn,
  NullableTextColumn,
  TextColumn,
} from '../../operations/shown-column.js';
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

  @IntegerColumn('Number of the attempt within the delivery; the first one is 1.')
  number!: number;

  @TextColumn('URL that the request was sent to.')
  url!: string;

  @Field(() => GraphQLJSONObject, {
    description: 'Headers of the request: an object with the header names in lower case as keys.',
  })
  @Property({ type: 'json' })
  requestHeaders!: Record<string, string>;

  @NullableIntegerColumn('HTTP status of the response; null if there was no response.')
  responseStatus: number | null = null;

  @NullableTextColumn('First 4 KB of the response body; null if no body was read.')
  responseBody: string | null = null;

  @NullableTextColumn('Why the attempt failed; null if it succeeded.')
  error: string | null = null;

  @IntegerColumn('Duration of the request in milliseconds.')
  durationMs!: number;
}
