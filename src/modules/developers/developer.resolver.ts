import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { z } from 'zod';
import type { DeveloperStatus } from '../../auth/developer-status.js';
import type { Context } from '../../operations/context.js';
import { ArgOf, Expose, InputOf } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { call } from '../../operations/operation.js';
import { QueuePlace } from '../review/review.types.js';
import * as contract from './developer.contract.js';
import { Developer } from './developer.entity.js';
import {
  DeveloperId,
  DeveloperIdAndReason,
  ListDevelopers,
  RegisterDeveloper,
  UpdateMe,
} from './developer.input.js';

/** The GraphQL fields of developers. */
@Resolver(() => Developer)
export class DeveloperResolver {
  @GraphQLOnly()
  @FieldResolver(() => QueuePlace, {
    nullable: true,
    description: 'Where they stand while they wait for their verification; null otherwise.',
  })
  verification(@Root() developer: Developer, @Ctx() { loaders }: Context) {
    return loaders.verificationPlace.load(developer.id);
  }

  @Expose(contract.registerDeveloper)
  registerDeveloper(
    @InputOf('RegisterDeveloperInput', RegisterDeveloper) input: z.input<typeof RegisterDeveloper>,
    @Ctx() context: Context,
  ) {
    return call(contract.registerDeveloper, context, input);
  }

  @Expose(contract.me)
  me(@Ctx() context: Context) {
    return call(contract.me, context, {});
  }

  @Expose(contract.updateMe)
  updateMe(@InputOf('UpdateMeInput', UpdateMe) input: z.input<typeof UpdateMe>, @Ctx() context: Context) {
    return call(contract.updateMe, context, input);
  }

  @Expose(contract.developers)
  developers(
    @ArgOf(ListDevelopers, 'status') status: DeveloperStatus | undefined,
    @ArgOf(ListDevelopers, 'search') search: string | undefined,
    @ArgOf(ListDevelopers, 'first') first: number | undefined,
    @ArgOf(ListDevelopers, 'after') after: string | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.developers, context, { status, search, first, after });
  }

  @Expose(contract.developer)
  developer(@ArgOf(DeveloperId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.developer, context, { id });
  }

  @Expose(contract.verifyDeveloper)
  verifyDeveloper(@ArgOf(DeveloperId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.verifyDeveloper, context, { id });
  }

  @Expose(contract.unverifyDeveloper)
  unverifyDeveloper(
    @ArgOf(DeveloperId, 'id') id: string,
    @ArgOf(DeveloperIdAndReason, 'reason') reason: string,
    @Ctx() context: Context,
  ) {
    return call(contract.unverifyDeveloper, context, { id, reason });
  }

  @Expose(contract.suspendDeveloper)
  suspendDeveloper(
    @ArgOf(DeveloperId, 'id') id: string,
    @ArgOf(DeveloperIdAndReason, 'reason') reason: string,
    @Ctx() context: Context,
  ) {
    return call(contract.suspendDeveloper, context, { id, reason });
  }

  @Expose(contract.reinstateDeveloper)
  reinstateDeveloper(@ArgOf(DeveloperId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.reinstateDeveloper, context, { id });
  }
}
