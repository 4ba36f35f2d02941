import { Resolver } from 'type-graphql';
import { call } from '../../operations/call.js';
import type { Context } from '../../operations/context.js';
import { Expose } from '../../operations/expose.js';
import type { RawInput } from '../../operations/parse-input.js';
import * as contract from './audit.contract.js';

/** The GraphQL field of the audit log. */
@Resolver()
export class AuditResolver {
  @Expose(contract.auditLog)
  auditLog(input: RawInput, context: Context) {
    return call(contract.auditLog, context, input);
  }
}
