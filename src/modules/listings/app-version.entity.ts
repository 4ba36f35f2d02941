import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { describeEnum } from '../../operations/enum-type.js';
import { Node } from '../../operations/node.types.js';
import { NullableIntegerColumn, NullableTimeColumn } from '../../operations/shown-column.js';
import { App } from './app.entity.js';
import type { Listing } from './listing.entity.js';
import { ListingEntity } from './listing.entity.js';

export enum VersionStatus {
  DRAFT = 'DRAFT',
  PENDING = 'PENDING',
  APPROVED = 'APPROVED',
  REJECTED = 'REJECTED',
  DISCARDED = 'DISCARDED',
}
describeEnum(VersionStatus, 'VersionStatus', 'Status of a version.', {
  DRAFT: 'Being edited; not submitted.',
  PENDING: 'Submitted; waits for the decision of an administrator.',
  APPROVED: 'Approved: it became the live listing.',
  REJECTED: 'Rejected with reasons. It can be changed and submitted again.',
  DISCARDED: 'Discarded by the developer. It cannot be changed or submitted any more.',
});

/** A new version of an approved app: a separate listing, which replaces the live listing when it is approved. */
@ObjectType({
  description:
    'A new version of an approved app: a copy of the listing that the developer changes and submits. The live listing does not change until the version is approved.',
  implements: Node,
})
@Entity({ tableName: 'app_versions' })
export class AppVersion extends ListingEntity {
  @ManyToOne(() => App, { ref: true })
  app!: Ref<App>;

  @Field(() => VersionStatus, { description: 'Status of the version.' })
  @Enum({ items: () => VersionStatus, type: 'text' })
  status: Opt<VersionStatus> = VersionStatus.DRAFT;

  @NullableTimeColumn('When it was last approved or rejected (UTC); null before the first decision.')
  decidedAt: Date | null = null;

  @NullableIntegerColumn(
    'Revision of the app from which the version was created or on which it was last rebased. If the app has a newer revision, the version cannot be approved: call `rebaseAppVersion`. Null for versions that were closed before this was recorded.',
  )
  baseRevision: number | null = null;

  /** The live listing at `baseRevision`. */
  @Property({ type: 'json', nullable: true })
  base: Listing | null = null;

  /** The base values of the fields in which a rebase has found conflicts. */
  @Property({ type: 'json', default: '{}' })
  conflictBases: Opt<Partial<Listing>> = {};
}
