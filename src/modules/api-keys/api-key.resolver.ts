import { Ctx, Resolver } from 'type-graphql';
import type { z } from 'zod';
import type { Context } from '../../context.js';
import { ArgOf, Expose, InputOf } from '../../graphql/expose.js';
import { call } from '../../operation.js';
import * as contract from './api-key.contract.js';
import { ApiKeyId, CreateApiKey } from './api-key.input.js';

/** The GraphQL fields of API keys. */
@Resolver()
export class ApiKeyResolver {
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
