import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { z } from 'zod';
import type { Context } from '../../operations/context.js';
import { ArgOf, Expose, InputOf } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { call } from '../../operations/operation.js';
import * as contract from './rating.contract.js';
import { Rating } from './rating.entity.js';
import {
  HideRating,
  ListHiddenRatings,
  ListRatings,
  Opinion,
  RatedApp,
  ReplyToRating,
  UnhideRating,
} from './rating.input.js';
import { RatingModeration } from './rating.types.js';

/** The GraphQL fields of ratings. */
@Resolver(() => Rating)
export class RatingResolver {
  @GraphQLOnly()
  @FieldResolver(() => RatingModeration, {
    nullable: true,
    description: 'Why it is hidden. Null while it is not, and for everybody but administrators.',
  })
  async moderation(@Root() rating: Rating, @Ctx() context: Context): Promise<RatingModeration | null> {
    const { hiddenAt, hiddenReason: reason, removedAt } = rating;
    // Looked at first: a public page shows none of these, and then nobody asks who is calling.
    if (!hiddenAt) return null;
    const caller = await context.caller();
    return caller?.kind === 'account' && caller.isAdmin ? { hiddenAt, reason, removedAt } : null;
  }

  @Expose(contract.appRatings)
  appRatings(
    @ArgOf(ListRatings, 'slug') slug: string,
    @ArgOf(ListRatings, 'first') first: number | undefined,
    @ArgOf(ListRatings, 'after') after: string | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.appRatings, context, { slug, first, after });
  }

  @Expose(contract.myRating)
  myRating(@ArgOf(RatedApp, 'slug') slug: string, @Ctx() context: Context) {
    return call(contract.myRating, context, { slug });
  }

  @Expose(contract.rateApp)
  rateApp(
    @ArgOf(RatedApp, 'slug') slug: string,
    @InputOf('RateAppInput', Opinion) input: z.input<typeof Opinion>,
    @Ctx() context: Context,
  ) {
    return call(contract.rateApp, context, { ...input, slug });
  }

  @Expose(contract.removeRating)
  removeRating(@ArgOf(RatedApp, 'slug') slug: string, @Ctx() context: Context) {
    return call(contract.removeRating, context, { slug });
  }

  @Expose(contract.replyToRating)
  replyToRating(
    @ArgOf(ReplyToRating, 'id') id: string,
    @ArgOf(ReplyToRating, 'text') text: string | null | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.replyToRating, context, { id, text });
  }

  @Expose(contract.hideRating)
  hideRating(
    @ArgOf(HideRating, 'id') id: string,
    @ArgOf(HideRating, 'reason') reason: string,
    @Ctx() context: Context,
  ) {
    return call(contract.hideRating, context, { id, reason });
  }

  @Expose(contract.unhideRating)
  unhideRating(@ArgOf(UnhideRating, 'id') id: string, @Ctx() context: Context) {
    return call(contract.unhideRating, context, { id });
  }

  @Expose(contract.hiddenRatings)
  hiddenRatings(
    @ArgOf(ListHiddenRatings, 'first') first: number | undefined,
    @ArgOf(ListHiddenRatings, 'after') after: string | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.hiddenRatings, context, { first, after });
  }
}
