import { Field, GraphQLISODateTime, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { connectionOf } from '../../operations/connection.types.js';
import { App } from '../apps/app.entity.js';
import { FieldChange } from '../audit/timeline.types.js';
import { AppVersion } from '../versions/app-version.entity.js';
import { ReviewMessage } from './review-message.entity.js';

export enum ReviewStage {
  QUEUED = 'QUEUED',
  IN_REVIEW = 'IN_REVIEW',
}
registerEnumType(ReviewStage, {
  name: 'ReviewStage',
  description: 'How far a submission has come.',
  valuesConfig: {
    QUEUED: { description: 'It waits.' },
    IN_REVIEW: { description: 'An administrator is looking at it.' },
  },
});

/** Where somebody stands who waits for a decision. */
@ObjectType({ description: 'Where you stand while you wait for a decision.' })
export class QueuePlace {
  @Field(() => ReviewStage, { description: 'How far it has come.' })
  stage!: ReviewStage;

  @Field(() => Int, { description: 'Its place in the queue, from 1.' })
  position!: number;

  @Field(() => Int, { description: 'How many are before it.' })
  ahead!: number;

  @Field(() => GraphQLISODateTime, { description: 'When it was submitted.' })
  submittedAt!: Date;

  @Field(() => GraphQLISODateTime, { description: 'When it is to be decided at the latest.' })
  dueAt!: Date;

  @Field(() => GraphQLISODateTime, {
    description: 'When it will be decided, as likely as not, going by recent decisions.',
  })
  etaP50!: Date;

  @Field(() => GraphQLISODateTime, {
    description: 'When it will be decided with a likelihood of nine in ten.',
  })
  etaP90!: Date;
}

/** Who is looking at a submission; for administrators. */
@ObjectType({ description: 'Who is looking at a submission.' })
export class ReviewClaim {
  @Field(() => String, { description: "The administrator's account." })
  by!: string;

  @Field(() => GraphQLISODateTime, { description: 'When the claim ends by itself.' })
  until!: Date;
}

/** A submission that waits for a decision. Its `developer` and `findings` are resolved through loaders. */
@ObjectType({ description: 'A submission that waits for a decision.' })
export class ReviewQueueItem {
  @Field(() => ID, { description: 'The id of the submission.' })
  id!: string;

  @Field(() => App, { description: 'The app, as submitted or as edited since.' })
  app!: App;

  @Field(() => AppVersion, {
    nullable: true,
    description: 'The version that waits; null where it is the app itself.',
  })
  version!: AppVersion | null;

  @Field(() => GraphQLISODateTime, { description: 'When it was submitted.' })
  submittedAt!: Date;

  @Field(() => GraphQLISODateTime, { description: 'When it is to be decided at the latest.' })
  dueAt!: Date;

  @Field(() => Boolean, { description: 'Whether that is past.' })
  overdue!: boolean;

  @Field(() => ReviewClaim, { nullable: true, description: 'Who is looking at it now.' })
  claim!: ReviewClaim | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The revision that was decided on last; null at the first review.',
  })
  lastReviewedRevision!: number | null;

  @Field(() => [FieldChange], {
    description: 'What changed since then; for a version, what it would change of the live listing.',
  })
  changes!: FieldChange[];
}

/** How much waits, in figures. */
@ObjectType({ description: 'The review queue in figures.' })
export class ReviewCounts {
  @Field(() => Int, { description: 'All that waits.' })
  total!: number;

  @Field(() => Int, { description: 'Past its due time.' })
  overdue!: number;

  @Field(() => Int, { description: 'Being looked at by an administrator.' })
  claimed!: number;

  @Field(() => Int, { description: 'Versions of approved apps.' })
  versions!: number;
}

export const ReviewMessageConnection = connectionOf('ReviewMessage', () => ReviewMessage);
export const ReviewQueueConnection = connectionOf('ReviewQueue', () => ReviewQueueItem);
