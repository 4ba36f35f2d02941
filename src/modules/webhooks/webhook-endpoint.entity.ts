import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, GraphQLISODateTime, ObjectType, registerEnumType } from 'type-graphql';
import { EditableEntity } from '../../operations/base.entity.js';
import { Developer } from '../developers/developer.entity.js';

export enum WebhookEndpointStatus {
  ENABLED = 'ENABLED',
  DISABLED = 'DISABLED',
}
registerEnumType(WebhookEndpointStatus, {
  name: 'WebhookEndpointStatus',
  description: 'Whether an endpoint is sent events.',
  valuesConfig: {
    ENABLED: { description: 'It is.' },
    DISABLED: { description: 'It failed for days, or said that it is gone; enable it once it is mended.' },
  },
});

/** Where a developer wants to be told of events. Its secrets have no `@Field`: only `IssuedWebhookEndpoint` shows one. */
@ObjectType({ description: 'Where events are sent to.' })
@Entity({ tableName: 'webhook_endpoints' })
export class WebhookEndpoint extends EditableEntity {
  @ManyToOne(() => Developer, { ref: true })
  developer!: Ref<Developer>;

  @Field(() => String, { description: 'The address that events are posted to.' })
  @Property({ type: 'text' })
  url!: string;

  @Field(() => [String], { description: 'The types of events it is sent; empty: all of them.' })
  @Property({ type: 'string[]' })
  events!: string[];

  @Field(() => String, { nullable: true, description: "What it is for, in its owner's words." })
  @Property({ type: 'text', nullable: true })
  description: string | null = null;

  /** Encrypted (see webhook.secrets.ts): signing needs the secret itself, so a hash would not do. */
  @Property({ type: 'text' })
  signingSecret!: string;

  @Property({ type: 'text', nullable: true })
  formerSecret: string | null = null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'After a rotation: until when messages are also signed with the former secret.',
  })
  @Property({ type: 'datetime', length: 3, nullable: true })
  formerSecretUntil: Date | null = null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'Since when every attempt has failed; null after a success.',
  })
  @Property({ type: 'datetime', length: 3, nullable: true })
  failingSince: Date | null = null;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When it was switched off.' })
  @Property({ type: 'datetime', length: 3, nullable: true })
  disabledAt: Date | null = null;

  @Field(() => String, { nullable: true, description: 'Why it was switched off.' })
  @Property({ type: 'text', nullable: true })
  disabledReason: string | null = null;

  @Field(() => WebhookEndpointStatus, { description: 'Whether it is sent events.' })
  get status(): Opt<WebhookEndpointStatus> {
    return this.disabledAt ? WebhookEndpointStatus.DISABLED : WebhookEndpointStatus.ENABLED;
  }
}
