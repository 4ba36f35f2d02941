import { Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import { AllowedAction } from '../../operations/allowed-action.types.js';
import { admittedTo, allowedActions, attempt } from '../../operations/allowed-actions.js';
import type { Context } from '../../operations/context.js';
import { Exposes, type ListPage, PageArgs, parsePage } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { Developer } from '../developers/developer.entity.js';
import { Viewer } from '../developers/viewer.types.js';
import * as contract from './api-key.contract.js';
import { ApiKey, ApiKeyFields } from './api-key.entity.js';
import { requireRotatable } from './api-key.rules.js';
import { ApiKeyConnection } from './api-key.types.js';

/** The GraphQL fields of API keys. */
@Resolver(() => ApiKeyFields)
@Exposes(contract)
export class ApiKeyResolver {
  @GraphQLOnly()
  @FieldResolver(() => [AllowedAction], {
    description: 'Operations on the key, each with whether you could call it now.',
  })
  allowedActions(@Root() key: ApiKey, @Ctx() context: Context): Promise<AllowedAction[]> {
    return allowedActions(context, {
      revokeApiKey: attempt(contract.revokeApiKey),
      rotateApiKey: attempt(contract.rotateApiKey, (caller) => requireRotatable(caller, key)),
    });
  }

  @GraphQLOnly()
  @FieldResolver(() => ID, {
    nullable: true,
    description:
      'The `id` of the API key that was used to create or rotate this key; null if an account token was used. A leak report of that key revokes this one too.',
  })
  createdByKeyId(@Root() { createdByKeyId }: ApiKey): string | null {
    return createdByKeyId;
  }

  @GraphQLOnly()
  @FieldResolver(() => ID, {
    nullable: true,
    description:
      'The `id` of the API key that replaced this one in a rotation; null if it was not rotated. It ends at `expiresAt`.',
  })
  successorId(@Root() { successorId }: ApiKey): string | null {
    return successorId;
  }
}

/** The list of all API keys of a developer, which grows with every key. */
@Resolver(() => Developer)
export class DeveloperKeysResolver {
  @GraphQLOnly()
  @FieldResolver(() => ApiKeyConnection, {
    nullable: true,
    description:
      'All API keys of the developer, expired and revoked ones included, newest first. Only the developer can read them: null for administrators.',
  })
  async apiKeys(@Root() { id: owner }: Developer, @PageArgs() page: ListPage, @Ctx() context: Context) {
    const requested = parsePage(page);
    const caller = admittedTo(contract.myApiKeys, await context.caller());
    return caller?.developer.id === owner ? context.loaders.apiKeys.load({ owner, page: requested }) : null;
  }
}

/** The API key behind a request. */
@Resolver(() => Viewer)
export class ViewerKeyResolver {
  @GraphQLOnly()
  @FieldResolver(() => ApiKey, {
    nullable: true,
    description: 'The API key that the request was sent with; null for an account token.',
  })
  apiKey(@Root() { keyId }: Viewer, @Ctx() { loaders }: Context) {
    return keyId && loaders.apiKey.load(keyId);
  }
}
