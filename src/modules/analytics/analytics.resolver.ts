import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../operations/context.js';
import { ArgOf, Expose } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { call, parse } from '../../operations/operation.js';
import type { App } from '../apps/app.entity.js';
import { AppId } from '../apps/app.input.js';
import * as contract from './analytics.contract.js';
import { AnalyticsSeries } from './analytics.input.js';
import { type AnalyticsBucket, type AnalyticsMetric, AppAnalytics, SeriesPoint } from './analytics.types.js';

/** The GraphQL fields of analytics. Only its owner ever gets the `AppAnalytics` of an app. */
@Resolver(() => AppAnalytics)
export class AnalyticsResolver {
  @Expose(contract.appAnalytics)
  appAnalytics(@ArgOf(AppId, 'id') id: string, @Ctx() context: Context) {
    return call(contract.appAnalytics, context, { id });
  }

  @GraphQLOnly()
  @FieldResolver(() => [SeriesPoint], {
    description: 'Figures over time, oldest first, today included; at most 732 points.',
  })
  series(
    @Root() { id: appId }: App,
    @ArgOf(AnalyticsSeries, 'metric') metric: AnalyticsMetric,
    @ArgOf(AnalyticsSeries, 'from') from: string,
    @ArgOf(AnalyticsSeries, 'to') to: string,
    @ArgOf(AnalyticsSeries, 'bucket') bucket: AnalyticsBucket | undefined,
    @Ctx() context: Context,
  ) {
    const { analytics } = context.services(context.fork());
    return analytics.series(appId, parse(AnalyticsSeries, { metric, from, to, bucket }));
  }
}
