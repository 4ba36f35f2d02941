import { Resolver } from 'type-graphql';
import { call } from '../../operations/call.js';
import type { Context } from '../../operations/context.js';
import { Expose } from '../../operations/expose.js';
import type { RawInput } from '../../operations/parse-input.js';
import * as contract from './install.contract.js';

/** The GraphQL fields of installs. */
@Resolver()
export class InstallResolver {
  @Expose(contract.recordInstall)
  recordInstall(input: RawInput, context: Context) {
    return call(contract.recordInstall, context, input);
  }
}
