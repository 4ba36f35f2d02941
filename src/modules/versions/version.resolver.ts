import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { z } from 'zod';
import type { Context } from '../../context.js';
import { allowedActions } from '../../graphql/allowed-actions.js';
import { ArgOf, Expose, InputOf } from '../../graphql/expose.js';
import { call } from '../../operation.js';
import { AllowedAction } from '../apps/action.types.js';
import { AppChanges } from '../apps/app.input.js';
import { changesBetween } from '../audit/timeline.js';
import { FieldChange } from '../audit/timeline.types.js';
import { Reject } from '../review/review.input.js';
import { QueuePlace } from '../review/review.types.js';
import { AppVersion } from './app-version.entity.js';
import * as contract from './version.contract.js';
import { ApproveAppVersion, CreateAppVersion, UpdateAppVersion, VersionId } from './version.input.js';
import {
  requireEditableVersion,
  requireSubmittableVersion,
  requireVersionTransition,
  type VersionTransition,
} from './version.lifecycle.js';

/** The GraphQL fields of versions. */
@Resolver(() => AppVersion)
export class VersionResolver {
  @FieldResolver(() => [FieldChange], { description: 'What it changes of the live listing.' })
  async changes(@Root() version: AppVersion, @Ctx() { loaders }: Context) {
    return changesBetween(await loaders.app.load(version.app.id), version);
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
    const app = await context.loaders.app.load(version.app.id);
    const caller = await context.caller();
    const can = (transition: VersionTransition) => () => requireVersionTransition(version, transition);
    if (caller?.developer?.id !== app.developer.id) {
      return allowedActions(caller, {
        approveAppVersion: { operation: contract.approveAppVersion, guard: can('approve') },
        rejectAppVersion: { operation: contract.rejectAppVersion, guard: can('reject') },
      });
    }
    return allowedActions(caller, {
      updateAppVersion: {
        operation: contract.updateAppVersion,
        guard: () => requireEditableVersion(version),
      },
      submitAppVersion: {
        operation: contract.submitAppVersion,
        guard: () => requireSubmittableVersion(app, version),
      },
      withdrawAppVersion: { operation: contract.withdrawAppVersion, guard: can('withdraw') },
      discardAppVersion: { operation: contract.discardAppVersion, guard: can('discard') },
    });
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
}
