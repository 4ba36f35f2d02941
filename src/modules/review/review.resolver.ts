import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { z } from 'zod';
import type { Context } from '../../operations/context.js';
import { ArgOf, Expose, InputOf } from '../../operations/expose.js';
import { call } from '../../operations/operation.js';
import { AppId } from '../apps/app.input.js';
import { Developer } from '../developers/developer.entity.js';
import * as contract from './review.contract.js';
import {
  AddressReason,
  AppIdAndReason,
  ApproveApp,
  ClaimReview,
  Edit,
  FeatureApp,
  Reject,
  ReleaseReview,
  ReviewQueue,
  ReviewQueueFilter,
  SendMessage,
} from './review.input.js';
import { ReviewQueueItem } from './review.types.js';

/** The GraphQL fields of the review, for administrators. */
@Resolver(() => ReviewQueueItem)
export class ReviewResolver {
  @Expose(contract.reviewQueue)
  reviewQueue(
    @ArgOf(ReviewQueue, 'first') first: number | undefined,
    @ArgOf(ReviewQueue, 'after') after: string | undefined,
    @InputOf('ReviewQueueFilter', ReviewQueueFilter, { name: 'filter', nullable: true }) filter:
      | z.input<typeof ReviewQueueFilter>
      | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.reviewQueue, context, { first, after, filter });
  }

  @Expose(contract.reviewCounts)
  reviewCounts(@Ctx() context: Context) {
    return call(contract.reviewCounts, context, {});
  }

  @Expose(contract.claimReview)
  claimReview(
    @ArgOf(ClaimReview, 'id') id: string,
    @ArgOf(ClaimReview, 'takeOver') takeOver: boolean | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.claimReview, context, { id, takeOver });
  }

  @Expose(contract.releaseReview)
  releaseReview(@ArgOf(ReleaseReview, 'id') id: string, @Ctx() context: Context) {
    return call(contract.releaseReview, context, { id });
  }

  @Expose(contract.messageDeveloper)
  messageDeveloper(
    @ArgOf(AppId, 'id') id: string,
    @ArgOf(SendMessage, 'text') text: string,
    @Ctx() context: Context,
  ) {
    return call(contract.messageDeveloper, context, { id, text });
  }

  @Expose(contract.messageReviewers)
  messageReviewers(
    @ArgOf(AppId, 'id') id: string,
    @ArgOf(SendMessage, 'text') text: string,
    @Ctx() context: Context,
  ) {
    return call(contract.messageReviewers, context, { id, text });
  }

  @Expose(contract.addressReason)
  addressReason(
    @ArgOf(AppId, 'id') id: string,
    @ArgOf(AddressReason, 'reason') reason: number,
    @ArgOf(AddressReason, 'addressed') addressed: boolean | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.addressReason, context, { id, reason, addressed });
  }

  @FieldResolver(() => Developer, { description: 'Who submitted it.' })
  developer(@Root() { app }: ReviewQueueItem, @Ctx() { loaders }: Context) {
    return loaders.developer.load(app.developer.id);
  }

  @Expose(contract.approveApp)
  approveApp(
    @ArgOf(AppId, 'id') id: string,
    @ArgOf(ApproveApp, 'revision') revision: number,
    @ArgOf(ApproveApp, 'note') note: string | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.approveApp, context, { id, revision, note });
  }

  @Expose(contract.rejectApp)
  rejectApp(
    @ArgOf(AppId, 'id') id: string,
    @InputOf('RejectAppInput', Reject) input: z.input<typeof Reject>,
    @Ctx() context: Context,
  ) {
    return call(contract.rejectApp, context, { ...input, id });
  }

  @Expose(contract.rejectionReasons)
  rejectionReasons(@Ctx() context: Context) {
    return call(contract.rejectionReasons, context, {});
  }

  @Expose(contract.suspendApp)
  suspendApp(
    @ArgOf(AppId, 'id') id: string,
    @ArgOf(AppIdAndReason, 'reason') reason: string,
    @Ctx() context: Context,
  ) {
    return call(contract.suspendApp, context, { id, reason });
  }

  @Expose(contract.restoreApp)
  restoreApp(@ArgOf(AppId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.restoreApp, context, { id });
  }

  @Expose(contract.featureApp)
  featureApp(
    @ArgOf(AppId, 'id') id: string,
    @ArgOf(FeatureApp, 'featured') featured: boolean,
    @Ctx() context: Context,
  ) {
    return call(contract.featureApp, context, { id, featured });
  }

  @Expose(contract.editApp)
  editApp(
    @ArgOf(AppId, 'id') id: string,
    @InputOf('EditAppInput', Edit) input: z.input<typeof Edit>,
    @Ctx() context: Context,
  ) {
    return call(contract.editApp, context, { ...input, id });
  }
}
