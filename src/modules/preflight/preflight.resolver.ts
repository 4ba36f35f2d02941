import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../operations/context.js';
import { ArgOf, Expose } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { call } from '../../operations/operation.js';
import { App } from '../apps/app.entity.js';
import { Finding } from '../apps/finding.types.js';
import { ReviewQueueItem } from '../review/review.types.js';
import { AppVersion } from '../versions/app-version.entity.js';
import * as contract from './preflight.contract.js';
import { ListingId } from './preflight.input.js';

/** What developers learn of their listings from the automatic checks. */
@Resolver(() => App)
export class PreflightResolver {
  @Expose(contract.preflight)
  preflight(@ArgOf(ListingId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.preflight, context, { id });
  }

  @GraphQLOnly()
  @FieldResolver(() => [Finding], {
    description: 'What the automatic checks know of it: for its pictures, as of its last submission or edit.',
  })
  findings(@Root() app: App, @Ctx() { loaders }: Context) {
    return loaders.findings.load(app);
  }
}

/** The same of their versions. */
@Resolver(() => AppVersion)
export class VersionFindingsResolver {
  @FieldResolver(() => [Finding], {
    description: 'What the automatic checks know of it: for its pictures, as of its last submission or edit.',
  })
  findings(@Root() version: AppVersion, @Ctx() { loaders }: Context) {
    return loaders.findings.load(version);
  }
}

/** What reviewers learn of a submission from the automatic checks. */
@Resolver(() => ReviewQueueItem)
export class QueueFindingsResolver {
  @FieldResolver(() => [Finding], { description: 'What the automatic checks found.' })
  findings(@Root() { app, version }: ReviewQueueItem, @Ctx() { loaders }: Context) {
    return loaders.findings.load(version ?? app);
  }
}
