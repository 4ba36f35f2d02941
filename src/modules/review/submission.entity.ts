import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { now } from '../../db/clock.js';
import { BaseEntity } from '../../operations/base.entity.js';
import { describeEnum } from '../../operations/enum-type.js';
import { App } from '../listings/app.entity.js';
import { AppVersion } from '../listings/app-version.entity.js';
import type { Finding } from '../listings/finding.types.js';
import type { Listing } from '../listings/listing.entity.js';
import type { Rejection } from '../listings/rejection.types.js';

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

/** An app or a version in the review, from its submission to the decision or withdrawal. */
@Entity({ tableName: 'submissions' })
export class Submission extends BaseEntity {
  @ManyToOne(() => App, { ref: true, deleteRule: 'cascade' })
  app!: Ref<App>;

  /** Null if the app itself was submitted. */
  @ManyToOne(() => AppVersion, { ref: true, nullable: true, deleteRule: 'no action' })
  version: Ref<AppVersion> | null = null;

  /** Sort key of the queue. Earlier than `createdAt` if the submission kept the place of a withdrawn one. */
  @Property({ type: 'datetime', length: 3 })
  queuedAt!: Date;

  @Property({ type: 'datetime', length: 3 })
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

  @Enum({ items: () => SubmissionOutcome, type: 'text', nullable: true })
  outcome: SubmissionOutcome | null = null;

  /** The revision that was decided or withdrawn. */
  @Property({ type: 'integer', nullable: true })
  revision: number | null = null;

  /** The listing at the decision, so that the next review can show what has changed since. */
  @Property({ type: 'json', nullable: true })
  listing: Listing | null = null;

  /** The account of the administrator who decided; null if nobody has, or if it is not known. */
  @Property({ type: 'text', nullable: true })
  decidedBy: string | null = null;

  /** The note of an approval. */
  @Property({ type: 'text', nullable: true })
  note: string | null = null;

  @Property({ type: 'json', nullable: true })
  rejection: Rejection | null = null;

  /** Findings of the automatic checks at the decision; null for decisions that were made before they were stored. */
  @Property({ type: 'json', nullable: true })
  findings: Finding[] | null = null;

  /** The account that has claimed the submission; null if there is no claim or it has expired. */
  get holder(): Opt<string> | null {
    return this.claimedUntil && this.claimedUntil > now() ? this.claimedBy : null;
  }
}
