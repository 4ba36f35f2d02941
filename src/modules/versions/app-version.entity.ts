import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, GraphQLISODateTime, Int, ObjectType, registerEnumType } from 'type-graphql';
import { EditableEntity } from '../../db/base.entity.js';
import { App, Category } from '../apps/app.entity.js';
import type { Listing } from '../apps/app.listing.js';
import { Rejection, Screenshot } from '../apps/app.types.js';

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
export class AppVersion extends EditableEntity implements Listing {
  @ManyToOne(() => App, { ref: true })
  app!: Ref<App>;

  @Field(() => String, { description: 'Its name.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => String, { description: 'One or two sentences, shown in listings.' })
  @Property({ type: 'text' })
  description!: string;

  @Field(() => String, { nullable: true, description: 'The whole story, in Markdown.' })
  @Property({ type: 'text', nullable: true })
  longDescription: string | null = null;

  @Field(() => Category, { description: 'What it is for.' })
  @Enum({ items: () => Category, type: 'text' })
  category!: Category;

  @Field(() => String, { nullable: true, description: 'A square PNG or JPG of at least 512×512 pixels.' })
  @Property({ type: 'text', nullable: true })
  logoUrl: string | null = null;

  @Field(() => String, { nullable: true, description: 'A PNG or JPG of 1200×600 pixels.' })
  @Property({ type: 'text', nullable: true })
  bannerUrl: string | null = null;

  @Field(() => String, { nullable: true, description: "The app's website." })
  @Property({ type: 'text', nullable: true })
  websiteUrl: string | null = null;

  @Field(() => String, { nullable: true, description: 'The OAuth client arranged through support.' })
  @Property({ type: 'text', nullable: true })
  oauthClientId: string | null = null;

  @Field(() => [Screenshot], { description: 'At most six, sorted by `order`; a submission needs two.' })
  @Property({ type: 'json' })
  screenshots!: Screenshot[];

  @Field(() => VersionStatus, { description: 'Where it stands.' })
  @Enum({ items: () => VersionStatus, type: 'text' })
  status: Opt<VersionStatus> = VersionStatus.DRAFT;

  @Field(() => Int, { description: 'Rises with every edit; reviewers decide on the one they saw.' })
  @Property({ type: 'integer' })
  revision: Opt<number> = 1;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When it was last submitted.' })
  @Property({ type: 'datetime', length: 3, nullable: true })
  submittedAt: Date | null = null;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When it was approved or rejected.' })
  @Property({ type: 'datetime', length: 3, nullable: true })
  decidedAt: Date | null = null;

  @Field(() => Rejection, {
    nullable: true,
    description: 'Why it was last rejected, until the next decision.',
  })
  @Property({ type: 'json', nullable: true })
  rejection: Rejection | null = null;
}
