import 'reflect-metadata';
import { Field, ObjectType } from 'type-graphql';
import { App } from '../listings/app.entity.js';
import { ReviewCounts } from './review.types.js';

/** An event of `reviewQueueChanged`. */
@ObjectType({ description: 'Reports that the review queue, or a submission in it, has changed.' })
export class ReviewQueueChange {
  @Field(() => App, {
    nullable: true,
    description:
      'The app whose submission has changed, as it is now; null if it was deleted, if several apps may have changed, or if events were missed: then read the queue again.',
  })
  app!: App | null;

  @Field(() => ReviewCounts, { description: 'Numbers of submissions in the queue now.' })
  counts!: ReviewCounts;
}
