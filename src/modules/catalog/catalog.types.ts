import { Pagination } from '../../operations/pagination.types.js';
import 'reflect-metadata';
import { Field, Float, GraphQLISODateTime, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { PageInfo } from '../../operations/connection.types.js';
import { AppStatus, Environment } from '../apps/app.entity.js';
import { Screenshot } from '../apps/app.types.js';
import { Category } from '../apps/listing.entity.js';

export enum AppSort {
  popular = 'popular',
  newest = 'newest',
  rating = 'rating',
  name = 'name',
  relevance = 'relevance',
}
registerEnumType(AppSort, {
  name: 'AppSort',
  description: 'The order of a list of apps.',
  valuesConfig: {
    popular: { description: 'Most installs first; the default without a search.' },
    newest: { description: 'Latest approval first.' },
    rating: { description: 'Best mean rating first.' },
    name: { description: 'By name, whatever the case.' },
    relevance: { description: 'Best match first; the default with a search.' },
  },
});

/** What the public may know of a developer. */
@ObjectType({ description: 'What the public may know of a developer.' })
export class PublicDeveloper {
  @Field(() => String, { description: 'Their name.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'The company, if any.' })
  companyName!: string | null;

  @Field(() => String, { nullable: true, description: 'Their website.' })
  websiteUrl!: string | null;
}

/** An approved app as everybody sees it. */
@ObjectType({ description: 'An approved app, as everybody sees it.' })
export class PublicApp {
  @Field(() => ID, { description: 'A UUID (version 7).' })
  id!: string;

  @Field(() => String, { description: 'Its name in public addresses; never changes.' })
  slug!: string;

  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => String, { description: 'One or two sentences.' })
  description!: string;

  @Field(() => String, { nullable: true, description: 'The whole story, in Markdown.' })
  longDescription!: string | null;

  @Field(() => Category, { description: 'What it is for.' })
  category!: Category;

  @Field(() => Environment, { description: 'Which environment it runs in.' })
  environment!: Environment;

  @Field(() => String, { nullable: true, description: 'A square logo.' })
  logoUrl!: string | null;

  @Field(() => String, { nullable: true, description: 'A banner of 1200×600 pixels.' })
  bannerUrl!: string | null;

  @Field(() => String, { nullable: true, description: "The app's website." })
  websiteUrl!: string | null;

  @Field(() => [Screenshot], { description: 'Pictures, sorted by `order`.' })
  screenshots!: Screenshot[];

  @Field(() => AppStatus, { description: 'Always APPROVED here.' })
  status!: AppStatus;

  @Field(() => Boolean, { description: 'Whether an administrator features it.' })
  featured!: boolean;

  @Field(() => Int, { description: 'How often it was installed.' })
  installCount!: number;

  @Field(() => Int, { description: 'How many ratings it has.' })
  reviewCount!: number;

  @Field(() => Float, { description: 'The mean of its ratings to two decimals; 0 without any.' })
  averageRating!: number;

  @Field(() => GraphQLISODateTime, { description: 'When it was approved.' })
  approvedAt!: string;

  @Field(() => GraphQLISODateTime, { description: 'When it was created.' })
  createdAt!: string;

  @Field(() => GraphQLISODateTime, { description: 'When it last changed.' })
  updatedAt!: string;

  @Field(() => PublicDeveloper, { description: 'Who made it.' })
  developer!: PublicDeveloper;
}

/** A page of the catalog. */
@ObjectType({ description: 'A page of the catalog.' })
export class AppPage {
  @Field(() => [PublicApp], { description: 'The apps of this page.' })
  apps!: PublicApp[];

  @Field(() => Pagination, { description: 'Which page of how many.' })
  pagination!: Pagination;
}

/** How many public apps a category has. */
@ObjectType({ description: 'A category and how many public apps it has.' })
export class CategoryCount {
  @Field(() => Category, { description: 'The category.' })
  category!: Category;

  @Field(() => Int, { description: 'How many public apps it has.' })
  count!: number;
}

/** How many public apps an environment has. */
@ObjectType({ description: 'An environment and how many public apps it has.' })
export class EnvironmentCount {
  @Field(() => Environment, { description: 'The environment.' })
  environment!: Environment;

  @Field(() => Int, { description: 'How many public apps it has.' })
  count!: number;
}

/** What else the filter could be set to, and how many apps that would show. */
@ObjectType({ description: 'How many apps each choice of a filter would show, the other filters kept.' })
export class AppFacets {
  @Field(() => [CategoryCount], { description: 'By category, whichever category is chosen now.' })
  categories!: CategoryCount[];

  @Field(() => [EnvironmentCount], { description: 'By environment, whichever environment is chosen now.' })
  environments!: EnvironmentCount[];
}

/** An app and its place in the list. */
@ObjectType({ description: 'One app and its place in the list.' })
export class AppEdge {
  @Field(() => PublicApp, { description: 'The app.' })
  node!: PublicApp;

  @Field(() => String, { description: 'Its place, for `after`.' })
  cursor!: string;
}

/** A page of the catalog in Relay's form. What costs a statement of its own is asked for only when it is read. */
@ObjectType({ description: 'A page of the catalog.' })
export class AppConnection {
  constructor(
    edges: AppEdge[],
    pageInfo: PageInfo,
    private readonly counts: { total(): Promise<number>; facets(): Promise<AppFacets> },
  ) {
    this.edges = edges;
    this.pageInfo = pageInfo;
  }

  @Field(() => [AppEdge], { description: 'The apps of this page.' })
  edges: AppEdge[];

  @Field(() => PageInfo, { description: 'Where this page begins and ends.' })
  pageInfo: PageInfo;

  @Field(() => Int, { description: 'How many apps match in all.' })
  get totalCount(): Promise<number> {
    return this.counts.total();
  }

  @Field(() => AppFacets, { description: 'How many apps other choices would show.' })
  get facets(): Promise<AppFacets> {
    return this.counts.facets();
  }
}

/** What a search box offers. */
@ObjectType({ description: 'An app that may be meant by what was typed.' })
export class AppSuggestion {
  @Field(() => String, { description: "The app's name." })
  name!: string;

  @Field(() => String, { description: 'Its name in public addresses.' })
  slug!: string;
}
