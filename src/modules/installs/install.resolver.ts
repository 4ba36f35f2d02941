import { Ctx, Resolver } from 'type-graphql';
import type { z } from 'zod';
import type { Context } from '../../operations/context.js';
import { ArgOf, Expose, InputOf } from '../../operations/expose.js';
import { call } from '../../operations/operation.js';
import * as contract from './install.contract.js';
import { Install, RecordInstall } from './install.input.js';

/** The GraphQL fields of installs. */
@Resolver()
export class InstallResolver {
  @Expose(contract.recordInstall)
  recordInstall(
    @ArgOf(RecordInstall, 'slug') slug: string,
    @InputOf('RecordInstallInput', Install, { nullable: true }) input:
      | z.input<typeof Install>
      | null
      | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.recordInstall, context, { ...input, slug });
  }
}
