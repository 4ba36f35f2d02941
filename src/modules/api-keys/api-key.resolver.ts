import { Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import type { z } from 'zod';
import { AllowedAction } from '../../operations/allowed-action.types.js';
import { allowedActions, attempt } from '../../operations/allowed-actions.js';
import type { Context } from '../../operations/context.js';
import { ArgOf, Expose, InputOf } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { call } from '../../operations/operation.js';
import { requireRotatable } from './api-key.actions.js';
import * as contract from './api-key.contract.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyId, CreateApiKey, LeakedKey, RevokeApiKey, RotateApiKey } from './api-key.input.js';

/** The GraphQL fields of API keys. */
@Resolver(() => ApiKey)
export class ApiKeyResolver {
  @GraphQLOnly()
  @FieldResolver(() => [AllowedAction], { description: 'What you could do with it now.' })
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
      'The `id` of the API key that created or rotated it; null where an account token did. A leak report of that key revokes this one too.',
  })
  createdByKeyId(@Root() { createdByKeyId }: ApiKey): string | null {
    return createdByKeyId;
  }

  @Expose(contract.createApiKey)
  createApiKey(
    @InputOf('CreateApiKeyInput', CreateApiKey) input: z.input<typeof CreateApiKey>,
    @Ctx() context: Context,
  ) {
    return call(contract.createApiKey, context, input);
  }

  @Expose(contract.myApiKeys)
  myApiKeys(@Ctx() context: Context) {
    return call(contract.myApiKeys, context, {});
  }

  @Expose(contract.revokeApiKey)
  revokeApiKey(
    @ArgOf(ApiKeyId, 'id') id: string,
    @ArgOf(RevokeApiKey, 'descendants') descendants: boolean | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.revokeApiKey, context, { id, descendants });
  }

  @Expose(contract.rotateApiKey)
  rotateApiKey(
    @ArgOf(ApiKeyId, 'id') id: string,
    @ArgOf(RotateApiKey, 'graceHours') graceHours: number | undefined,
    @Ctx() context: Context,
  ) {
    return call(contract.rotateApiKey, context, { id, graceHours });
  }

  @Expose(contract.reportLeakedKey)
  reportLeakedKey(@ArgOf(LeakedKey, 'key') key: string, @Ctx() context: Context) {
    return call(contract.reportLeakedKey, context, { key });
  }
}
