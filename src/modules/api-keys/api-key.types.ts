import { Field, ObjectType } from 'type-graphql';
import { ApiKey } from './api-key.entity.js';

/** A key's record with the key itself: exists only in the answer to its creation. */
@ObjectType({ description: 'A new API key. The full value is shown here and never again.' })
export class IssuedApiKey extends ApiKey {
  @Field(() => String, { description: 'The full key: keep it now, it cannot be retrieved.' })
  key!: string;
}
