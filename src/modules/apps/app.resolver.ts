import { Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { AllowedAction } from '../../operations/allowed-action.types.js';
import { allowedActions } from '../../operations/allowed-actions.js';
import { call } from '../../operations/call.js';
import type { Context } from '../../operations/context.js';
import { Expose, type ListPage, PageArgs, parsePage } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { countedPage } from '../../operations/loaders.js';
import type { RawInput } from '../../operations/parse-input.js';
import { TimelineConnection } from '../audit/timeline.types.js';
import { Developer } from '../developers/developer.entity.js';
import { RatingConnection } from '../ratings/rating.types.js';
import { QueuePlace, ReviewMessageConnection } from '../review/review.types.js';
import { SubmissionConnection } from '../review/submission.types.js';
import { AppVersion } from '../versions/app-version.entity.js';
import { AppVersionConnection } from '../versions/version.types.js';
import { administratorAttempts, developerAttempts } from './app.actions.js';
import * as contract from './app.contract.js';
import { App } from './app.entity.js';
import type { AppChange } from './app-change.types.js';
import { RejectionReason } from './rejection.types.js';

/** The GraphQL fields of developers' apps. Only the owner of an app and administrators ever get an `App`. */
@Resolver(() => App)
export class AppResolver {
  @GraphQLOnly()
  @FieldResolver(() => QueuePlace, {
    nullable: true,
    description: 'Position of the app in the review queue; null unless it waits for a review.',
  })
  review(@Root() app: App, @Ctx() { loaders }: Context) {
    return loaders.reviewPlace.load(app.id);
  }

  @GraphQLOnly()
  @FieldResolver(() => TimelineConnection, {
    description:
      'Everything that happened to the app, oldest first; `last: 20` returns the newest entries. A page ends early when it would exceed 512 KiB.',
  })
  timeline(@Root() { id: owner }: App, @PageArgs() page: ListPage, @Ctx() { loaders }: Context) {
    return loaders.timeline.load({ owner, page: parsePage(page) });
  }

  @GraphQLOnly()
  @FieldResolver(() => ReviewMessageConnection, {
    description:
      'Messages about the app between its developer and the administrators, oldest first; `last: 20` returns the newest ones. A page ends early when it would exceed 512 KiB.',
  })
  messages(@Root() { id: owner }: App, @PageArgs() page: ListPage, @Ctx() { loaders }: Context) {
    return loaders.messages.load({ owner, page: parsePage(page) });
  }

  @GraphQLOnly()
  @FieldResolver(() => AppVersion, {
    nullable: true,
    description: 'The version that is being edited or reviewed; null if there is none.',
  })
  openVersion(@Root() app: App, @Ctx() { loaders }: Context) {
    return loaders.openVersion.load(app.id);
  }

  @GraphQLOnly()
  @FieldResolver(() => [AllowedAction], {
    description: 'Operations on the app, each with whether you could call it now.',
  })
  async allowedActions(@Root() app: App, @Ctx() context: Context): Promise<AllowedAction[]> {
    const { loaders } = context;
    const caller = await context.caller();
    const isOwner = caller?.developer?.id === app.developer.id;
    const isAdministrator = caller?.kind === 'account' && caller.isAdmin;
    const developer = isOwner || isAdministrator ? await loaders.developer.load(app.developer.id) : null;
    const attempts = {
      ...(isOwner &&
        developer &&
        developerAttempts(
          { app, developer },
          await loaders.openVersion.load(app.id),
          await loaders.submissionFindings.load(app),
        )),
      ...(isAdministrator &&
        developer &&
        administratorAttempts({ app, developer }, await loaders.openSubmission.load(app.id))),
    };
    return allowedActions(context, attempts, developer ? [developer.accountUserId] : []);
  }

  @Expose(contract.createApp)
  createApp(input: RawInput, context: Context) {
    return call(contract.createApp, context, input);
  }

  @Expose(contract.myApps)
  myApps(input: RawInput, context: Context) {
    return call(contract.myApps, context, input);
  }

  @Expose(contract.myApp)
  myApp(input: RawInput, context: Context) {
    return call(contract.myApp, context, input);
  }

  @Expose(contract.updateApp)
  updateApp(input: RawInput, context: Context) {
    return call(contract.updateApp, context, input);
  }

  @Expose(contract.submitApp)
  submitApp(input: RawInput, context: Context) {
    return call(contract.submitApp, context, input);
  }

  @Expose(contract.withdrawApp)
  withdrawApp(input: RawInput, context: Context) {
    return call(contract.withdrawApp, context, input);
  }

  @Expose(contract.deleteApp)
  deleteApp(input: RawInput, context: Context) {
    return call(contract.deleteApp, context, input);
  }

  @Expose(contract.adminApps)
  adminApps(input: RawInput, context: Context) {
    return call(contract.adminApps, context, input);
  }

  @Expose(contract.adminApp)
  adminApp(input: RawInput, context: Context) {
    return call(contract.adminApp, context, input);
  }

  @Expose(contract.appChanged)
  appChanged(event: AppChange) {
    return event;
  }
}

/** The GraphQL fields of an app that lead to its developer, its versions, its submissions and its ratings. */
@Resolver(() => App)
export class AppHistoryResolver {
  @GraphQLOnly()
  @FieldResolver(() => Developer, { description: 'The developer of the app, with all fields.' })
  developer(@Root() { developer }: App, @Ctx() { loaders }: Context) {
    return loaders.developer.load(developer.id);
  }

  @GraphQLOnly()
  @FieldResolver(() => AppVersionConnection, {
    description:
      'All versions of the app, newest first, including those that were approved or discarded. A page ends early when it would exceed 512 KiB.',
  })
  versions(@Root() { id: owner }: App, @PageArgs() page: ListPage, @Ctx() { loaders }: Context) {
    return countedPage(loaders.versions, loaders.versionsLength, { owner, page: parsePage(page) });
  }

  @GraphQLOnly()
  @FieldResolver(() => SubmissionConnection, {
    description: 'All submissions of the app and of its versions, newest first, with the decision on each.',
  })
  submissions(@Root() { id: owner }: App, @PageArgs() page: ListPage, @Ctx() { loaders }: Context) {
    return countedPage(loaders.submissions, loaders.submissionsLength, { owner, page: parsePage(page) });
  }

  @GraphQLOnly()
  @FieldResolver(() => RatingConnection, {
    description:
      'Ratings of the app, newest first. Administrators also get the hidden ones, which have a `moderation`.',
  })
  async ratings(@Root() { id: owner }: App, @PageArgs() page: ListPage, @Ctx() context: Context) {
    const { loaders } = context;
    const key = { owner, page: parsePage(page) };
    return (await context.isAdministrator())
      ? countedPage(loaders.allRatings, loaders.allRatingsLength, key)
      : countedPage(loaders.ratings, loaders.ratingsLength, key);
  }
}

const totalCount = { description: 'Number of items in the whole list, not only on this page.' };

/** The length of a timeline, counted only if it is selected. */
@Resolver(() => TimelineConnection)
export class TimelineLengthResolver {
  @FieldResolver(() => Int, totalCount)
  totalCount(@Root() { owner }: { owner: string }, @Ctx() { loaders }: Context) {
    return loaders.timelineLength.load(owner);
  }
}

/** The number of messages, counted only if it is selected. */
@Resolver(() => ReviewMessageConnection)
export class MessagesLengthResolver {
  @FieldResolver(() => Int, totalCount)
  totalCount(@Root() { owner }: { owner: string }, @Ctx() { loaders }: Context) {
    return loaders.messagesLength.load(owner);
  }
}

/** The GraphQL fields of rejection reasons that REST does not send. */
@Resolver(() => RejectionReason)
export class RejectionReasonResolver {
  @GraphQLOnly()
  @FieldResolver(() => Boolean, { description: 'Whether the developer has marked the reason as addressed.' })
  addressed(@Root() reason: RejectionReason) {
    return reason.addressed ?? false;
  }
}
