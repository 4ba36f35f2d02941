import { Ctx, Resolver } from 'type-graphql';
import type { z } from 'zod';
import type { Context } from '../../operations/context.js';
import { ArgOf, Expose, InputOf } from '../../operations/expose.js';
import { call } from '../../operations/operation.js';
import type { Environment } from '../apps/app.entity.js';
import * as contract from './catalog.contract.js';
import { AppFilter, Apps, BrowseApps, FeaturedApps, Slug, Suggest } from './catalog.input.js';
import type { AppSort } from './catalog.types.js';

/** The GraphQL fields of the public catalog. */
@Resolver()
export class CatalogResolver {
  @Expose(contract.browseApps)
  browseApps(
    @InputOf('AppFilter', AppFilter, { name: 'filter', nullable: true }) filter:
      | z.input<typeof AppFilter>
      | undefined,
    @ArgOf(BrowseApps, 'sort') sort: AppSort | undefined,
    @ArgOf(BrowseApps, 'page') page: number | undefined,
    @ArgOf(BrowseApps, 'limit') limit: number | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.browseApps, context, { ...filter, sort, page, limit });
  }

  @Expose(contract.apps)
  apps(
    @InputOf('AppFilter', AppFilter, { name: 'filter', nullable: true }) filter:
      | z.input<typeof AppFilter>
      | undefined,
    @ArgOf(Apps, 'sort') sort: AppSort | undefined,
    @ArgOf(Apps, 'first') first: number | undefined,
    @ArgOf(Apps, 'after') after: string | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.apps, context, { ...filter, sort, first, after });
  }

  @Expose(contract.suggest)
  suggest(
    @ArgOf(Suggest, 'prefix') prefix: string,
    @ArgOf(Suggest, 'first') first: number | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.suggest, context, { prefix, first });
  }

  @Expose(contract.app)
  app(@ArgOf(Slug, 'slug') slug: string, @Ctx() context: Context) {
    return call(contract.app, context, { slug });
  }

  @Expose(contract.featuredApps)
  featuredApps(
    @ArgOf(FeaturedApps, 'environment') environment: Environment | undefined,
    @ArgOf(FeaturedApps, 'limit') limit: number | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.featuredApps, context, { environment, limit });
  }

  @Expose(contract.categories)
  categories(@Ctx() context: Context) {
    return call(contract.categories, context, {});
  }
}
