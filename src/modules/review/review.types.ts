import { Field, GraphQLISODateTime, ID, Int, ObjectType } from 'type-graphql';
import { connectionOf } from '../../operations/connection.types.js';
import { describeEnum } from '../../operations/enum-type.js';
import { Node } from '../../operations/node.types.js';
import { App } from '../listings/app.entity.js';
import { AppVersion } from '../listings/app-version.entity.js';
import { FieldChange } from '../listings/field-change.types.js';
import { ReviewMessage } from './review-message.entity.js';
import { Submission } from './submission.entity.js';

export enum ReviewStage {
  QUEUED = 'QUEUED',
  IN_REVIEW = 'IN_REVIEW',
}
describeEnum(ReviewStage, 'ReviewStage', 'Stage of a submission in the review.', {
  QUEUED: 'In the queue; no administrator has claimed it.',
  IN_REVIEW: 'An administrator has claimed it and is reviewing it.',
});

/** A position in the review queue or in the queue for verification. */
@ObjectType({
  description:
    'Position in a queue, with the expected time of the decision: of a submission that waits for its review, or of a developer who waits for verification.',
})
export class QueuePlace {
  @Field(() => ReviewStage, {
    description: 'Stage of the review. Always QUEUED for a developer who waits for verification.',
  })
  stage!: ReviewStage;

  @Field(() => Int, { description: 'Position in the queue; 1 is the first.' })
  position!: number;

  @Field(() => Int, { description: 'Number of entries before it in the queue: `position` minus 1.' })
  ahead!: number;

  @Field(() => GraphQLISODateTime, {
    description: 'When it was submitted, or when the developer registered (UTC).',
  })
  submittedAt!: Date;

  @Field(() => GraphQLISODateTime, {
    description:
      'Latest time by which it should be decided (UTC): 48 hours after it entered the queue, or 24 hours for a verification.',
  })
  dueAt!: Date;

  @Field(() => GraphQLISODateTime, {
    description:
      'Estimated time of the decision (UTC): half of the recent decisions took no longer than this. With fewer than 5 recent decisions: 24 hours after it entered the queue. Never in the past, and never sooner than the head of the queue waits already.',
  })
  etaP50!: Date;

  @Field(() => GraphQLISODateTime, {
    description:
      'Cautious estimate of the time of the decision (UTC): 90 % of the recent decisions took no longer than this. With fewer than 5 recent decisions: 48 hours after it entered the queue. Never in the past, and never sooner than the head of the queue waits already.',
  })
  etaP90!: Date;
}

/** An administrator's claim on a submission. */
@ObjectType({
  description:
    'Claim of an administrator on a submission. Until it expires, no other administrator can decide on the submission.',
})
export class ReviewClaim {
  @Field(() => String, { description: 'Account id (`accountUserId`) of the administrator.' })
  by!: string;

  @Field(() => GraphQLISODateTime, {
    description: 'When the claim expires (UTC), unless it is renewed by another `claimReview`.',
  })
  until!: Date;
}

/** A submission in the review queue. Its `developer` and `findings` are resolved through loaders. */
@ObjectType({
  description: 'A submission in the review queue: a new app, or a new version of an approved app.',
  implements: Node,
})
export class ReviewQueueItem {
  @Field(() => ID, { description: 'Id of the submission. `claimReview` and `releaseReview` accept it.' })
  id!: string;

  @Field(() => App, {
    description:
      'The app with its current listing, including edits since the submission. If a version was submitted, this is the live listing.',
  })
  app!: App;

  @Field(() => AppVersion, {
    nullable: true,
    description: 'The submitted version; null if the app itself was submitted.',
  })
  version!: AppVersion | null;

  @Field(() => GraphQLISODateTime, { description: 'When it was submitted (UTC).' })
  submittedAt!: Date;

  @Field(() => GraphQLISODateTime, {
    description: 'Latest time by which it should be decided (UTC): 48 hours after it entered the queue.',
  })
  dueAt!: Date;

  @Field(() => Boolean, { description: 'True if `dueAt` has passed.' })
  overdue!: boolean;

  @Field(() => ReviewClaim, {
    nullable: true,
    description: 'The current claim; null if no administrator has claimed it, or if the claim has expired.',
  })
  claim!: ReviewClaim | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Revision of the app or version at its last decision; null at the first review.',
  })
  lastReviewedRevision!: number | null;

  @Field(() => [FieldChange], {
    description:
      'Fields that changed since the last decision. At the first review: for a version, its differences from the live listing; for an app, empty.',
  })
  changes!: FieldChange[];
}

/** Numbers of submissions in the review queue. */
@ObjectType({ description: 'Numbers of submissions in the review queue.' })
export class ReviewCounts {
  @Field(() => Int, { description: 'All submissions in the queue.' })
  total!: number;

  @Field(() => Int, { description: 'Submissions whose `dueAt` has passed.' })
  overdue!: number;

  @Field(() => Int, { description: 'Submissions that an administrator has claimed.' })
  claimed!: number;

  @Field(() => Int, { description: 'Submissions that are versions of approved apps.' })
  versions!: number;
}

/** An event of `reviewQueueChanged`. */
@ObjectType({ description: 'Reports that the review queue, or a submission in it, has changed.' })
export class ReviewQueueChange {
  @Field(() => App, {
    nullable: true,
    description:
      'The app whose submission has changed, as it is now; null if it was deleted, if several apps may have changed, or if events were missed: then read the queue again.',
  })
  app!: App | null;

  @Field(() => ReviewCounts, { description: 'Numbers of submissions in the queue now.' })
  counts!: ReviewCounts;
}

export const ReviewMessageConnection = connectionOf('ReviewMessage', () => ReviewMessage);
export const ReviewQueueConnection = connectionOf('ReviewQueue', () => ReviewQueueItem);
export const SubmissionConnection = connectionOf('Submission', () => Submission);
