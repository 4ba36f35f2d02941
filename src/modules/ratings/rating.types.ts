import { Field, GraphQLISODateTime, ObjectType } from 'type-graphql';
import { connectionOf } from '../../operations/connection.types.js';
import { Rating } from './rating.entity.js';

export const RatingConnection = connectionOf('Rating', () => Rating);

/** Why a rating is hidden, for administrators. */
@ObjectType({ description: 'Why a rating is hidden. Only administrators see it.' })
export class RatingModeration {
  @Field(() => GraphQLISODateTime, { description: 'Since when it is hidden.' })
  hiddenAt!: Date;

  @Field(() => String, { nullable: true, description: 'The reason that was given.' })
  reason!: string | null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description:
      'When its author removed it; null while it stands. The next rating of that account is hidden too, until `unhideRating`.',
  })
  removedAt!: Date | null;
}
