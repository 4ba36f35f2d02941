import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../operations/context.js';
import { Exposes } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import * as contract from './developer.contract.js';
import { Developer } from './developer.entity.js';
import { Viewer } from './viewer.types.js';

/** The GraphQL fields of developers. */
@Resolver(() => Developer)
@Exposes(contract)
export class DeveloperResolver {
  @GraphQLOnly()
  @FieldResolver(() => [Developer], {
    nullable: true,
    description:
      'Other developers whose name or company looks like the name or company of this one: verified ones first, at most 20. Null for everybody but administrators.',
  })
  async lookalikes(@Root() { id }: Developer, @Ctx() context: Context) {
    return (await context.isAdministrator()) ? context.loaders.lookalikes.load(id) : null;
  }
}

/** The fields of a viewer that are loaded. */
@Resolver(() => Viewer)
export class ViewerResolver {
  @GraphQLOnly()
  @FieldResolver(() => Developer, {
    nullable: true,
    description: "The account's developer profile; null if the account has not registered as a developer.",
  })
  developer(@Root() { developerId }: Viewer, @Ctx() { loaders }: Context) {
    return developerId && loaders.developer.load(developerId);
  }
}
