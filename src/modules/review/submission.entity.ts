import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { BaseEntity } from '../../operations/base.entity.js';
import { App } from '../apps/app.entity.js';
import type { Listing } from '../apps/listing.entity.js';
import { AppVersion } from '../versions/app-version.entity.js';

export type Outcome = 'APPROVED' | 'REJECTED' | 'WITHDRAWN';

/** An app, or a version of one, on its way through the review: from submission to decision. */
@Entity({ tableName: 'submissions' })
export class Submission extends BaseEntity {
  @ManyToOne(() => App, { ref: true, deleteRule: 'cascade' })
  app!: Ref<App>;

  /** Null: the app itself was submitted. */
  @ManyToOne(() => AppVersion, { ref: true, nullable: true, deleteRule: 'no action' })
  version: Ref<AppVersion> | null = null;

  /** Its place: earlier than the submission itself where it kept that of a withdrawn one. */
  @Property({ type: 'datetime', length: 3 })
  queuedAt!: Date;

  @Property({ type: 'datetime', length: 3 })
  dueAt!: Date;

  /** The administrator's account; nobody outside the administration sees it. */
  @Property({ type: 'text', nullable: true })
  claimedBy: string | null = null;

  /** Where they are told of the developer's messages; nobody ever reads it. */
  @Property({ type: 'text', nullable: true })
  claimedByEmail: string | null = null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  claimedUntil: Date | null = null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  reviewBeganAt: Date | null = null;

  @Property({ type: 'datetime', length: 3, nullable: true })
  endedAt: Date | null = null;

  @Property({ type: 'text', nullable: true })
  outcome: Outcome | null = null;

  /** The revision that was decided on or withdrawn. */
  @Property({ type: 'integer', nullable: true })
  revision: number | null = null;

  /** What was decided on, so that the next reviewer sees what changed since. */
  @Property({ type: 'json', nullable: true })
  listing: Listing | null = null;

  /** Whose live claim it is; null when there is none. */
  get holder(): Opt<string> | null {
    return this.claimedUntil && this.claimedUntil > new Date() ? this.claimedBy : null;
  }
}
