import { Field, GraphQLISODateTime, Int, ObjectType } from 'type-graphql';
import { connectionOf } from '../../operations/connection.types.js';
import { ApiKey, ApiKeyFields } from './api-key.entity.js';

/** An API key with its value, which exists only in the response that creates it. */
@ObjectType({ description: 'A new API key with its full value, which is never shown again.' })
export class IssuedApiKey extends ApiKeyFields {
  @Field(() => String, {
    description: 'The full value of the key. Store it now, because it cannot be retrieved later.',
  })
  key!: string;
}

export const ApiKeyConnection = connectionOf('ApiKey', () => ApiKey);

/** Confirms a leak report without revealing the owner of the key. */
@ObjectType({ description: 'Confirms that a leaked key is revoked. Its owner is notified by e-mail.' })
export class LeakReport {
  @Field(() => String, {
    description: 'The first eight and the last four characters of the key, such as `mkt_a1b2…y8z9`.',
  })
  maskedKey!: string;

  @Field(() => GraphQLISODateTime, {
    description: 'When the key was revoked (UTC): now, or earlier if it was revoked before.',
  })
  revokedAt!: Date;

  @Field(() => Int, {
    description:
      'Number of other keys that this report revoked: active keys that were created with the leaked key, directly or through other keys.',
  })
  descendantsRevoked!: number;
}
