import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { call } from '../../operations/call.js';
import type { Context } from '../../operations/context.js';
import { Expose } from '../../operations/expose.js';
import type { RawInput } from '../../operations/parse-input.js';
import { App } from '../apps/app.entity.js';
import { Finding } from '../apps/finding.types.js';
import { Developer } from '../developers/developer.entity.js';
import { AppVersion } from '../versions/app-version.entity.js';
import type { ReviewQueueChange } from './queue-change.types.js';
import * as contract from './review.contract.js';
import { ReviewClaim, ReviewQueueItem } from './review.types.js';
import { SubmissionRecord } from './submission.types.js';

/** The GraphQL fields of reviews. */
@Resolver(() => ReviewQueueItem)
export class ReviewResolver {
  @Expose(contract.reviewQueue)
  reviewQueue(input: RawInput, context: Context) {
    return call(contract.reviewQueue, context, input);
  }

  @Expose(contract.reviewItem)
  reviewItem(input: RawInput, context: Context) {
    return call(contract.reviewItem, context, input);
  }

  @Expose(contract.reviewCounts)
  reviewCounts(input: RawInput, context: Context) {
    return call(contract.reviewCounts, context, input);
  }

  @Expose(contract.decisions)
  decisions(input: RawInput, context: Context) {
    return call(contract.decisions, context, input);
  }

  @Expose(contract.reviewStats)
  reviewStats(input: RawInput, context: Context) {
    return call(contract.reviewStats, context, input);
  }

  @Expose(contract.reviewQueueChanged)
  reviewQueueChanged(event: ReviewQueueChange) {
    return event;
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

/** The GraphQL fields of submissions. Only the owner of an app and administrators ever get one. */
@Resolver(() => SubmissionRecord)
export class SubmissionResolver {
  @FieldResolver(() => App, {
    description: 'The app that was submitted, or whose version was, as it is now.',
  })
  app(@Root() { appId }: SubmissionRecord, @Ctx() { loaders }: Context) {
    return loaders.app.load(appId);
  }

  @FieldResolver(() => AppVersion, {
    nullable: true,
    description: 'The version that was submitted, as it is now; null if the app itself was submitted.',
  })
  version(@Root() { versionId }: SubmissionRecord, @Ctx() { loaders }: Context) {
    return versionId && loaders.version.load(versionId);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Account id of the administrator who decided. Null for everybody but administrators, and if nobody has decided or it was not recorded.',
  })
  async reviewer(@Root() { decidedBy }: SubmissionRecord, @Ctx() context: Context) {
    return (await context.isAdministrator()) ? decidedBy : null;
  }

  @FieldResolver(() => ReviewClaim, {
    nullable: true,
    description:
      'The current claim. Null for everybody but administrators, and if no administrator has claimed it or the claim has expired.',
  })
  async claim(@Root() { currentClaim }: SubmissionRecord, @Ctx() context: Context) {
    return (await context.isAdministrator()) ? currentClaim : null;
  }

  @FieldResolver(() => [Finding], {
    nullable: true,
    description:
      'Problems that the automatic checks had found when it was decided, or have found while it waits. Null if it was withdrawn, or decided before findings were stored.',
  })
  async findings(@Root() submission: SubmissionRecord, @Ctx() { loaders }: Context) {
    const { outcome, storedFindings, appId, versionId } = submission;
    if (outcome) return storedFindings;
    return loaders.findings.load(
      versionId ? await loaders.version.load(versionId) : await loaders.app.load(appId),
    );
  }
}
