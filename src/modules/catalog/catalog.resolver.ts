import { Ctx, FieldResolver, Float, GraphQLISODateTime, Int, Resolver, Root } from 'type-graphql';
import type { z } from 'zod';
import type { Context } from '../../operations/context.js';
import { ArgsOf, Exposes } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { parseInput } from '../../operations/parse-input.js';
import * as contract from './catalog.contract.js';
import { AppsPage } from './catalog.input.js';
import { AppConnection, PublicDeveloper } from './catalog.types.js';

/** The GraphQL fields of the public catalog. */
@Resolver()
@Exposes(contract)
export class CatalogResolver {}

/** The fields of a public profile that lists of apps do not read. */
@Resolver(() => PublicDeveloper)
export class PublicDeveloperResolver {
  @GraphQLOnly()
  @FieldResolver(() => String, {
    nullable: true,
    description: 'Short text about the developer, at most 2,000 characters; null without one.',
  })
  async bio(@Root() { id }: PublicDeveloper, @Ctx() { loaders }: Context): Promise<string | null> {
    return (await loaders.publicProfile.load(id)).bio;
  }

  @GraphQLOnly()
  @FieldResolver(() => Boolean, {
    description: 'True if the administrators have verified who the developer is, and have not withdrawn it.',
  })
  async verified(@Root() { id }: PublicDeveloper, @Ctx() { loaders }: Context): Promise<boolean> {
    return (await loaders.publicProfile.load(id)).verified;
  }

  @GraphQLOnly()
  @FieldResolver(() => GraphQLISODateTime, { description: 'When the developer registered (UTC).' })
  async memberSince(@Root() { id }: PublicDeveloper, @Ctx() { loaders }: Context): Promise<string> {
    return (await loaders.publicProfile.load(id)).memberSince;
  }

  @GraphQLOnly()
  @FieldResolver(() => Int, { description: "Number of the developer's public apps." })
  async appCount(@Root() { id }: PublicDeveloper, @Ctx() { loaders }: Context): Promise<number> {
    return (await loaders.publicProfile.load(id)).appCount;
  }

  @GraphQLOnly()
  @FieldResolver(() => Int, { description: "Total number of installs of the developer's public apps." })
  async installCount(@Root() { id }: PublicDeveloper, @Ctx() { loaders }: Context): Promise<number> {
    return (await loaders.publicProfile.load(id)).installCount;
  }

  @GraphQLOnly()
  @FieldResolver(() => Int, {
    description: "Number of ratings of the developer's public apps, without hidden ones.",
  })
  async reviewCount(@Root() { id }: PublicDeveloper, @Ctx() { loaders }: Context): Promise<number> {
    return (await loaders.publicProfile.load(id)).reviewCount;
  }

  @GraphQLOnly()
  @FieldResolver(() => Float, {
    description:
      "Mean of all ratings of the developer's public apps, from 1 to 5, rounded to two decimals; 0 if there are none.",
  })
  async averageRating(@Root() { id }: PublicDeveloper, @Ctx() { loaders }: Context): Promise<number> {
    return (await loaders.publicProfile.load(id)).averageRating;
  }

  @GraphQLOnly()
  @FieldResolver(() => AppConnection, {
    description:
      "The developer's public apps, most installed first: the same list as `apps` with the filter `developer`.",
  })
  apps(
    @Root() { id: developer }: PublicDeveloper,
    @ArgsOf('DeveloperApps', AppsPage) page: z.input<typeof AppsPage>,
    @Ctx() { loaders }: Context,
  ) {
    return loaders.developerApps.load({ developer, ...parseInput(AppsPage, { ...page }) });
  }
}
