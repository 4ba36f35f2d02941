import type { Opt } from '@mikro-orm/core';
import { Enum, Property } from '@mikro-orm/decorators/legacy';
import { Field, GraphQLISODateTime, Int, ObjectType, registerEnumType } from 'type-graphql';
import { EditableEntity } from '../../operations/base.entity.js';
import type { Listing } from './app.listing.js';
import { Rejection, Screenshot } from './app.types.js';

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

/** What a developer writes and an administrator decides on, in an app and in a version of it alike. */
@ObjectType()
export abstract class ListingEntity extends EditableEntity implements Listing {
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
  screenshots: Opt<Screenshot[]> = [];

  @Field(() => Int, { description: 'Rises with every edit; reviewers decide on the one they saw.' })
  @Property({ type: 'integer' })
  revision: Opt<number> = 1;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When it was last submitted.' })
  @Property({ type: 'datetime', length: 3, nullable: true })
  submittedAt: Date | null = null;

  @Field(() => Rejection, {
    nullable: true,
    description: 'Why it was last rejected, until the next decision.',
  })
  @Property({ type: 'json', nullable: true })
  rejection: Rejection | null = null;
}
