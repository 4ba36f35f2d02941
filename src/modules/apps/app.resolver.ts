import { Arg, Ctx, Int, Resolver } from 'type-graphql';
import type { z } from 'zod';
import type { Context } from '../../context.js';
import { ArgOf, Expose, InputOf } from '../../graphql/expose.js';
import { call } from '../../operation.js';
import * as contract from './app.contract.js';
import { AppChanges, AppId, CreateApp } from './app.input.js';

/** The revision that the caller read, where they want to be sure; `If-Match` at the REST door. */
const Revision = () =>
  Arg('revision', () => Int, {
    nullable: true,
    description: 'Refuse with REVISION_CONFLICT unless the app is still at this revision.',
  });
const expecting = (revision: number | null | undefined) =>
  revision == null ? {} : { expectedRevisions: new Set([revision]) };

/** The GraphQL fields of a developer's apps. */
@Resolver()
export class AppResolver {
  @Expose(contract.createApp)
  createApp(@InputOf('CreateAppInput', CreateApp) input: z.input<typeof CreateApp>, @Ctx() context: Context) {
    return call(contract.createApp, context, input);
  }

  @Expose(contract.myApps)
  myApps(@Ctx() context: Context) {
    return call(contract.myApps, context, {});
  }

  @Expose(contract.myApp)
  myApp(@ArgOf(AppId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.myApp, context, { id });
  }

  @Expose(contract.updateApp)
  updateApp(
    @ArgOf(AppId, 'id') id: string,
    @InputOf('UpdateAppInput', AppChanges) input: z.input<typeof AppChanges>,
    @Revision() revision: number | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.updateApp, context, { ...input, id, ...expecting(revision) });
  }

  @Expose(contract.submitApp)
  submitApp(@ArgOf(AppId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.submitApp, context, { id });
  }

  @Expose(contract.withdrawApp)
  withdrawApp(@ArgOf(AppId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.withdrawApp, context, { id });
  }

  @Expose(contract.deleteApp)
  deleteApp(
    @ArgOf(AppId, 'id') id: string,
    @Revision() revision: number | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.deleteApp, context, { id, ...expecting(revision) });
  }
}
