import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { call } from '../../operations/call.js';
import type { Context } from '../../operations/context.js';
import { Expose } from '../../operations/expose.js';
import type { RawInput } from '../../operations/parse-input.js';
import { Developer } from '../developers/developer.entity.js';
import * as contract from './review.contract.js';
import { ReviewQueueItem } from './review.types.js';

/** The GraphQL fields of reviews. */
@Resolver(() => ReviewQueueItem)
export class ReviewResolver {
  @Expose(contract.reviewQueue)
  reviewQueue(input: RawInput, context: Context) {
    return call(contract.reviewQueue, context, input);
  }

  @Expose(contract.reviewCounts)
  reviewCounts(input: RawInput, context: Context) {
    return call(contract.reviewCounts, context, input);
  }

  @Expose(contract.claimReview)
  claimReview(input: RawInput, context: Context) {
    return call(contract.claimReview, context, input);
  }

  @Expose(contract.claimNext)
  claimNext(input: RawInput, context: Context) {
    return call(contract.claimNext, context, input);
  }

  @Expose(contract.releaseReview)
  releaseReview(input: RawInput, context: Context) {
    return call(contract.releaseReview, context, input);
  }

  @Expose(contract.messageDeveloper)
  messageDeveloper(input: RawInput, context: Context) {
    return call(contract.messageDeveloper, context, input);
  }

  @Expose(contract.messageReviewers)
  messageReviewers(input: RawInput, context: Context) {
    return call(contract.messageReviewers, context, input);
  }

  @Expose(contract.addressReason)
  addressReason(input: RawInput, context: Context) {
    return call(contract.addressReason, context, input);
  }

  @FieldResolver(() => Developer, { description: 'The developer who made the submission.' })
  developer(@Root() { app }: ReviewQueueItem, @Ctx() { loaders }: Context) {
    return loaders.developer.load(app.developer.id);
  }

  @Expose(contract.approveApp)
  approveApp(input: RawInput, context: Context) {
    return call(contract.approveApp, context, input);
  }

  @Expose(contract.rejectApp)
  rejectApp(input: RawInput, context: Context) {
    return call(contract.rejectApp, context, input);
  }

  @Expose(contract.rejectionReasons)
  rejectionReasons(input: RawInput, context: Context) {
    return call(contract.rejectionReasons, context, input);
  }

  @Expose(contract.suspendApp)
  suspendApp(input: RawInput, context: Context) {
    return call(contract.suspendApp, context, input);
  }

  @Expose(contract.restoreApp)
  restoreApp(input: RawInput, context: Context) {
    return call(contract.restoreApp, context, input);
  }

  @Expose(contract.featureApp)
  featureApp(input: RawInput, context: Context) {
    return call(contract.featureApp, context, input);
  }

  @Expose(contract.editApp)
  editApp(input: RawInput, context: Context) {
    return call(contract.editApp, context, input);
  }
}
