import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../context.js';
import { allowedActions } from '../../graphql/allowed-actions.js';
import { GraphQLOnly } from '../../graphql/graphql-only.js';
import { TimelineEntry } from '../audit/timeline.types.js';
import * as review from '../review/review.contract.js';
import { QueuePlace } from '../review/review.types.js';
import { ReviewMessage } from '../review/review-message.entity.js';
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
    const caller = await context.caller();
    const isOwner = caller?.developer?.id === app.developer.id;
    return isOwner ? this.developerActions(app, context) : this.administratorActions(app, context);
  }

  private async developerActions(app: App, context: Context): Promise<AllowedAction[]> {
    const openVersion = await context.loaders.openVersion.load(app.id);
    return allowedActions(await context.caller(), {
      updateApp: { operation: apps.updateApp, guard: () => requireEditableByDeveloper(app) },
      deleteApp: { operation: apps.deleteApp, guard: () => requireEditableByDeveloper(app) },
      submitApp: {
        operation: apps.submitApp,
        guard: () => {
          requireTransition(app, 'submit');
          requireReadyForReview(app);
        },
      },
      withdrawApp: { operation: apps.withdrawApp, guard: () => requireTransition(app, 'withdraw') },
      createAppVersion: {
        operation: createAppVersion,
        guard: () => {
          requireVersionable(app);
          requireNoOpenVersion(openVersion);
        },
      },
    });
  }

  private async administratorActions(app: App, context: Context): Promise<AllowedAction[]> {
    return allowedActions(await context.caller(), {
      approveApp: { operation: review.approveApp, guard: () => requireTransition(app, 'approve') },
      rejectApp: { operation: review.rejectApp, guard: () => requireTransition(app, 'reject') },
      suspendApp: { operation: review.suspendApp, guard: () => requireTransition(app, 'suspend') },
      restoreApp: { operation: review.restoreApp, guard: () => requireTransition(app, 'restore') },
      featureApp: { operation: review.featureApp, guard: () => requireFeaturable(app) },
      editApp: { operation: review.editApp, guard: () => requireEditableByAdministrator(app) },
    });
  }
}

/** What GraphQL tells of a reason beyond its fields. */
@Resolver(() => RejectionReason)
export class RejectionReasonResolver {
  @GraphQLOnly()
  @FieldResolver(() => Boolean, { description: 'Whether the developer says that it is dealt with.' })
  addressed(@Root() reason: RejectionReason) {
    return reason.addressed ?? false;
  }
}
