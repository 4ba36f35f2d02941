import type { Opt } from '@mikro-orm/core';
import { Entity, Enum, Property } from '@mikro-orm/decorators/legacy';
import { Field, GraphQLISODateTime, ObjectType, registerEnumType } from 'type-graphql';
import { DeveloperStatus } from '../../auth/developer-status.js';
import { EditableEntity } from '../../operations/base.entity.js';

registerEnumType(DeveloperStatus, {
  name: 'DeveloperStatus',
  description: 'Where a developer account stands.',
  valuesConfig: {
    UNVERIFIED: { description: 'Registered; an administrator has not verified it yet.' },
    VERIFIED: { description: 'May create keys and submit apps.' },
    SUSPENDED: { description: 'Its keys do not work and its apps are not public.' },
  },
});

/** A developer's account in the marketplace: the row and the GraphQL type. */
@ObjectType({ description: 'A developer of the marketplace, as the developer and administrators see them.' })
@Entity({ tableName: 'developers' })
export class Developer extends EditableEntity {
  @Field(() => String, { description: "The developer's identifier on the host platform's account system." })
  @Property({ type: 'text' })
  accountUserId!: string;

  @Field(() => String, { description: 'The name shown beside their apps.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => String, { description: 'Where notifications go. Never public.' })
  @Property({ type: 'text' })
  email!: string;

  @Field(() => String, { nullable: true, description: 'The company, if any.' })
  @Property({ type: 'text', nullable: true })
  companyName: string | null = null;

  @Field(() => String, { nullable: true, description: "The developer's website." })
  @Property({ type: 'text', nullable: true })
  websiteUrl: string | null = null;

  @Field(() => String, { nullable: true, description: 'A few words about the developer.' })
  @Property({ type: 'text', nullable: true })
  bio: string | null = null;

  @Field(() => DeveloperStatus, { description: 'Where the account stands.' })
  @Enum({ items: () => DeveloperStatus, type: 'text' })
  status: Opt<DeveloperStatus> = DeveloperStatus.UNVERIFIED;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When an administrator verified it.' })
  @Property({ type: 'datetime', length: 3, nullable: true })
  verifiedAt: Date | null = null;

  /** Where `reinstateDeveloper` leads back to. */
  @Enum({
    items: () => [DeveloperStatus.UNVERIFIED, DeveloperStatus.VERIFIED],
    type: 'text',
    nullable: true,
  })
  statusBeforeSuspension: DeveloperStatus | null = null;
}
