import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../context.js';
import { allowedActions, attempt } from '../../graphql/allowed-actions.js';
import { GraphQLOnly } from '../../graphql/graphql-only.js';
import { TimelineEntry } from '../audit/timeline.types.js';
import * as review from '../review/review.contract.js';
import {
  requireClaimable,
  requireDecidableApp,
  requireRejected,
  requireReleasable,
} from '../review/review.guards.js';
import { QueuePlace } from '../review/review.types.js';
import { ReviewMessage } from '../review/review-message.entity.js';
import type { Submission } from '../review/submission.entity.js';
import { AppVersion } from '../versions/app-version.entity.js';
import { createAppVersion } from '../versions/version.contract.js';
import { requireNoOpenVersion, requireVersionable } from '../versions/version.lifecycle.js';
import { AllowedAction } from './action.types.js';
import * as apps from './app.contract.js';
import { App } from './app.entity.js';
import {
  requireEditableByAdministrator,
  requireEditableByDeveloper,
  requireFeaturable,
  requireTransition,
  requireTransitionOrDone,
} from './app.lifecycle.js';
import { requireReadyForReview } from './app.submission.js';
import { RejectionReason } from './app.types.js';

/** What GraphQL tells of an app beyond its fields. Only its owner and administrators ever get an `App`. */
@Resolver(() => App)
export class AppFieldsResolver {
  @GraphQLOnly()
  @FieldResolver(() => QueuePlace, {
    nullable: true,
    description: 'Where it stands in the review; null unless it waits for one.',
  })
  review(@Root() app: App, @Ctx() { loaders }: Context) {
    return loaders.reviewPlace.load(app.id);
  }

  @GraphQLOnly()
  @FieldResolver(() => [TimelineEntry], { description: 'Everything that happened to it, oldest first.' })
  timeline(@Root() app: App, @Ctx() { loaders }: Context) {
    return loaders.timeline.load(app.id);
  }

  @GraphQLOnly()
  @FieldResolver(() => [ReviewMessage], {
    description: 'What was said about it between developer and administration, oldest first.',
  })
  messages(@Root() app: App, @Ctx() { loaders }: Context) {
    return loaders.messages.load(app.id);
  }

  @GraphQLOnly()
  @FieldResolver(() => AppVersion, {
    nullable: true,
    description: 'The version that is being written or reviewed.',
  })
  openVersion(@Root() app: App, @Ctx() { loaders }: Context) {
    return loaders.openVersion.load(app.id);
  }

  @GraphQLOnly()
  @FieldResolver(() => [AllowedAction], { description: 'What you could do with it now.' })
  async allowedActions(@Root() app: App, @Ctx() context: Context): Promise<AllowedAction[]> {
    const { loaders } = context;
    const caller = await context.caller();
    const isOwner = caller?.developer?.id === app.developer.id;
    const isAdministrator = caller?.kind === 'account' && caller.isAdmin;
    return allowedActions(context, {
      ...(isOwner && developerAttempts(app, await loaders.openVersion.load(app.id))),
      ...(isAdministrator && administratorAttempts(app, await loaders.openSubmission.load(app.id))),
    });
  }
}

const developerAttempts = (app: App, openVersion: AppVersion | null) => ({
  updateApp: attempt(apps.updateApp, () => requireEditableByDeveloper(app)),
  deleteApp: attempt(apps.deleteApp, () => requireEditableByDeveloper(app)),
  submitApp: attempt(apps.submitApp, () => {
    requireTransition(app, 'submit');
    requireReadyForReview(app);
  }),
  withdrawApp: attempt(apps.withdrawApp, () => requireTransition(app, 'withdraw')),
  addressReason: attempt(review.addressReason, () => void requireRejected(app, openVersion)),
  messageReviewers: attempt(review.messageReviewers),
  createAppVersion: attempt(createAppVersion, () => {
    requireVersionable(app);
    requireNoOpenVersion(openVersion);
  }),
});

const administratorAttempts = (app: App, submission: Submission | null) => ({
  claimReview: attempt(review.claimReview, (caller) => requireClaimable(caller, app, submission)),
  releaseReview: attempt(review.releaseReview, (caller) => requireReleasable(caller, submission)),
  approveApp: attempt(review.approveApp, (caller) => requireDecidableApp(caller, 'approve', app, submission)),
  rejectApp: attempt(review.rejectApp, (caller) => requireDecidableApp(caller, 'reject', app, submission)),
  suspendApp: attempt(review.suspendApp, () => requireTransitionOrDone(app, 'suspend')),
  restoreApp: attempt(review.restoreApp, () => requireTransitionOrDone(app, 'restore')),
  featureApp: attempt(review.featureApp, () => requireFeaturable(app)),
  editApp: attempt(review.editApp, () => requireEditableByAdministrator(app)),
  messageDeveloper: attempt(review.messageDeveloper),
});

/** What GraphQL tells of a reason beyond its fields. */
@Resolver(() => RejectionReason)
export class RejectionReasonResolver {
  @GraphQLOnly()
  @FieldResolver(() => Boolean, { description: 'Whether the developer says that it is dealt with.' })
  addressed(@Root() reason: RejectionReason) {
    return reason.addressed ?? false;
  }
}
