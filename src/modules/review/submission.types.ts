import 'reflect-metadata';
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from 'type-graphql';
import { connectionOf } from '../../operations/connection.types.js';
import { Node } from '../../operations/node.types.js';
import type { Finding } from '../listings/finding.types.js';
import { Rejection } from '../listings/rejection.types.js';
import type { ReviewClaim } from './review.types.js';
import { SubmissionOutcome } from './submission.entity.js';

/** A submission in the history of an app. Fields that depend on the caller or on other rows have resolvers. */
@ObjectType('Submission', {
  description: 'A submission of an app or of a version for review, with its decision.',
  implements: Node,
})
export class SubmissionRecord {
  @Field(() => ID, { description: 'Unique id. `claimReview` and `releaseReview` accept it while it waits.' })
  id!: string;

  @Field(() => GraphQLISODateTime, { description: 'When it was submitted (UTC).' })
  submittedAt!: Date;

  @Field(() => GraphQLISODateTime, {
    description: 'Latest time by which it should be decided (UTC): 48 hours after it entered the queue.',
  })
  dueAt!: Date;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description:
      'When an administrator decided on it or the developer withdrew it (UTC); null while it waits.',
  })
  decidedAt!: Date | null;

  @Field(() => SubmissionOutcome, { nullable: true, description: 'How it ended; null while it waits.' })
  outcome!: SubmissionOutcome | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Revision of the app or version that was decided on or withdrawn; null while it waits.',
  })
  revision!: number | null;

  @Field(() => Rejection, {
    nullable: true,
    description: 'The reasons and the guidance of a rejection; null for other outcomes and while it waits.',
  })
  rejection!: Rejection | null;

  @Field(() => String, {
    nullable: true,
    description: 'Note to the developer in an approval; null if there is none.',
  })
  note!: string | null;

  appId!: string;
  /** Null if the app itself was submitted. */
  versionId!: string | null;
  decidedBy!: string | null;
  currentClaim!: ReviewClaim | null;
  /** The findings at the decision; null if there was none, or if they were not stored. */
  storedFindings!: Finding[] | null;
}

export const SubmissionConnection = connectionOf('Submission', () => SubmissionRecord);
