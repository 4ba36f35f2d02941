import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../operations/context.js';
import { Exposes, type ListPage, PageArgs, parsePage } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { PublicApp } from '../catalog/catalog.types.js';
import { App } from '../listings/app.entity.js';
import { mayReadApp } from './rating.actions.js';
import * as contract from './rating.contract.js';
import { Rating } from './rating.entity.js';
import { RatingConnection, RatingCount, RatingModeration } from './rating.types.js';
import { RatingReportConnection } from './rating-report.entity.js';

const distribution = {
  description:
    'Number of ratings for each number of stars, from 1 to 5: always five entries. Hidden ratings are not counted.',
};

/** The GraphQL fields of ratings. */
@Resolver(() => Rating)
@Exposes(contract)
export class RatingResolver {
  @GraphQLOnly()
  @FieldResolver(() => RatingModeration, {
    nullable: true,
    description:
      'When and why an administrator hid the rating; null if it is not hidden, and for everybody but administrators.',
  })
  async moderation(@Root() rating: Rating, @Ctx() context: Context): Promise<RatingModeration | null> {
    const { hiddenAt, hiddenReason: reason, hiddenBy: by, removedAt, app } = rating;
    // Checked first: a response that does not depend on the caller can be cached, and public lists have no hidden ratings.
    if (!hiddenAt) return null;
    return (await context.isAdministrator()) ? { hiddenAt, reason, by, removedAt, appId: app.id } : null;
  }

  @GraphQLOnly()
  @FieldResolver(() => String, {
    nullable: true,
    description: 'Account id of the author; null for everybody but administrators.',
  })
  async accountUserId(@Root() rating: Rating, @Ctx() context: Context) {
    return (await context.isAdministrator()) ? rating.accountUserId : null;
  }

  @GraphQLOnly()
  @FieldResolver(() => RatingReportConnection, {
    nullable: true,
    description:
      'Open reports of the rating, newest first; `totalCount` is their number. Null for everybody but administrators, and for those who wrote the rating or whose app it is about.',
  })
  async reports(@Root() rating: Rating, @PageArgs() page: ListPage, @Ctx() context: Context) {
    const { id: owner } = rating;
    if (!(await context.isAdministrator()) || (await isOwn(rating, context))) return null;
    return context.loaders.ratingReports.load({ owner, page: parsePage(page) });
  }

  @GraphQLOnly()
  @FieldResolver(() => PublicApp, {
    nullable: true,
    description:
      'The rated app. Null if it is no longer public, except for its developer and administrators: they get it with its present `status`.',
  })
  async app(@Root() rating: Rating, @Ctx() context: Context): Promise<PublicApp | null> {
    const app = await context.loaders.publicForm.load(rating.app.id);
    if (app.listed) return app;
    return mayReadApp(await context.caller(), app.developer.id) ? app : null;
  }
}

/** Returns whether the caller wrote a rating, or is the developer of its app. */
async function isOwn({ accountUserId, app: { id } }: Rating, context: Context): Promise<boolean> {
  const caller = await context.caller();
  if (caller?.kind !== 'account') return false;
  const { developer } = await context.loaders.app.load(id);
  return caller.accountUserId === accountUserId || caller.developer?.id === developer.id;
}

/** The GraphQL fields of a moderation, which only administrators get. */
@Resolver(() => RatingModeration)
export class RatingModerationResolver {
  @FieldResolver(() => App, { description: 'The app that was rated, in whatever state it is.' })
  app(@Root() { appId }: RatingModeration, @Ctx() { loaders }: Context) {
    return loaders.app.load(appId);
  }
}

/** The distribution of a page's app. */
@Resolver(() => RatingConnection)
export class RatingDistributionResolver {
  @GraphQLOnly()
  @FieldResolver(() => [RatingCount], {
    nullable: true,
    description: `${distribution.description} Null in lists of the ratings of several apps.`,
  })
  distribution(@Root() { owner: appId }: { owner?: string }, @Ctx() { loaders }: Context) {
    return appId ? loaders.ratingDistribution.load(appId) : null;
  }
}

/** The distribution of an app that is public. */
@Resolver(() => PublicApp)
export class PublicAppRatingsResolver {
  @GraphQLOnly()
  @FieldResolver(() => Rating, {
    nullable: true,
    description:
      'Your own rating of the app; null if you have not rated it, and without an account token. Unlike `myRating`, it is no error if there is none.',
  })
  async myRating(@Root() { id }: PublicApp, @Ctx() context: Context) {
    const caller = await context.caller();
    if (caller?.kind !== 'account') return null;
    return context.loaders.ownRating.load({ appId: id, accountUserId: caller.accountUserId });
  }

  @GraphQLOnly()
  @FieldResolver(() => [RatingCount], distribution)
  ratingDistribution(@Root() { id }: PublicApp, @Ctx() { loaders }: Context) {
    return loaders.ratingDistribution.load(id);
  }
}

/** The ratings of an app, for its developer and administrators. */
@Resolver(() => App)
export class AppRatingsResolver {
  @GraphQLOnly()
  @FieldResolver(() => [RatingCount], distribution)
  ratingDistribution(@Root() { id }: App, @Ctx() { loaders }: Context) {
    return loaders.ratingDistribution.load(id);
  }

  @GraphQLOnly()
  @FieldResolver(() => RatingConnection, {
    description:
      'Ratings of the app, newest first. Administrators also get the hidden ones, which have a `moderation`.',
  })
  async ratings(@Root() { id: owner }: App, @PageArgs() page: ListPage, @Ctx() context: Context) {
    const { allRatings, ratings } = context.loaders;
    const shown = (await context.isAdministrator()) ? allRatings : ratings;
    return shown.load({ owner, page: parsePage(page) });
  }
}
