import { Field, Float, Int, ObjectType } from 'type-graphql';
import { AppStatus } from '../apps/app.entity.js';

/** The figures of an app: SPEC's five. */
@ObjectType({ description: "An app's figures." })
export class AppAnalytics {
  @Field(() => Int, { description: 'How often it was installed.' })
  installCount!: number;

  @Field(() => Int, { description: 'How many ratings it has.' })
  reviewCount!: number;

  @Field(() => Float, { description: 'The mean of its ratings to two decimals; 0 without any.' })
  averageRating!: number;

  @Field(() => AppStatus, { description: 'Where it stands.' })
  status!: AppStatus;

  @Field(() => Boolean, { description: 'Whether it is featured.' })
  featured!: boolean;
}
