import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, Formula, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, Float, GraphQLISODateTime, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Developer } from '../developers/developer.entity.js';
import { ListingEntity } from './listing.entity.js';

export enum AppStatus {
  DRAFT = 'DRAFT',
  PENDING = 'PENDING',
  APPROVED = 'APPROVED',
  REJECTED = 'REJECTED',
  SUSPENDED = 'SUSPENDED',
}
registerEnumType(AppStatus, {
  name: 'AppStatus',
  description: 'Where an app stands.',
  valuesConfig: {
    DRAFT: { description: 'Being written.' },
    PENDING: { description: 'Submitted; waiting for an administrator.' },
    APPROVED: { description: 'Public.' },
    REJECTED: { description: 'Refused, with reasons; can be changed and submitted again.' },
    SUSPENDED: { description: 'Taken down by an administrator.' },
  },
});

export enum Environment {
  localhost = 'localhost',
  staging = 'staging',
  production = 'production',
}
registerEnumType(Environment, {
  name: 'Environment',
  description: 'Which environment of the host product an app runs in.',
  valuesConfig: {
    localhost: { description: "A developer's own machine." },
    staging: { description: 'The rehearsal.' },
    production: { description: 'The real thing.' },
  },
});

/** An app's listing as its owner and administrators see it: the row and the GraphQL type. */
@ObjectType({ description: 'An app, as its owner and administrators see it.' })
@Entity({ tableName: 'apps' })
export class App extends ListingEntity {
  @ManyToOne(() => Developer, { ref: true })
  developer!: Ref<Developer>;

  @Field(() => String, { description: 'Its name in public addresses; never changes.' })
  @Property({ type: 'text' })
  slug!: string;

  @Field(() => Environment, { description: 'Which environment it runs in; set at creation.' })
  @Enum({ items: () => Environment, type: 'text' })
  environment!: Environment;

  @Field(() => AppStatus, { description: 'Where it stands.' })
  @Enum({ items: () => AppStatus, type: 'text' })
  status: Opt<AppStatus> = AppStatus.DRAFT;

  @Field(() => Boolean, { description: 'Whether an administrator features it.' })
  @Property({ type: 'boolean' })
  featured: Opt<boolean> = false;

  @Field(() => Int, { description: 'How often it was installed.' })
  @Formula<App>((app) => `(select f.install_count from app_figures f where f.id = ${app.id})`, {
    type: 'integer',
  })
  installCount: Opt<number> = 0;

  @Field(() => Int, { description: 'How many ratings it has.' })
  @Property({ type: 'integer' })
  reviewCount: Opt<number> = 0;

  @Field(() => Float, { description: 'The mean of its ratings to two decimals; 0 without any.' })
  @Property({ type: 'double' })
  averageRating: Opt<number> = 0;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When it was approved.' })
  @Property({ type: 'datetime', length: 3, nullable: true })
  approvedAt: Date | null = null;
}
