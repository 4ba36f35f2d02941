import { Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import { AllowedAction } from '../../operations/allowed-action.types.js';
import { allowedActions, attempt } from '../../operations/allowed-actions.js';
import { call } from '../../operations/call.js';
import type { Context } from '../../operations/context.js';
import { Expose } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import type { RawInput } from '../../operations/parse-input.js';
import { requireRotatable } from './api-key.actions.js';
import * as contract from './api-key.contract.js';
import { ApiKey } from './api-key.entity.js';

/** The GraphQL fields of API keys. */
@Resolver(() => ApiKey)
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

  @Expose(contract.createApiKey)
  createApiKey(input: RawInput, context: Context) {
    return call(contract.createApiKey, context, input);
  }

  @Expose(contract.myApiKeys)
  myApiKeys(input: RawInput, context: Context) {
    return call(contract.myApiKeys, context, input);
  }

  @Expose(contract.revokeApiKey)
  revokeApiKey(input: RawInput, context: Context) {
    return call(contract.revokeApiKey, context, input);
  }

  @Expose(contract.rotateApiKey)
  rotateApiKey(input: RawInput, context: Context) {
    return call(contract.rotateApiKey, context, input);
  }

  @Expose(contract.reportLeakedKey)
  reportLeakedKey(input: RawInput, context: Context) {
    return call(contract.reportLeakedKey, context, input);
  }
}
