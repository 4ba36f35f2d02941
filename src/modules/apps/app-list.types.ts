import 'reflect-metadata';
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
