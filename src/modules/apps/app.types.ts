import 'reflect-metadata';
import { Field, ID, ObjectType } from 'type-graphql';
import { connectionOf } from '../../operations/connection.types.js';
import { describeEnum } from '../../operations/enum-type.js';
import { App } from '../listings/app.entity.js';

export enum AdminAppSort {
  NEWEST = 'NEWEST',
  OLDEST = 'OLDEST',
  UPDATED = 'UPDATED',
}
describeEnum(AdminAppSort, 'AdminAppSort', 'Order of a list of apps for administrators.', {
  NEWEST: 'By creation time, newest first.',
  OLDEST: 'By creation time, oldest first.',
  UPDATED: 'By the time of the last change, latest first.',
});

/** A list of apps with all their fields; the `AppConnection` of the public catalog has their public form. */
export const DeveloperAppConnection = connectionOf('DeveloperApp', () => App);

/** An event of `appChanged`. */
@ObjectType({ description: 'Reports that an app, its versions, its review or its messages have changed.' })
export class AppChange {
  @Field(() => App, {
    nullable: true,
    description: 'The app as it is now; null if it was deleted. Several changes in a row can be one event.',
  })
  app!: App | null;
}

/** The result of a deletion. */
@ObjectType({ description: 'Confirms that an app was deleted.' })
export class DeletedApp {
  @Field(() => ID, { description: 'The id of the deleted app.' })
  id!: string;

  @Field(() => Boolean, { description: 'Always true.' })
  deleted!: boolean;
}
