import { Ctx, Resolver } from 'type-graphql';
import type { Context } from '../../context.js';
import { ArgOf, Expose } from '../../graphql/expose.js';
import { call } from '../../operation.js';
import { AppId } from '../apps/app.input.js';
import * as contract from './analytics.contract.js';

/** The GraphQL fields of analytics. */
@Resolver()
export class AnalyticsResolver {
  @Expose(contract.appAnalytics)
  appAnalytics(@ArgOf(AppId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.appAnalytics, context, { id });
  }
}
