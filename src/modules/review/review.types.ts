import { Field, GraphQLISODateTime, ObjectType } from 'type-graphql';
import { connectionOf } from '../../db/connection.types.js';
import { App } from '../apps/app.entity.js';
import { Finding } from '../apps/finding.types.js';

/** A submission that waits for a decision. Its `developer` is resolved through a loader. */
@ObjectType({ description: 'A submission that waits for a decision.' })
export class ReviewQueueItem {
  @Field(() => App, { description: 'The app, as submitted or as edited since.' })
  app!: App;

  @Field(() => GraphQLISODateTime, { description: 'When it was submitted.' })
  submittedAt!: Date;

  @Field(() => [Finding], { description: 'What the automatic checks found.' })
  findings!: Finding[];
}

export const ReviewQueueConnection = connectionOf('ReviewQueue', () => ReviewQueueItem);
