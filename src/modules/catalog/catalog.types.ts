import { Pagination } from '../../operations/pagination.types.js';
import { Screenshot } from '../listings/screenshot.types.js';
import 'reflect-metadata';
import { Field, Float, GraphQLISODateTime, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { PageInfo } from '../../operations/connection.types.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { Node } from '../../operations/node.types.js';
import { AppStatus, Environment } from '../listings/app.entity.js';
import { Category } from '../listings/listing.entity.js';
import { AppFacets } from './app-facets.types.js';

export enum AppSort {
  popular = 'popular',
  newest = 'newest',
  rating = 'rating',
  name = 'name',
  relevance = 'relevance',
}
registerEnumType(AppSort, {
  name: 'AppSort',
  description: 'Sort order of a list of apps.',
  valuesConfig: {
    popular: { description: 'Most installs first, then latest approval first. Default without a search.' },
    newest: { description: 'Latest approval first.' },
    rating: { description: 'Highest mean rating first, then most ratings first.' },
    name: { description: 'By name from A to Z; case is ignored.' },
    relevance: {
      description:
        'Best match for the search first. Default with a search; without a search the same as `popular`.',
    },
  },
});

/** The public fields of a developer. Lists of apps read only these; further ones are resolved through loaders. */
@ObjectType({ description: 'The public profile of a developer.', implements: Node })
export class PublicDeveloper {
  @GraphQLOnly()
  @Field(() => ID, {
    description: 'Unique id (UUID version 7), for `publicDeveloper(id)` and the filter `developer`.',
  })
  id!: string;

  @Field(() => String, { description: 'Name of the developer.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Company name; null without one.' })
  companyName!: string | null;

  @Field(() => String, { nullable: true, description: "URL of the developer's website; null without one." })
  websiteUrl!: string | null;
}

/** The public fields of an approved app. */
@ObjectType({ description: 'An approved app in the public catalog.', implements: Node })
export class PublicApp {
  @Field(() => ID, { description: 'Unique id (UUID version 7).' })
  id!: string;

  @Field(() => String, { description: 'Unique name in public URLs, such as `acme-notes`. It never changes.' })
  slug!: string;

  @Field(() => String, { description: 'Display name, such as "Acme Notes".' })
  name!: string;

  @Field(() => String, { description: 'Short description: one or two sentences.' })
  description!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Full description in Markdown; null if none was given.',
  })
  longDescription!: string | null;

  @Field(() => Category, { description: 'The category it is listed in.' })
  category!: Category;

  @Field(() => Environment, { description: 'The environment of the host product that it runs in.' })
  environment!: Environment;

  @Field(() => String, {
    nullable: true,
    description: 'URL of the logo: a square PNG or JPG; null without a logo.',
  })
  logoUrl!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'URL of the banner: a PNG or JPG of 1200×600 pixels; null without a banner.',
  })
  bannerUrl!: string | null;

  @Field(() => String, { nullable: true, description: "URL of the app's website; null without one." })
  websiteUrl!: string | null;

  @Field(() => [Screenshot], { description: 'The screenshots, sorted by `order`; at most six.' })
  screenshots!: Screenshot[];

  @GraphQLOnly()
  @Field(() => String, {
    nullable: true,
    description: 'Number of the latest release, such as `2.1.0`; null without one.',
  })
  versionNumber!: string | null;

  @GraphQLOnly()
  @Field(() => String, {
    nullable: true,
    description: 'What is new in the latest release, in Markdown; null if nothing was written.',
  })
  releaseNotes!: string | null;

  @Field(() => AppStatus, {
    description: 'Always `APPROVED`, because the catalog contains only approved apps.',
  })
  status!: AppStatus;

  @Field(() => Boolean, { description: 'True if an administrator has selected it for the featured list.' })
  featured!: boolean;

  @Field(() => Int, { description: 'Total number of installs.' })
  installCount!: number;

  @Field(() => Int, { description: 'Number of ratings, without hidden ones.' })
  reviewCount!: number;

  @Field(() => Float, {
    description: 'Mean of the ratings, from 1 to 5, rounded to two decimals; 0 if there are none.',
  })
  averageRating!: number;

  @Field(() => GraphQLISODateTime, { description: 'When it was approved (UTC).' })
  approvedAt!: string;

  @Field(() => GraphQLISODateTime, { description: 'When it was created (UTC).' })
  createdAt!: string;

  @Field(() => GraphQLISODateTime, { description: 'When it last changed (UTC).' })
  updatedAt!: string;

  @Field(() => PublicDeveloper, { description: 'The developer of the app.' })
  developer!: PublicDeveloper;
}

