import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { BaseEntity } from '../../operations/base.entity.js';
import { App } from '../apps/app.entity.js';
import type { Listing } from '../apps/listing.entity.js';
import { AppVersion } from '../versions/app-version.entity.js';

export type SubmissionOutcome = 'APPROVED' | 'REJECTED' | 'WITHDRAWN';

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

  @Property({ type: 'datetime', length: 3, nullable: true })
  endedAt: Date | null = null;

  @Property({ type: 'text', nullable: true })
  outcome: SubmissionOutcome | null = null;

  /** The revision that was decided or withdrawn. */
  @Property({ type: 'integer', nullable: true })
  revision: number | null = null;

  /** The listing at the decision, so that the next review can show what has changed since. */
  @Property({ type: 'json', nullable: true })
  listing: Listing | null = null;

  /** The account that has claimed the submission; null if there is no claim or it has expired. */
  get holder(): Opt<string> | null {
    return this.claimedUntil && this.claimedUntil > new Date() ? this.claimedBy : null;
  }
}
