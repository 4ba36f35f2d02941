import 'reflect-metadata';
import { Field, GraphQLISODateTime, ID, ObjectType, registerEnumType } from 'type-graphql';
import { connectionOf } from '../../operations/connection.types.js';
import { RejectionReason } from '../apps/app.types.js';

export enum TimelineActor {
  DEVELOPER = 'DEVELOPER',
  ADMINISTRATOR = 'ADMINISTRATOR',
  SYSTEM = 'SYSTEM',
}
registerEnumType(TimelineActor, {
  name: 'TimelineActor',
  description: 'Who did something, without names.',
  valuesConfig: {
    DEVELOPER: { description: 'The developer.' },
    ADMINISTRATOR: { description: 'An administrator.' },
    SYSTEM: { description: 'The marketplace itself.' },
  },
});

/** One field that changed, with both values as text. */
@ObjectType({
  description:
    'One field that changed. Texts are as they are; everything else is JSON. In a timeline, a text of more than 600 characters is shortened and says how long it was. Both values are null where they were not kept: after 100 edits within 24 hours.',
})
export class FieldChange {
  @Field(() => String, { description: 'Which.' })
  field!: string;

  @Field(() => String, { nullable: true, description: 'What it was.' })
  before!: string | null;

  @Field(() => String, { nullable: true, description: 'What it is.' })
  after!: string | null;
}

/** One thing that happened to an app. */
@ObjectType({ description: 'One thing that happened to an app.' })
export class TimelineEntry {
  @Field(() => ID, { description: 'A UUID (version 7).' })
  id!: string;

  @Field(() => GraphQLISODateTime, { description: 'When.' })
  at!: Date;

  @Field(() => String, { description: 'What, such as `app.submitted`.' })
  kind!: string;

  @Field(() => TimelineActor, { description: 'Who.' })
  by!: TimelineActor;

  @Field(() => [FieldChange], { description: 'What changed, the state included.' })
  changes!: FieldChange[];

  @Field(() => String, {
    nullable: true,
    description: 'What was said: a note, a reason, guidance or a message.',
  })
  message!: string | null;

  @Field(() => [RejectionReason], { description: 'The reasons of a rejection.' })
  reasons!: RejectionReason[];
}

export const TimelineConnection = connectionOf('Timeline', () => TimelineEntry);