/** Fields that take more than a third of the time in which a list of apps is read, and that cards of apps do not show. */
export const detailFields = [
  'longDescription',
  'bannerUrl',
  'screenshots',
  'versionNumber',
  'releaseNotes',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof PublicApp)[];

/** A numbered page of the catalog. */
@ObjectType({ description: 'A numbered page of the catalog.' })
export class AppPage {
  @Field(() => [PublicApp], { description: 'The apps on this page.' })
  apps!: PublicApp[];

  @Field(() => Pagination, { description: 'The page number, the page size and the totals.' })
  pagination!: Pagination;
}

/** An app and its cursor. */
@ObjectType({ description: 'One app of a page, with its cursor.' })
export class AppEdge {
  @Field(() => PublicApp, { description: 'The app.' })
  node!: PublicApp;

  @Field(() => String, {
    description: 'Cursor of this app. Pass it as `after` to read the apps that follow it.',
  })
  cursor!: string;
}

/** A page of the catalog as a Relay connection. `totalCount` and `facets` are queried only if the client selects them. */
@ObjectType({ description: 'A page of the catalog, with cursors.' })
export class AppConnection {
  /** Queried once, however many aliases a document has for it. */
  private total: Promise<number> | null = null;
  private knownFacets: Promise<AppFacets> | null = null;

  constructor(
    edges: AppEdge[],
    pageInfo: PageInfo,
    private readonly counts: {
      total(): Promise<number>;
      isExact(total: number): boolean;
      facets(): Promise<AppFacets>;
    },
  ) {
    this.edges = edges;
    this.pageInfo = pageInfo;
  }

  @Field(() => [AppEdge], { description: 'The apps on this page.' })
  edges: AppEdge[];

  @Field(() => PageInfo, { description: 'The cursors of this page, and whether there are more pages.' })
  pageInfo: PageInfo;

  @Field(() => Int, {
    description:
      'Total number of matching apps on all pages. A search finds at most 1,000 apps, so 1,000 means "1,000 or more" there.',
  })
  get totalCount(): Promise<number> {
    this.total ??= this.counts.total();
    return this.total;
  }

  @Field(() => Boolean, {
    description:
      'False if `totalCount` means "or more", because a search has more matches than it can count.',
  })
  get totalIsExact(): Promise<boolean> {
    return this.totalCount.then((total) => this.counts.isExact(total));
  }

  @Field(() => AppFacets, { description: 'The number of matching apps for other filter values.' })
  get facets(): Promise<AppFacets> {
    this.knownFacets ??= this.counts.facets();
    return this.knownFacets;
  }
}

/** A suggestion for a search box. */
@ObjectType({ description: 'An app that is suggested while the user types.' })
export class AppSuggestion {
  @Field(() => String, { description: 'Display name of the app.' })
  name!: string;

  @Field(() => String, { description: 'Slug of the app, to read it with `app(slug)`.' })
  slug!: string;

  @Field(() => String, {
    nullable: true,
    description: 'URL of the logo: a square PNG or JPG; null without a logo.',
  })
  logoUrl!: string | null;

  @Field(() => Category, { description: 'The category it is listed in.' })
  category!: Category;
}
