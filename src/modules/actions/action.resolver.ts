import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { AllowedAction } from '../../operations/allowed-action.types.js';
import { allowedActions } from '../../operations/allowed-actions.js';
import type { Context } from '../../operations/context.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { Developer } from '../developers/developer.entity.js';
import { App } from '../listings/app.entity.js';
import { AppVersion } from '../listings/app-version.entity.js';
import * as actions from './allowed.actions.js';

/** The actions on an app. */
@Resolver(() => App)
export class AppActionsResolver {
  @GraphQLOnly()
  @FieldResolver(() => [AllowedAction], {
    description: 'Operations on the app, each with whether you could call it now.',
  })
  async allowedActions(@Root() app: App, @Ctx() context: Context): Promise<AllowedAction[]> {
    const { loaders } = context;
    return actionsByRole(context, app, {
      owner: async (owned) =>
        actions.appOwnerAttempts(
          owned,
          await loaders.openVersion.load(app.id),
          await loaders.submissionFindings.load(app),
        ),
      administrator: async (owned) =>
        actions.appReviewAttempts(owned, await loaders.openSubmission.load(app.id)),
    });
  }
}

/** The actions on a version. */
@Resolver(() => AppVersion)
export class VersionActionsResolver {
  @FieldResolver(() => [AllowedAction], {
    description: 'Operations on the version, each with whether you could call it now.',
  })
  async allowedActions(@Root() version: AppVersion, @Ctx() context: Context): Promise<AllowedAction[]> {
    const { loaders } = context;
    const app = await loaders.app.load(version.app.id);
    const submission = await loaders.openSubmission.load(version.id);
    return actionsByRole(context, app, {
      owner: async (owned) =>
        actions.versionOwnerAttempts(
          owned,
          version,
          submission,
          await loaders.submissionFindings.load(version),
        ),
      administrator: async (owned) => actions.versionReviewAttempts(owned, version, submission),
    });
  }
}

/** The actions on a developer's account. */
@Resolver(() => Developer)
export class DeveloperActionsResolver {
  @GraphQLOnly()
  @FieldResolver(() => [AllowedAction], {
    description: 'Operations on the account, each with whether you could call it now.',
  })
  async allowedActions(@Root() developer: Developer, @Ctx() context: Context): Promise<AllowedAction[]> {
    const isOwner = (await context.caller())?.developer?.id === developer.id;
    const attempts = {
      ...(isOwner && actions.ownAccountAttempts),
      ...((await context.isAdministrator()) && actions.developerAttempts(developer)),
    };
    return allowedActions(context, attempts, [developer.accountUserId]);
  }
}

type Attempts = Parameters<typeof allowedActions>[1];
type AttemptsOf = (owned: actions.OwnedApp) => Promise<Attempts>;

/** Lists the actions of the roles that the caller has for an app; nobody else has any. */
async function actionsByRole(
  context: Context,
  app: App,
  { owner, administrator }: Record<'owner' | 'administrator', AttemptsOf>,
): Promise<AllowedAction[]> {
  const isOwner = (await context.caller())?.developer?.id === app.developer.id;
  const isAdministrator = await context.isAdministrator();
  if (!isOwner && !isAdministrator) return [];
  const developer = await context.loaders.developer.load(app.developer.id);
  const owned = { app, developer };
  const attempts = {
    ...(isOwner && (await owner(owned))),
    ...(isAdministrator && (await administrator(owned))),
  };
  return allowedActions(context, attempts, [developer.accountUserId]);
}
