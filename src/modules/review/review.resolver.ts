import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../operations/context.js';
import { Exposes, type ListPage, PageArgs, parsePage } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { Developer } from '../developers/developer.entity.js';
import { App } from '../listings/app.entity.js';
import { AppVersion } from '../listings/app-version.entity.js';
import { Finding } from '../listings/finding.types.js';
import * as contract from './review.contract.js';
import {
  QueuePlace,
  ReviewClaim,
  ReviewMessageConnection,
  ReviewQueueItem,
  SubmissionConnection,
} from './review.types.js';
import { Submission } from './submission.entity.js';

/** The GraphQL fields of reviews. */
@Resolver(() => ReviewQueueItem)
@Exposes(contract)
export class ReviewResolver {
  @FieldResolver(() => Developer, { description: 'The developer who made the submission.' })
  developer(@Root() { app }: ReviewQueueItem, @Ctx() { loaders }: Context) {
    return loaders.developer.load(app.developer.id);
  }

  @FieldResolver(() => [Finding], {
    description: 'Problems that the automatic checks found in the submitted listing.',
  })
  findings(@Root() { app, version }: ReviewQueueItem, @Ctx() { loaders }: Context) {
    return loaders.findings.load(version ?? app);
  }
}

/** The GraphQL fields of submissions. Only the owner of an app and administrators ever get one. */
@Resolver(() => Submission)
export class SubmissionResolver {
  @FieldResolver(() => App, {
    description: 'The app that was submitted, or whose version was, as it is now.',
  })
  app(@Root() { app }: Submission, @Ctx() { loaders }: Context) {
    return loaders.app.load(app.id);
  }

  @FieldResolver(() => AppVersion, {
    nullable: true,
    description: 'The version that was submitted, as it is now; null if the app itself was submitted.',
  })
  version(@Root() { version }: Submission, @Ctx() { loaders }: Context) {
    return version && loaders.version.load(version.id);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Account id of the administrator who decided. Null for everybody but administrators, and if nobody has decided or it was not recorded.',
  })
  async reviewer(@Root() { decidedBy }: Submission, @Ctx() context: Context) {
    return (await context.isAdministrator()) ? decidedBy : null;
  }

  @FieldResolver(() => ReviewClaim, {
    nullable: true,
    description:
      'The current claim. Null for everybody but administrators, and if no administrator has claimed it or the claim has expired.',
  })
  async claim(@Root() { currentClaim }: Submission, @Ctx() context: Context) {
    return (await context.isAdministrator()) ? currentClaim : null;
  }

  @FieldResolver(() => [Finding], {
    nullable: true,
    description:
      'Problems that the automatic checks had found when it was decided, or have found while it waits. Null if it was withdrawn, or decided before findings were stored.',
  })
  async findings(@Root() { outcome, findings, app, version }: Submission, @Ctx() { loaders }: Context) {
    if (outcome) return findings;
    return loaders.findings.load(
      version ? await loaders.version.load(version.id) : await loaders.app.load(app.id),
    );
  }
}

/** The place of a developer in the queue of verifications. */
@Resolver(() => Developer)
export class DeveloperReviewResolver {
  @GraphQLOnly()
  @FieldResolver(() => QueuePlace, {
    nullable: true,
    description: 'Position in the verification queue; null unless the developer waits for verification.',
  })
  verification(@Root() developer: Developer, @Ctx() { loaders }: Context) {
    return loaders.verificationPlace.load(developer.id);
  }
}

/** The reviews of an app. */
@Resolver(() => App)
export class AppReviewResolver {
  @GraphQLOnly()
  @FieldResolver(() => QueuePlace, {
    nullable: true,
    description: 'Position of the app in the review queue; null unless it waits for a review.',
  })
  review(@Root() app: App, @Ctx() { loaders }: Context) {
    return loaders.reviewPlace.load(app.id);
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
  @FieldResolver(() => SubmissionConnection, {
    description: 'All submissions of the app and of its versions, newest first, with the decision on each.',
  })
  submissions(@Root() { id: owner }: App, @PageArgs() page: ListPage, @Ctx() { loaders }: Context) {
    return loaders.submissions.load({ owner, page: parsePage(page) });
  }
}
