import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../operations/context.js';
import { Exposes, type ListPage, PageArgs, parsePage } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { Developer } from '../developers/developer.entity.js';
import { App } from '../listings/app.entity.js';
import * as contract from './audit.contract.js';
import { AuditLogEntry } from './audit.types.js';
import { TimelineConnection } from './timeline.types.js';

/** The GraphQL fields of the audit log, which only administrators read. */
@Resolver(() => AuditLogEntry)
@Exposes(contract)
export class AuditResolver {
  @GraphQLOnly()
  @FieldResolver(() => App, {
    nullable: true,
    description: 'The app with the id `appId`, as it is now; null if there is none or it was deleted.',
  })
  app(@Root() { appId }: AuditLogEntry, @Ctx() { loaders }: Context) {
    return appId && loaders.appIfAny.load(appId);
  }

  @GraphQLOnly()
  @FieldResolver(() => Developer, {
    nullable: true,
    description: 'The developer with the id `developerId`, as they are now; null if the event is about none.',
  })
  developer(@Root() { developerId }: AuditLogEntry, @Ctx() { loaders }: Context) {
    return developerId && loaders.developer.load(developerId);
  }
}

/** The history of an app. */
@Resolver(() => App)
export class TimelineResolver {
  @GraphQLOnly()
  @FieldResolver(() => TimelineConnection, {
    description:
      'Everything that happened to the app, oldest first; `last: 20` returns the newest entries. A page ends early when it would exceed 512 KiB.',
  })
  timeline(@Root() { id: owner }: App, @PageArgs() page: ListPage, @Ctx() { loaders }: Context) {
    return loaders.timeline.load({ owner, page: parsePage(page) });
  }
}
