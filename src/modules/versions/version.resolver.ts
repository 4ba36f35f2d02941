import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { z } from 'zod';
import { AllowedAction } from '../../operations/allowed-action.types.js';
import { allowedActions } from '../../operations/allowed-actions.js';
import type { Context } from '../../operations/context.js';
import { ArgOf, Expose, InputOf } from '../../operations/expose.js';
import { call } from '../../operations/operation.js';
import { AppChanges } from '../apps/app.input.js';
import { FieldChange } from '../audit/timeline.types.js';
import { Reject } from '../review/review.input.js';
import { QueuePlace } from '../review/review.types.js';
import { AppVersion } from './app-version.entity.js';
import { administratorAttempts, developerAttempts } from './version.actions.js';
import * as contract from './version.contract.js';
import { ApproveAppVersion, CreateAppVersion, UpdateAppVersion, VersionId } from './version.input.js';
import { VersionConflict } from './version.types.js';

/** The GraphQL fields of versions. */
@Resolver(() => AppVersion)
export class VersionResolver {
  @FieldResolver(() => [FieldChange], { description: 'What it changes of the live listing.' })
  changes(@Root() version: AppVersion, @Ctx() { loaders }: Context) {
    return loaders.versionChanges.load(version);
  }

  @FieldResolver(() => [VersionConflict], {
    description:
      "Fields in which it replaces an administrator's edit of the live listing. Before `rebaseAppVersion` those that it would find; afterwards those that still differ.",
  })
  conflicts(@Root() version: AppVersion, @Ctx() { loaders }: Context) {
    return loaders.versionConflicts.load(version);
  }

  @FieldResolver(() => QueuePlace, {
    nullable: true,
    description: 'Where it stands in the review; null unless it waits for one.',
  })
  review(@Root() version: AppVersion, @Ctx() { loaders }: Context) {
    return loaders.reviewPlace.load(version.id);
  }

  @FieldResolver(() => [AllowedAction], { description: 'What you could do with it now.' })
  async allowedActions(@Root() version: AppVersion, @Ctx() context: Context) {
    const { loaders } = context;
    const app = await loaders.app.load(version.app.id);
    const submission = await loaders.openSubmission.load(version.id);
    const caller = await context.caller();
    const isOwner = caller?.developer?.id === app.developer.id;
    const isAdministrator = caller?.kind === 'account' && caller.isAdmin;
    const developer = isAdministrator ? await loaders.developer.load(app.developer.id) : null;
    const attempts = {
      ...(isOwner &&
        developerAttempts(app, version, submission, await loaders.submissionFindings.load(version))),
      ...(developer && administratorAttempts({ app, developer }, version, submission)),
    };
    return allowedActions(context, attempts, developer ? [developer.accountUserId] : []);
  }

  @Expose(contract.createAppVersion)
  createAppVersion(
    @ArgOf(CreateAppVersion, 'appId') appId: string,
    @InputOf('CreateAppVersionInput', AppChanges) input: z.input<typeof AppChanges>,
    @Ctx() context: Context,
  ) {
    return call(contract.createAppVersion, context, { ...input, appId });
  }

  @Expose(contract.updateAppVersion)
  updateAppVersion(
    @ArgOf(VersionId, 'id') id: string,
    @InputOf('UpdateAppVersionInput', AppChanges) input: z.input<typeof AppChanges>,
    @ArgOf(UpdateAppVersion, 'revision') revision: number | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.updateAppVersion, context, { ...input, id, revision });
  }

  @Expose(contract.submitAppVersion)
  submitAppVersion(@ArgOf(VersionId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.submitAppVersion, context, { id });
  }

  @Expose(contract.withdrawAppVersion)
  withdrawAppVersion(@ArgOf(VersionId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.withdrawAppVersion, context, { id });
  }

  @Expose(contract.discardAppVersion)
  discardAppVersion(@ArgOf(VersionId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.discardAppVersion, context, { id });
  }

  @Expose(contract.approveAppVersion)
  approveAppVersion(
    @ArgOf(VersionId, 'id') id: string,
    @ArgOf(ApproveAppVersion, 'revision') revision: number,
    @Ctx() context: Context,
  ) {
    return call(contract.approveAppVersion, context, { id, revision });
  }

  @Expose(contract.rejectAppVersion)
  rejectAppVersion(
    @ArgOf(VersionId, 'id') id: string,
    @InputOf('RejectAppVersionInput', Reject) input: z.input<typeof Reject>,
    @Ctx() context: Context,
  ) {
    return call(contract.rejectAppVersion, context, { ...input, id });
  }

  @Expose(contract.rebaseAppVersion)
  rebaseAppVersion(@ArgOf(VersionId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.rebaseAppVersion, context, { id });
  }
}
