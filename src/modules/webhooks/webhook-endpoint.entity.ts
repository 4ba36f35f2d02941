import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { EditableEntity } from '../../operations/base.entity.js';
import { describeEnum } from '../../operations/enum-type.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { Node } from '../../operations/node.types.js';
import { NullableTextColumn, NullableTimeColumn, TextColumn } from '../../operations/shown-column.js';
import { Developer } from '../developers/developer.entity.js';
import type { EventKind } from '../events/event.types.js';
import { publishedKind, publishedKinds } from '../events/event-kind.types.js';

export enum WebhookEndpointStatus {
  ENABLED = 'ENABLED',
  DISABLED = 'DISABLED',
}
describeEnum(WebhookEndpointStatus, 'WebhookEndpointStatus', 'Status of a webhook endpoint.', {
  ENABLED: 'Events are sent to it.',
  DISABLED:
    'No events are sent to it, because all attempts failed for three days or it responded with status 410 Gone. Fix the receiver, then call `enableWebhookEndpoint`, or `enableAdminWebhook` for one of the administration.',
});

/** The fields of an endpoint. Its secrets have no `@Field`: only `IssuedWebhookEndpoint` shows one. */
@ObjectType()
export abstract class WebhookEndpointFields extends EditableEntity {
  /** Null: an endpoint of the administration. */
  @ManyToOne(() => Developer, { ref: true, nullable: true, deleteRule: 'no action' })
  developer: Ref<Developer> | null = null;

  @TextColumn('URL that events are sent to by POST.')
  url!: string;

  @Field(() => [String], {
    description: 'Types of events that are sent, such as `app.approved`. Empty: all types.',
  })
  @Property({ type: 'string[]' })
  events!: string[];

  @GraphQLOnly()
  @Field(() => [publishedKinds], {
    description: 'The same as `events`, as enums: `APP_APPROVED`. Empty: all types.',
  })
  get eventKinds(): Opt<EventKind[]> {
    return this.events.flatMap((type) => publishedKind(type) ?? []);
  }

  @NullableTextColumn("The owner's note on the endpoint; null if there is none.")
  description: string | null = null;

  /** Encrypted (see webhook-secret.service.ts) and not hashed, because signing needs the secret itself. */
  @Property({ type: 'text' })
  signingSecret!: string;

  @Property({ type: 'text', nullable: true })
  formerSecret: string | null = null;

  @NullableTimeColumn(
    'Time until which messages are signed with the former secret too (UTC): 24 hours after the last rotation. May be in the past; null if no former secret is stored.',
  )
  formerSecretUntil: Date | null = null;

  @NullableTimeColumn(
    'Time of the first failed attempt since the last success (UTC); null if no attempt has failed since then.',
  )
  failingSince: Date | null = null;

  @NullableTimeColumn('When the endpoint was disabled (UTC); null if it is enabled.')
  disabledAt: Date | null = null;

  @NullableTextColumn('Why the endpoint was disabled; null if it is enabled.')
  disabledReason: string | null = null;

  @Field(() => WebhookEndpointStatus, { description: 'Status of the endpoint.' })
  get status(): Opt<WebhookEndpointStatus> {
    return this.disabledAt ? WebhookEndpointStatus.DISABLED : WebhookEndpointStatus.ENABLED;
  }
}

/** A URL that events are sent to. */
@ObjectType({
  description: 'A URL of a developer, or of the administration, that events are sent to.',
  implements: Node,
})
@Entity({ tableName: 'webhook_endpoints' })
export class WebhookEndpoint extends WebhookEndpointFields {}
