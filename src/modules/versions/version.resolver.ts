import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { AllowedAction } from '../../operations/allowed-action.types.js';
import { allowedActions } from '../../operations/allowed-actions.js';
import { call } from '../../operations/call.js';
import type { Context } from '../../operations/context.js';
import { Expose } from '../../operations/expose.js';
import type { RawInput } from '../../operations/parse-input.js';
import { FieldChange } from '../audit/timeline.types.js';
import { QueuePlace } from '../review/review.types.js';
import { AppVersion } from './app-version.entity.js';
import { administratorAttempts, developerAttempts } from './version.actions.js';
import * as contract from './version.contract.js';
import { VersionConflict } from './version.types.js';

/** The GraphQL fields of versions. */
@Resolver(() => AppVersion)
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

  @FieldResolver(() => [AllowedAction], {
    description: 'Operations on the version, each with whether you could call it now.',
  })
  async allowedActions(@Root() version: AppVersion, @Ctx() context: Context) {
    const { loaders } = context;
    const app = await loaders.app.load(version.app.id);
    const submission = await loaders.openSubmission.load(version.id);
    const caller = await context.caller();
    const isOwner = caller?.developer?.id === app.developer.id;
    const isAdministrator = caller?.kind === 'account' && caller.isAdmin;
    const developer = isOwner || isAdministrator ? await loaders.developer.load(app.developer.id) : null;
    const attempts = {
      ...(isOwner &&
        developer &&
        developerAttempts(
          { app, developer },
          version,
          submission,
          await loaders.submissionFindings.load(version),
        )),
      ...(isAdministrator && developer && administratorAttempts({ app, developer }, version, submission)),
    };
    return allowedActions(context, attempts, developer ? [developer.accountUserId] : []);
  }

  @Expose(contract.createAppVersion)
  createAppVersion(input: RawInput, context: Context) {
    return call(contract.createAppVersion, context, input);
  }

  @Expose(contract.updateAppVersion)
  updateAppVersion(input: RawInput, context: Context) {
    return call(contract.updateAppVersion, context, input);
  }

  @Expose(contract.submitAppVersion)
  submitAppVersion(input: RawInput, context: Context) {
    return call(contract.submitAppVersion, context, input);
  }

  @Expose(contract.withdrawAppVersion)
  withdrawAppVersion(input: RawInput, context: Context) {
    return call(contract.withdrawAppVersion, context, input);
  }

  @Expose(contract.discardAppVersion)
  discardAppVersion(input: RawInput, context: Context) {
    return call(contract.discardAppVersion, context, input);
  }

  @Expose(contract.approveAppVersion)
  approveAppVersion(input: RawInput, context: Context) {
    return call(contract.approveAppVersion, context, input);
  }

  @Expose(contract.rejectAppVersion)
  rejectAppVersion(input: RawInput, context: Context) {
    return call(contract.rejectAppVersion, context, input);
  }

  @Expose(contract.rebaseAppVersion)
  rebaseAppVersion(input: RawInput, context: Context) {
    return call(contract.rebaseAppVersion, context, input);
  }
}
