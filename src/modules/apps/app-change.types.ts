import 'reflect-metadata';
import { Field, ObjectType } from 'type-graphql';
import { App } from '../listings/app.entity.js';

/** An event of `appChanged`. */
@ObjectType({ description: 'Reports that an app, its versions, its review or its messages have changed.' })
export class AppChange {
  @Field(() => App, {
    nullable: true,
    description: 'The app as it is now; null if it was deleted. Several changes in a row can be one event.',
  })
  app!: App | null;
}
