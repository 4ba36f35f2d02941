import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../operations/context.js';
import { Exposes, type ListPage, PageArgs, parsePage } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { App } from '../listings/app.entity.js';
import { AppVersion } from '../listings/app-version.entity.js';
import { FieldChange, VersionConflict } from '../listings/field-change.types.js';
import { QueuePlace } from '../review/review.types.js';
import * as contract from './version.contract.js';
import { AppVersionConnection } from './version.types.js';

/** The GraphQL fields of versions. */
@Resolver(() => AppVersion)
@Exposes(contract)
export class VersionResolver {
  @FieldResolver(() => [FieldChange], {
    description: 'Fields in which the version differs from the live listing.',
  })
  changes(@Root() version: AppVersion, @Ctx() { loaders }: Context) {
    return loaders.versionChanges.load(version);
  }

  @FieldResolver(() => [VersionConflict], {
    description:
      "Fields in which the version would overwrite an administrator's edit of the live listing: before `rebaseAppVersion` those that it would report, afterwards those that still differ.",
  })
  conflicts(@Root() version: AppVersion, @Ctx() { loaders }: Context) {
    return loaders.versionConflicts.load(version);
  }

  @FieldResolver(() => QueuePlace, {
    nullable: true,
    description: 'Position of the version in the review queue; null unless it waits for a review.',
  })
  review(@Root() version: AppVersion, @Ctx() { loaders }: Context) {
    return loaders.reviewPlace.load(version.id);
  }
}

/** The versions of an app. */
@Resolver(() => App)
export class AppVersionsResolver {
  @GraphQLOnly()
  @FieldResolver(() => AppVersion, {
    nullable: true,
    description: 'The version that is being edited or reviewed; null if there is none.',
  })
  openVersion(@Root() app: App, @Ctx() { loaders }: Context) {
    return loaders.openVersion.load(app.id);
  }

  @GraphQLOnly()
  @FieldResolver(() => AppVersionConnection, {
    description:
      'All versions of the app, newest first, including those that were approved or discarded. A page ends early when it would exceed 512 KiB.',
  })
  versions(@Root() { id: owner }: App, @PageArgs() page: ListPage, @Ctx() { loaders }: Context) {
    return loaders.versions.load({ owner, page: parsePage(page) });
  }
}
