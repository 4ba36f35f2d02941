import 'reflect-metadata';
import { Field, GraphQLISODateTime, ID, ObjectType } from 'type-graphql';
import { connectionOf } from '../../operations/connection.types.js';
import { describeEnum } from '../../operations/enum-type.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { Node } from '../../operations/node.types.js';
import type { EventKind } from '../events/event.types.js';
import { auditKinds } from '../events/event-kind.types.js';
import { FieldChange } from '../listings/field-change.types.js';
import { RejectionReason } from '../listings/rejection.types.js';

export enum TimelineActor {
  DEVELOPER = 'DEVELOPER',
  ADMINISTRATOR = 'ADMINISTRATOR',
  SYSTEM = 'SYSTEM',
}
describeEnum(
  TimelineActor,
  'TimelineActor',
  'The role of the actor of a timeline entry. Names of administrators are not shown.',
  {
    DEVELOPER: 'The developer of the app.',
    ADMINISTRATOR: 'An administrator.',
    SYSTEM: 'The marketplace, automatically.',
  },
);

/** One event in the history of an app, as its owner may see it. */
@ObjectType({ description: 'One event in the history of an app.', implements: Node })
export class TimelineEntry {
  @Field(() => ID, { description: 'Unique id (UUID version 7).' })
  id!: string;

  @Field(() => GraphQLISODateTime, { description: 'When the event was recorded (UTC).' })
  at!: Date;

  @Field(() => String, { description: 'The kind of event, such as `app.submitted`.' })
  kind!: string;

  @GraphQLOnly()
  @Field(() => auditKinds, { description: 'The same as `kind`, as an enum: `APP_SUBMITTED`.' })
  eventKind!: EventKind;

  @Field(() => TimelineActor, { description: 'The role of the person or system that caused it.' })
  by!: TimelineActor;

  @Field(() => [FieldChange], {
    description: 'The fields that changed, `status` included; empty if the event changed none.',
  })
  changes!: FieldChange[];

  @Field(() => String, {
    nullable: true,
    description:
      "Text that belongs to the event: an approval note, a reason, the reviewer's guidance or a message; null without one.",
  })
  message!: string | null;

  @Field(() => [RejectionReason], { description: 'The reasons of a rejection; empty for other events.' })
  reasons!: RejectionReason[];
}

export const TimelineConnection = connectionOf('Timeline', () => TimelineEntry);
