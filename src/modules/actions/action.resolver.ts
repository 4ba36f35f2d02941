import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { AllowedAction } from '../../operations/allowed-action.types.js';
import { allowedActions } from '../../operations/allowed-actions.js';
import type { Context } from '../../operations/context.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { Developer } from '../developers/developer.entity.js';
import { App } from '../listings/app.entity.js';
import { AppVersion } from '../listings/app-version.entity.js';
import * as ofApp from './app.actions.js';
import * as ofDeveloper from './developer.actions.js';
import * as ofVersion from './version.actions.js';

/** The actions on an app. */
@Resolver(() => App)
export class AppActionsResolver {
  @GraphQLOnly()
  @FieldResolver(() => [AllowedAction], {
    description: 'Operations on the app, each with whether you could call it now.',
  })
  async allowedActions(@Root() app: App, @Ctx() context: Context): Promise<AllowedAction[]> {
    const { loaders } = context;
    const { developer, isOwner, isAdministrator } = await rolesOf(context, app);
    const attempts = {
      ...(isOwner &&
        developer &&
        ofApp.developerAttempts(
          { app, developer },
          await loaders.openVersion.load(app.id),
          await loaders.submissionFindings.load(app),
        )),
      ...(isAdministrator &&
        developer &&
        ofApp.administratorAttempts({ app, developer }, await loaders.openSubmission.load(app.id))),
    };
    return allowedActions(context, attempts, developer ? [developer.accountUserId] : []);
  }
}

/** The actions on a version. */
@Resolver(() => AppVersion)
export class VersionActionsResolver {
  @FieldResolver(() => [AllowedAction], {
    description: 'Operations on the version, each with whether you could call it now.',
  })
  async allowedActions(@Root() version: AppVersion, @Ctx() context: Context) {
    const { loaders } = context;
    const app = await loaders.app.load(version.app.id);
    const submission = await loaders.openSubmission.load(version.id);
    const { developer, isOwner, isAdministrator } = await rolesOf(context, app);
    const attempts = {
      ...(isOwner &&
        developer &&
        ofVersion.developerAttempts(
          { app, developer },
          version,
          submission,
          await loaders.submissionFindings.load(version),
        )),
      ...(isAdministrator &&
        developer &&
        ofVersion.administratorAttempts({ app, developer }, version, submission)),
    };
    return allowedActions(context, attempts, developer ? [developer.accountUserId] : []);
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
      ...(isOwner && ofDeveloper.developerAttempts),
      ...((await context.isAdministrator()) && ofDeveloper.administratorAttempts(developer)),
    };
    return allowedActions(context, attempts, [developer.accountUserId]);
  }
}

/** Returns what the caller may be to an app, and its developer; null for anybody else. */
async function rolesOf(context: Context, app: App) {
  const caller = await context.caller();
  const isOwner = caller?.developer?.id === app.developer.id;
  const isAdministrator = caller?.kind === 'account' && caller.isAdmin;
  const developer =
    isOwner || isAdministrator ? await context.loaders.developer.load(app.developer.id) : null;
  return { developer, isOwner, isAdministrator };
}
