import 'reflect-metadata';
import { registerEnumType } from 'type-graphql';
import { connectionOf } from '../../operations/connection.types.js';
import { App } from '../listings/app.entity.js';

export enum AdminAppSort {
  NEWEST = 'NEWEST',
  OLDEST = 'OLDEST',
  UPDATED = 'UPDATED',
}
registerEnumType(AdminAppSort, {
  name: 'AdminAppSort',
  description: 'Order of a list of apps for administrators.',
  valuesConfig: {
    NEWEST: { description: 'By creation time, newest first.' },
    OLDEST: { description: 'By creation time, oldest first.' },
    UPDATED: { description: 'By the time of the last change, latest first.' },
  },
});

/** A list of apps with all their fields; the `AppConnection` of the public catalog has their public form. */
export const DeveloperAppConnection = connectionOf('DeveloperApp', () => App);
