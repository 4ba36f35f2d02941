import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, GraphQLISODateTime, Int, ObjectType, registerEnumType } from 'type-graphql';
import { App } from '../apps/app.entity.js';
import type { Listing } from '../apps/listing.entity.js';
import { ListingEntity } from '../apps/listing.entity.js';

export enum VersionStatus {
  DRAFT = 'DRAFT',
  PENDING = 'PENDING',
  APPROVED = 'APPROVED',
  REJECTED = 'REJECTED',
  DISCARDED = 'DISCARDED',
}
registerEnumType(VersionStatus, {
  name: 'VersionStatus',
  description: 'Where a version stands.',
  valuesConfig: {
    DRAFT: { description: 'Being written.' },
    PENDING: { description: 'Submitted; waiting for an administrator.' },
    APPROVED: { description: 'It became the live listing.' },
    REJECTED: { description: 'Refused, with reasons; can be changed and submitted again.' },
    DISCARDED: { description: 'Given up by the developer.' },
  },
});

/** A new version of an approved app: a listing of its own, until it is approved and becomes the live one. */
@ObjectType({
  description: 'A new version of an approved app. The live listing does not change until it is approved.',
})
@Entity({ tableName: 'app_versions' })
export class AppVersion extends ListingEntity {
  @ManyToOne(() => App, { ref: true })
  app!: Ref<App>;

  @Field(() => VersionStatus, { description: 'Where it stands.' })
  @Enum({ items: () => VersionStatus, type: 'text' })
  status: Opt<VersionStatus> = VersionStatus.DRAFT;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When it was approved or rejected.' })
  @Property({ type: 'datetime', length: 3, nullable: true })
  decidedAt: Date | null = null;

  @Field(() => Int, {
    nullable: true,
    description:
      "The app's revision that it was begun from or last rebased on. While the app is at another one, it cannot be approved: rebase it. Null for versions that were closed before this was recorded.",
  })
  @Property({ type: 'integer', nullable: true })
  baseRevision: number | null = null;

  /** The live listing at that revision. */
  @Property({ type: 'json', nullable: true })
  base: Listing | null = null;

  /** Of the fields in conflict that a rebase has found: the values that the version was begun from. */
  @Property({ type: 'json', default: '{}' })
  conflictBases: Opt<Partial<Listing>> = {};
}
