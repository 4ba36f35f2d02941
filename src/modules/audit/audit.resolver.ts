import { Ctx, Resolver } from 'type-graphql';
import type { z } from 'zod';
import type { Context } from '../../operations/context.js';
import { ArgOf, Expose, InputOf } from '../../operations/expose.js';
import { call } from '../../operations/operation.js';
import * as contract from './audit.contract.js';
import { AuditLogFilter, ListAuditLog } from './audit.input.js';

/** The GraphQL field of the audit log. */
@Resolver()
export class AuditResolver {
  @Expose(contract.auditLog)
  auditLog(
    @InputOf('AuditLogFilter', AuditLogFilter, { name: 'filter', nullable: true }) filter:
      | z.input<typeof AuditLogFilter>
      | undefined,
    @ArgOf(ListAuditLog, 'first') first: number | undefined,
    @ArgOf(ListAuditLog, 'after') after: string | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.auditLog, context, { ...filter, first, after });
  }
}
