import type { Opt } from '@mikro-orm/core';
import { Enum, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import type { z } from 'zod';
import { EditableEntity } from '../../operations/base.entity.js';
import { describeEnum } from '../../operations/enum-type.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import {
  IntegerColumn,
  NullableTextColumn,
  NullableTimeColumn,
  TextColumn,
} from '../../operations/shown-column.js';
import type { AppChanges } from './listing.input.js';
import { Rejection } from './rejection.types.js';
import { Screenshot } from './screenshot.types.js';

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
describeEnum(Category, 'Category', 'The category of an app.', {
  PRODUCTIVITY: 'Task management, notes, calendars and other ways to get more done.',
  UTILITIES: 'Small tools for a single purpose.',
  BUSINESS: 'Customer management, sales and operations.',
  DEVELOPER_TOOLS: 'Tools for people who build software.',
  COMMUNICATION: 'Messaging, calls and e-mail.',
  ANALYTICS: 'Metrics, dashboards and reports.',
  AI_ML: 'Artificial intelligence and machine learning.',
  FINANCE: 'Accounting, payments and budgets.',
  EDUCATION: 'Learning and teaching.',
  OTHER: 'Everything that fits no other category.',
});

/** The columns that apps and versions share: the listing and the state of its review. */
@ObjectType()
export abstract class ListingEntity extends EditableEntity {
  @TextColumn('Display name, such as "Acme Notes"; at most 100 characters.')
  name!: string;

  @TextColumn('Short description shown in lists: one or two sentences, at most 500 characters.')
  description!: string;

  @NullableTextColumn('Full description in Markdown, at most 20,000 characters; null if none was given.')
  longDescription: string | null = null;

  @Field(() => Category, { description: 'The category it is listed in.' })
  @Enum({ items: () => Category, type: 'text' })
  category!: Category;

  @NullableTextColumn('URL of the logo: a square PNG or JPG, at least 512×512 pixels; null without a logo.')
  logoUrl: string | null = null;

  @NullableTextColumn('URL of the banner: a PNG or JPG of 1200×600 pixels; null without a banner.')
  bannerUrl: string | null = null;

  @NullableTextColumn("URL of the app's website; null without one.")
  websiteUrl: string | null = null;

  @NullableTextColumn("Id of the app's OAuth client, which support sets up; null without one.")
  oauthClientId: string | null = null;

  @Field(() => [Screenshot], {
    description: 'The screenshots, sorted by `order`: at most six. A submission needs at least two.',
  })
  @Property({ type: 'json' })
  screenshots: Opt<Screenshot[]> = [];

  @GraphQLOnly()
  @NullableTextColumn(
    'Number of the release, such as `2.1.0`: any text of at most 40 characters; null without one.',
  )
  versionNumber: string | null = null;

  @GraphQLOnly()
  @NullableTextColumn(
    'What is new in this release, in Markdown, at most 5,000 characters; null if nothing was written.',
  )
  releaseNotes: string | null = null;

  @IntegerColumn(
    'Number of the current edit, which starts at 1 and increases by one with every change. Send it back to detect changes made by others in between.',
  )
  revision: Opt<number> = 1;

  @NullableTimeColumn(
    'When it was last submitted for review (UTC); null if it was never submitted, or was withdrawn.',
  )
  submittedAt: Date | null = null;

  @Field(() => Rejection, {
    nullable: true,
    description: 'The latest rejection, until the next decision; null if it was not rejected.',
  })
  @Property({ type: 'json', nullable: true })
  rejection: Rejection | null = null;
}

/** The fields that a developer writes and a reviewer approves, in an app and in a version of it. */
export type Listing = Pick<ListingEntity, keyof z.output<typeof AppChanges>>;
