import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, GraphQLISODateTime, ID, ObjectType } from 'type-graphql';
import { v7 as newId } from 'uuid';
import { now } from '../../db/clock.js';
import { describeEnum } from '../../operations/enum-type.js';
import { Node } from '../../operations/node.types.js';
import { NullableIntegerColumn, NullableTextColumn, TimeColumn } from '../../operations/shown-column.js';
import { App } from '../listings/app.entity.js';
import { AppVersion } from '../listings/app-version.entity.js';
import type { Finding } from '../listings/finding.types.js';
import type { Listing } from '../listings/listing.entity.js';
import { Rejection } from '../listings/rejection.types.js';
import type { ReviewClaim } from './review.types.js';

export enum SubmissionOutcome {
  APPROVED = 'APPROVED',
  REJECTED = 'REJECTED',
  WITHDRAWN = 'WITHDRAWN',
}
describeEnum(SubmissionOutcome, 'SubmissionOutcome', 'How a submission ended.', {
  APPROVED: 'An administrator approved it.',
  REJECTED: 'An administrator rejected it, with reasons.',
  WITHDRAWN: 'The developer withdrew it before a decision.',
});

/**
 * An app or a version in the review, from its submission to the decision or withdrawal. GraphQL fields that depend on the
 * caller or on other rows have resolvers.
 */
@ObjectType({
  description: 'A submission of an app or of a version for review, with its decision.',
  implements: Node,
})
@Entity({ tableName: 'submissions' })
export class Submission {
  @Field(() => ID, { description: 'Unique id. `claimReview` and `releaseReview` accept it while it waits.' })
  @PrimaryKey({ type: 'uuid' })
  id: string = newId();

  @Property({ type: 'datetime', length: 3 })
  createdAt: Opt<Date> = now();

  @ManyToOne(() => App, { ref: true, deleteRule: 'cascade' })
  app!: Ref<App>;

  /** Null if the app itself was submitted. */
  @ManyToOne(() => AppVersion, { ref: true, nullable: true, deleteRule: 'no action' })
  version: Ref<AppVersion> | null = null;

  /** Sort key of the queue. Earlier than `createdAt` if the submission kept the place of a withdrawn one. */
  @Property({ type: 'datetime', length: 3 })
  queuedAt!: Date;

  @TimeColumn('Latest time by which it should be decided (UTC): 48 hours after it entered the queue.')
  dueAt!: Date;

  /** The administrator's account. Only administrators see it. */
  @Property({ type: 'text', nullable: true })
  claimedBy: string | null = null;

  /** Address for notifications about the developer's messages. Not exposed by the API. */
  @Property({ type: 'text', nullable: true })
  claimedByEmail: string | null = null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  claimedUntil: Date | null = null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  reviewBeganAt: Date | null = null;

  /** Time of the event `review.overdue`, which is recorded once. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  overdueNoticedAt: Date | null = null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  endedAt: Date | null = null;

  @Field(() => SubmissionOutcome, { nullable: true, description: 'How it ended; null while it waits.' })
  @Enum({ items: () => SubmissionOutcome, type: 'text', nullable: true })
  outcome: SubmissionOutcome | null = null;

  @NullableIntegerColumn(
    'Revision of the app or version that was decided on or withdrawn; null while it waits.',
  )
  revision: number | null = null;

  /** The listing at the decision, so that the next review can show what has changed since. */
  @Property({ type: 'json', nullable: true })
  listing: Listing | null = null;

  /** The account of the administrator who decided; null if nobody has, or if it is not known. */
  @Property({ type: 'text', nullable: true })
  decidedBy: string | null = null;

  @NullableTextColumn('Note to the developer in an approval; null if there is none.')
  note: string | null = null;

  @Field(() => Rejection, {
    nullable: true,
    description: 'The reasons and the guidance of a rejection; null for other outcomes and while it waits.',
  })
  @Property({ type: 'json', nullable: true })
  rejection: Rejection | null = null;

  /** Findings of the automatic checks at the decision; null for decisions that were made before they were stored. */
  @Property({ type: 'json', nullable: true })
  findings: Finding[] | null = null;

  /** The account that has claimed the submission; null if there is no claim or it has expired. */
  get holder(): Opt<string> | null {
    return this.claimedUntil && this.claimedUntil > now() ? this.claimedBy : null;
  }

  get currentClaim(): Opt<ReviewClaim> | null {
    return this.holder && !this.endedAt ? { by: this.holder, until: this.claimedUntil! } : null;
  }

  @Field(() => GraphQLISODateTime, { description: 'When it was submitted (UTC).' })
  get submittedAt(): Opt<Date> {
    return this.createdAt;
  }

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description:
      'When an administrator decided on it or the developer withdrew it (UTC); null while it waits.',
  })
  get decidedAt(): Opt<Date> | null {
    return this.endedAt;
  }
}
