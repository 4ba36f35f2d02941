import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { call } from '../../operations/call.js';
import type { Context } from '../../operations/context.js';
import { Expose } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import type { RawInput } from '../../operations/parse-input.js';
import { App } from '../apps/app.entity.js';
import * as contract from './rating.contract.js';
import { Rating } from './rating.entity.js';
import { RatingModeration } from './rating.types.js';

/** The GraphQL fields of ratings. */
@Resolver(() => Rating)
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

  @Expose(contract.appRatings)
  appRatings(input: RawInput, context: Context) {
    return call(contract.appRatings, context, input);
  }

  @Expose(contract.myRating)
  myRating(input: RawInput, context: Context) {
    return call(contract.myRating, context, input);
  }

  @Expose(contract.rateApp)
  rateApp(input: RawInput, context: Context) {
    return call(contract.rateApp, context, input);
  }

  @Expose(contract.removeRating)
  removeRating(input: RawInput, context: Context) {
    return call(contract.removeRating, context, input);
  }

  @Expose(contract.replyToRating)
  replyToRating(input: RawInput, context: Context) {
    return call(contract.replyToRating, context, input);
  }

  @Expose(contract.hideRating)
  hideRating(input: RawInput, context: Context) {
    return call(contract.hideRating, context, input);
  }

  @Expose(contract.unhideRating)
  unhideRating(input: RawInput, context: Context) {
    return call(contract.unhideRating, context, input);
  }

  @Expose(contract.hiddenRatings)
  hiddenRatings(input: RawInput, context: Context) {
    return call(contract.hiddenRatings, context, input);
  }
}

/** The GraphQL fields of a moderation, which only administrators get. */
@Resolver(() => RatingModeration)
export class RatingModerationResolver {
  @FieldResolver(() => App, { description: 'The app that was rated, in whatever state it is.' })
  app(@Root() { appId }: RatingModeration, @Ctx() { loaders }: Context) {
    return loaders.app.load(appId);
  }
}
