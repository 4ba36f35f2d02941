import { Field, GraphQLISODateTime, ObjectType } from 'type-graphql';
import { connectionOf } from '../../operations/connection.types.js';
import { Rating } from './rating.entity.js';

export const RatingConnection = connectionOf('Rating', () => Rating);

@ObjectType({ description: 'When and why a rating was hidden. Visible only to administrators.' })
export class RatingModeration {
  @Field(() => GraphQLISODateTime, { description: 'When the rating was hidden (UTC).' })
  hiddenAt!: Date;

  @Field(() => String, {
    nullable: true,
    description: 'The reason that the administrator gave. Null if none is recorded.',
  })
  reason!: string | null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description:
      'When the author removed the rating (UTC); null if they did not. Until `unhideRating` is called, the next rating of that account for this app is hidden too.',
  })
  removedAt!: Date | null;
}
