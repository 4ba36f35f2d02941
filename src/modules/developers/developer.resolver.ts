import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { AllowedAction } from '../../operations/allowed-action.types.js';
import { allowedActions } from '../../operations/allowed-actions.js';
import { call } from '../../operations/call.js';
import type { Context } from '../../operations/context.js';
import { Expose, type ListPage, PageArgs, parsePage } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { countedPage } from '../../operations/loaders.js';
import type { RawInput } from '../../operations/parse-input.js';
import { DeveloperAppConnection } from '../apps/app-list.types.js';
import { QueuePlace } from '../review/review.types.js';
import { administratorAttempts, developerAttempts, requireAppReader } from './developer.actions.js';
import * as contract from './developer.contract.js';
import { Developer } from './developer.entity.js';
import { Viewer } from './viewer.types.js';

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

  @GraphQLOnly()
  @FieldResolver(() => [Developer], {
    nullable: true,
    description:
      'Other developers whose name or company looks like the name or company of this one: verified ones first, at most 20. Null for everybody but administrators.',
  })
  async lookalikes(@Root() { id }: Developer, @Ctx() context: Context) {
    return (await context.isAdministrator()) ? context.loaders.lookalikes.load(id) : null;
  }

  @GraphQLOnly()
  @FieldResolver(() => DeveloperAppConnection, {
    description:
      'Apps of the developer in every state, newest first. API keys need the scope APP_READ. A page ends early when it would exceed 512 KiB.',
  })
  async apps(@Root() { id: owner }: Developer, @PageArgs() page: ListPage, @Ctx() context: Context) {
    await requireAppReader(context);
    const { apps, appsLength } = context.loaders;
    return countedPage(apps, appsLength, { owner, page: parsePage(page) });
  }

  @GraphQLOnly()
  @FieldResolver(() => [AllowedAction], {
    description: 'Operations on the account, each with whether you could call it now.',
  })
  async allowedActions(@Root() developer: Developer, @Ctx() context: Context): Promise<AllowedAction[]> {
    const isOwner = (await context.caller())?.developer?.id === developer.id;
    const attempts = {
      ...(isOwner && developerAttempts),
      ...((await context.isAdministrator()) && administratorAttempts(developer)),
    };
    return allowedActions(context, attempts, [developer.accountUserId]);
  }

  @Expose(contract.registerDeveloper)
  registerDeveloper(input: RawInput, context: Context) {
    return call(contract.registerDeveloper, context, input);
  }

  @Expose(contract.me)
  me(input: RawInput, context: Context) {
    return call(contract.me, context, input);
  }

  @Expose(contract.viewer)
  viewer(input: RawInput, context: Context) {
    return call(contract.viewer, context, input);
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

  @Expose(contract.editDeveloper)
  editDeveloper(input: RawInput, context: Context) {
    return call(contract.editDeveloper, context, input);
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
