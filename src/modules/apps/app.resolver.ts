import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import type { z } from 'zod';
import { AllowedAction } from '../../operations/allowed-action.types.js';
import { allowedActions } from '../../operations/allowed-actions.js';
import type { Context } from '../../operations/context.js';
import { ArgOf, Expose, InputOf, type ListPage, PageArgs, parsePage } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { call } from '../../operations/operation.js';
import { TimelineConnection } from '../audit/timeline.types.js';
import { QueuePlace, ReviewMessageConnection } from '../review/review.types.js';
import { AppVersion } from '../versions/app-version.entity.js';
import { administratorAttempts, developerAttempts } from './app.actions.js';
import * as contract from './app.contract.js';
import { App } from './app.entity.js';
import { AppChanges, AppId, CreateApp } from './app.input.js';
import { RejectionReason } from './rejection.types.js';

/** The revision that the caller read, where they want to be sure; `If-Match` at the REST door. */
const Revision = () =>
  Arg('revision', () => Int, {
    nullable: true,
    description: 'Refuse with REVISION_CONFLICT unless the app is still at this revision.',
  });
const expecting = (revision: number | null | undefined) =>
  revision == null ? {} : { expectedRevisions: new Set([revision]) };

/** The GraphQL fields of a developer's apps, and what GraphQL tells of an app beyond REST. Only its owner and administrators ever get an `App`. */
@Resolver(() => App)
export class AppResolver {
  @GraphQLOnly()
  @FieldResolver(() => QueuePlace, {
    nullable: true,
    description: 'Where it stands in the review; null unless it waits for one.',
  })
  review(@Root() app: App, @Ctx() { loaders }: Context) {
    return loaders.reviewPlace.load(app.id);
  }

  @GraphQLOnly()
  @FieldResolver(() => TimelineConnection, {
    description:
      'Everything that happened to it, oldest first: `last: 20` is what happened lately. A page of more than half a megabyte ends early.',
  })
  timeline(@Root() { id: owner }: App, @PageArgs() page: ListPage, @Ctx() { loaders }: Context) {
    return loaders.timeline.load({ owner, page: parsePage(page) });
  }

  @GraphQLOnly()
  @FieldResolver(() => ReviewMessageConnection, {
    description:
      'What was said about it between developer and administration, oldest first: `last: 20` is what was said lately. A page of more than half a megabyte ends early.',
  })
  messages(@Root() { id: owner }: App, @PageArgs() page: ListPage, @Ctx() { loaders }: Context) {
    return loaders.messages.load({ owner, page: parsePage(page) });
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
    const developer = isAdministrator ? await loaders.developer.load(app.developer.id) : null;
    const attempts = {
      ...(isOwner &&
        developerAttempts(
          app,
          await loaders.openVersion.load(app.id),
          await loaders.submissionFindings.load(app),
        )),
      ...(developer && administratorAttempts({ app, developer }, await loaders.openSubmission.load(app.id))),
    };
    return allowedActions(context, attempts, developer ? [developer.accountUserId] : []);
  }

  @Expose(contract.createApp)
  createApp(@InputOf('CreateAppInput', CreateApp) input: z.input<typeof CreateApp>, @Ctx() context: Context) {
    return call(contract.createApp, context, input);
  }

  @Expose(contract.myApps)
  myApps(@Ctx() context: Context) {
    return call(contract.myApps, context, {});
  }

  @Expose(contract.myApp)
  myApp(@ArgOf(AppId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.myApp, context, { id });
  }

  @Expose(contract.updateApp)
  updateApp(
    @ArgOf(AppId, 'id') id: string,
    @InputOf('UpdateAppInput', AppChanges) input: z.input<typeof AppChanges>,
    @Revision() revision: number | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.updateApp, context, { ...input, id, ...expecting(revision) });
  }

  @Expose(contract.submitApp)
  submitApp(@ArgOf(AppId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.submitApp, context, { id });
  }

  @Expose(contract.withdrawApp)
  withdrawApp(@ArgOf(AppId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.withdrawApp, context, { id });
  }

  @Expose(contract.deleteApp)
  deleteApp(
    @ArgOf(AppId, 'id') id: string,
    @Revision() revision: number | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.deleteApp, context, { id, ...expecting(revision) });
  }
}

const listLength = { description: 'How many there are in all.' };

/** The length of a timeline, counted only where it is asked for. */
@Resolver(() => TimelineConnection)
export class TimelineLengthResolver {
  @FieldResolver(() => Int, listLength)
  totalCount(@Root() { owner }: { owner: string }, @Ctx() { loaders }: Context) {
    return loaders.timelineLength.load(owner);
  }
}

/** The number of messages, counted only where it is asked for. */
@Resolver(() => ReviewMessageConnection)
export class MessagesLengthResolver {
  @FieldResolver(() => Int, listLength)
  totalCount(@Root() { owner }: { owner: string }, @Ctx() { loaders }: Context) {
    return loaders.messagesLength.load(owner);
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
