import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { requireWholeAccount } from '../../operations/allowed-actions.js';
import type { Context } from '../../operations/context.js';
import { Exposes, type ListPage, PageArgs, parsePage } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { Developer } from '../developers/developer.entity.js';
import { App } from '../listings/app.entity.js';
import { RejectionReason } from '../listings/rejection.types.js';
import * as contract from './app.contract.js';
import { DeveloperAppConnection } from './app.types.js';

/** The GraphQL fields of developers' apps. Only the owner of an app and administrators ever get an `App`. */
@Resolver(() => App)
@Exposes(contract)
export class AppResolver {
  @GraphQLOnly()
  @FieldResolver(() => Developer, { description: 'The developer of the app, with all fields.' })
  developer(@Root() { developer }: App, @Ctx() { loaders }: Context) {
    return loaders.developer.load(developer.id);
  }
}

/** The apps of a developer. */
@Resolver(() => Developer)
export class DeveloperAppsResolver {
  @GraphQLOnly()
  @FieldResolver(() => DeveloperAppConnection, {
    description:
      'Apps of the developer in every state, newest first. API keys need the scope APP_READ. A page ends early when it would exceed 512 KiB.',
  })
  async apps(@Root() { id: owner }: Developer, @PageArgs() page: ListPage, @Ctx() context: Context) {
    await requireAppReader(context);
    return context.loaders.apps.load({ owner, page: parsePage(page) });
  }
}

/** Rejects callers who may not list the apps of a developer: it needs what `myApps` needs, or an administrator. */
async function requireAppReader(context: Context): Promise<void> {
  const caller = await context.caller();
  // A pipeline sees one app, and this is the list of all.
  requireWholeAccount(caller);
  if (!(await context.isAdministrator())) contract.myApps.policy.admit(caller, context.door);
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
