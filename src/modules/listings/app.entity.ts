import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, Formula, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, Float, Int, ObjectType } from 'type-graphql';
import { describeEnum } from '../../operations/enum-type.js';
import { Node } from '../../operations/node.types.js';
import { IntegerColumn, NullableTimeColumn, TextColumn } from '../../operations/shown-column.js';
import { Developer } from '../developers/developer.entity.js';
import { ListingEntity } from './listing.entity.js';

export enum AppStatus {
  DRAFT = 'DRAFT',
  PENDING = 'PENDING',
  APPROVED = 'APPROVED',
  REJECTED = 'REJECTED',
  SUSPENDED = 'SUSPENDED',
}
describeEnum(AppStatus, 'AppStatus', 'The state of an app in its lifecycle.', {
  DRAFT: 'Not submitted for review yet, or withdrawn from it.',
  PENDING: 'Submitted; waiting for a decision by an administrator.',
  APPROVED: 'Approved, and public unless its developer is suspended.',
  REJECTED: 'Rejected with reasons. The developer can change it and submit it again.',
  SUSPENDED: 'Removed from the public catalog by an administrator, who can restore it.',
});

export enum Environment {
  localhost = 'localhost',
  staging = 'staging',
  production = 'production',
}
describeEnum(Environment, 'Environment', 'The environment of the host product that an app runs in.', {
  localhost: "Host product on a developer's own machine.",
  staging: 'Staging environment of the host product.',
  production: 'Production environment of the host product.',
});

/** An app with all its fields, for its owner and administrators: the database row and the GraphQL type. */
@ObjectType({
  description: 'An app with all its fields, for its owner and administrators.',
  implements: Node,
})
@Entity({ tableName: 'apps' })
export class App extends ListingEntity {
  @ManyToOne(() => Developer, { ref: true })
  developer!: Ref<Developer>;

  @TextColumn(
    'Unique name in public URLs, such as `acme-notes`. It is created from the original name of the app and never changes.',
  )
  slug!: string;

  @Field(() => Environment, {
    description: 'The environment of the host product that it runs in. It cannot be changed after creation.',
  })
  @Enum({ items: () => Environment, type: 'text' })
  environment!: Environment;

  @Field(() => AppStatus, { description: 'The state in its lifecycle.' })
  @Enum({ items: () => AppStatus, type: 'text' })
  status: Opt<AppStatus> = AppStatus.DRAFT;

  @Field(() => Boolean, { description: 'True if an administrator has selected it for the featured list.' })
  @Property({ type: 'boolean' })
  featured: Opt<boolean> = false;

  @Field(() => Int, { description: 'Total number of installs.' })
  @Formula<App>((app) => `(select f.install_count from app_figures f where f.id = ${app.id})`, {
    type: 'integer',
  })
  installCount: Opt<number> = 0;

  @IntegerColumn('Number of ratings, without hidden ones.')
  reviewCount: Opt<number> = 0;

  @Field(() => Float, {
    description: 'Mean of the ratings, from 1 to 5, rounded to two decimals; 0 if there are none.',
  })
  @Property({ type: 'double' })
  averageRating: Opt<number> = 0;

  @NullableTimeColumn('When it was approved (UTC); null if it never was.')
  approvedAt: Date | null = null;
}
