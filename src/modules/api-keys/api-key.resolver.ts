import { Ctx, FieldResolver, Resolver } from 'type-graphql';
import type { z } from 'zod';
import { allowedActions, attempt } from '../../allowed-actions.js';
import type { Context } from '../../context.js';
import { ArgOf, Expose, InputOf } from '../../graphql/expose.js';
import { GraphQLOnly } from '../../graphql/graphql-only.js';
import { call } from '../../operation.js';
import { AllowedAction } from '../apps/action.types.js';
import * as contract from './api-key.contract.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyId, CreateApiKey } from './api-key.input.js';

/** The GraphQL fields of API keys. */
@Resolver(() => ApiKey)
export class ApiKeyResolver {
  @GraphQLOnly()
  @FieldResolver(() => [AllowedAction], { description: 'What you could do with it now.' })
  allowedActions(@Ctx() context: Context): Promise<AllowedAction[]> {
    return allowedActions(context, { revokeApiKey: attempt(contract.revokeApiKey) });
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
  revokeApiKey(@ArgOf(ApiKeyId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.revokeApiKey, context, { id });
  }
}
