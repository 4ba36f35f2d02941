import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { call } from '../../operations/call.js';
import type { Context } from '../../operations/context.js';
import { Expose } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import type { RawInput } from '../../operations/parse-input.js';
import { App } from '../apps/app.entity.js';
import { Developer } from '../developers/developer.entity.js';
import * as contract from './audit.contract.js';
import { AuditLogEntry } from './audit.types.js';

/** The GraphQL fields of the audit log, which only administrators read. */
@Resolver(() => AuditLogEntry)
export class AuditResolver {
  @GraphQLOnly()
  @FieldResolver(() => App, {
    nullable: true,
    description: 'The app with the id `appId`, as it is now; null if there is none or it was deleted.',
  })
  app(@Root() { appId }: AuditLogEntry, @Ctx() { loaders }: Context) {
    return appId && loaders.appIfAny.load(appId);
  }

  @GraphQLOnly()
  @FieldResolver(() => Developer, {
    nullable: true,
    description: 'The developer with the id `developerId`, as they are now; null if the event is about none.',
  })
  developer(@Root() { developerId }: AuditLogEntry, @Ctx() { loaders }: Context) {
    return developerId && loaders.developer.load(developerId);
  }

  @Expose(contract.auditLog)
  auditLog(input: RawInput, context: Context) {
    return call(contract.auditLog, context, input);
  }
}
