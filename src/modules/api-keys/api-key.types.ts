import { Field, GraphQLISODateTime, Int, ObjectType } from 'type-graphql';
import { ApiKey } from './api-key.entity.js';

/** A key's record with the key itself: exists only in the answer to its creation. */
@ObjectType({ description: 'A new API key. The full value is shown here and never again.' })
export class IssuedApiKey extends ApiKey {
  @Field(() => String, { description: 'The full key: keep it now, it cannot be retrieved.' })
  key!: string;
}

/** What whoever found a key is told: that it is harmless now, and nothing of whose it is. */
@ObjectType({ description: 'A leaked key, now harmless. Its owner is told.' })
export class LeakReport {
  @Field(() => String, { description: 'The beginning and the end of the key.' })
  maskedKey!: string;

  @Field(() => GraphQLISODateTime, { description: 'When it was revoked: now, or before.' })
  revokedAt!: Date;

  @Field(() => Int, {
    description:
      'How many other keys this report revoked: those that were made with the key, directly or through other keys.',
  })
  descendantsRevoked!: number;
}
