import { Field, GraphQLISODateTime, Int, ObjectType } from 'type-graphql';
import { connectionOf } from '../../operations/connection.types.js';
import { Rating } from './rating.entity.js';

export const RatingConnection = connectionOf('Rating', () => Rating);

/** The number of visible ratings with the same number of stars. */
@ObjectType({ description: 'The number of ratings of an app with the same number of stars.' })
export class RatingCount {
  @Field(() => Int, { description: 'Number of stars, from 1 (worst) to 5 (best).' })
  rating!: number;

  @Field(() => Int, { description: 'Number of ratings with that many stars, without hidden ones.' })
  count!: number;
}

/** The moderation of a hidden rating. Its `app` is resolved through a loader. */
@ObjectType({ description: 'When, why and by whom a rating was hidden. Visible only to administrators.' })
export class RatingModeration {
  @Field(() => GraphQLISODateTime, { description: 'When the rating was hidden (UTC).' })
  hiddenAt!: Date;

  @Field(() => String, {
    nullable: true,
    description: 'The reason that the administrator gave. Null if none is recorded.',
  })
  reason!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Account id of the administrator who hid the rating. Null if it is not recorded.',
  })
  by!: string | null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description:
      'When the author removed the rating (UTC); null if they did not. Until `unhideRating` is called, the next rating of that account for this app is hidden too.',
  })
  removedAt!: Date | null;

  appId!: string;
}
