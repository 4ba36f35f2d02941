import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, Float, GraphQLISODateTime, Int, ObjectType, registerEnumType } from 'type-graphql';
import { EditableEntity } from '../../db/base.entity.js';
import { Developer } from '../developers/developer.entity.js';
import { Rejection, Screenshot } from './app.types.js';

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

export enum Category {
  PRODUCTIVITY = 'PRODUCTIVITY',
  UTILITIES = 'UTILITIES',
  BUSINESS = 'BUSINESS',
  DEVELOPER_TOOLS = 'DEVELOPER_TOOLS',
  COMMUNICATION = 'COMMUNICATION',
  ANALYTICS = 'ANALYTICS',
  AI_ML = 'AI_ML',
  FINANCE = 'FINANCE',
  EDUCATION = 'EDUCATION',
  OTHER = 'OTHER',
}
registerEnumType(Category, {
  name: 'Category',
  description: 'What an app is for.',
  valuesConfig: {
    PRODUCTIVITY: { description: 'Getting more done.' },
    UTILITIES: { description: 'Small helpers.' },
    BUSINESS: { description: 'Customers, sales and operations.' },
    DEVELOPER_TOOLS: { description: 'For those who build software.' },
    COMMUNICATION: { description: 'Talking to each other.' },
    ANALYTICS: { description: 'Figures and reports.' },
    AI_ML: { description: 'Artificial intelligence and machine learning.' },
    FINANCE: { description: 'Money in and out.' },
    EDUCATION: { description: 'Learning and teaching.' },
    OTHER: { description: 'Everything else.' },
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
export class App extends EditableEntity {
  @ManyToOne(() => Developer, { ref: true })
  developer!: Ref<Developer>;

  @Field(() => String, { description: 'Its name in public addresses; never changes.' })
  @Property({ type: 'text' })
  slug!: string;

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

  @Field(() => Environment, { description: 'Which environment it runs in; set at creation.' })
  @Enum({ items: () => Environment, type: 'text' })
  environment!: Environment;

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
  screenshots: Opt<Screenshot[]> = [];

  @Field(() => AppStatus, { description: 'Where it stands.' })
  @Enum({ items: () => AppStatus, type: 'text' })
  status: Opt<AppStatus> = AppStatus.DRAFT;

  @Field(() => Boolean, { description: 'Whether an administrator features it.' })
  @Property({ type: 'boolean' })
  featured: Opt<boolean> = false;

  @Field(() => Int, { description: 'How often it was installed.' })
  @Property({ type: 'integer' })
  installCount: Opt<number> = 0;

  @Field(() => Int, { description: 'How many ratings it has.' })
  @Property({ type: 'integer' })
  reviewCount: Opt<number> = 0;

  @Field(() => Float, { description: 'The mean of its ratings to two decimals; 0 without any.' })
  @Property({ type: 'double' })
  averageRating: Opt<number> = 0;

  @Field(() => Int, { description: 'Rises with every edit; reviewers decide on the one they saw.' })
  @Property({ type: 'integer' })
  revision: Opt<number> = 1;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When it was last submitted.' })
  @Property({ type: 'datetime', length: 3, nullable: true })
  submittedAt: Date | null = null;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When it was approved.' })
  @Property({ type: 'datetime', length: 3, nullable: true })
  approvedAt: Date | null = null;

  @Field(() => Rejection, {
    nullable: true,
    description: 'Why it was last rejected, until the next decision.',
  })
  @Property({ type: 'json', nullable: true })
  rejection: Rejection | null = null;
}
