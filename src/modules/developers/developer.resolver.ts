import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { call } from '../../operations/call.js';
import type { Context } from '../../operations/context.js';
import { Expose } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import type { RawInput } from '../../operations/parse-input.js';
import { QueuePlace } from '../review/review.types.js';
import * as contract from './developer.contract.js';
import { Developer } from './developer.entity.js';

/** The GraphQL fields of developers. */
@Resolver(() => Developer)
export class DeveloperResolver {
  @GraphQLOnly()
  @FieldResolver(() => QueuePlace, {
    nullable: true,
    description: 'Position in the verification queue; null unless the developer waits for verification.',
  })
  verification(@Root() developer: Developer, @Ctx() { loaders }: Context) {
    return loaders.verificationPlace.load(developer.id);
  }

  @Expose(contract.registerDeveloper)
  registerDeveloper(input: RawInput, context: Context) {
    return call(contract.registerDeveloper, context, input);
  }

  @Expose(contract.me)
  me(input: RawInput, context: Context) {
    return call(contract.me, context, input);
  }

  @Expose(contract.updateMe)
  updateMe(input: RawInput, context: Context) {
    return call(contract.updateMe, context, input);
  }

  @Expose(contract.developers)
  developers(input: RawInput, context: Context) {
    return call(contract.developers, context, input);
  }

  @Expose(contract.developer)
  developer(input: RawInput, context: Context) {
    return call(contract.developer, context, input);
  }

  @Expose(contract.verifyDeveloper)
  verifyDeveloper(input: RawInput, context: Context) {
    return call(contract.verifyDeveloper, context, input);
  }

  @Expose(contract.unverifyDeveloper)
  unverifyDeveloper(input: RawInput, context: Context) {
    return call(contract.unverifyDeveloper, context, input);
  }

  @Expose(contract.suspendDeveloper)
  suspendDeveloper(input: RawInput, context: Context) {
    return call(contract.suspendDeveloper, context, input);
  }

  @Expose(contract.reinstateDeveloper)
  reinstateDeveloper(input: RawInput, context: Context) {
    return call(contract.reinstateDeveloper, context, input);
  }
}
