import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { z } from 'zod';
import type { Context } from '../../operations/context.js';
import { ArgsOf, Exposes } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { parseInput } from '../../operations/parse-input.js';
import * as contract from './analytics.contract.js';
import { AnalyticsSeries } from './analytics.input.js';
import { AppAnalytics, SeriesPoint } from './analytics.types.js';

/** The GraphQL fields of analytics. Only the owner of an app ever gets its `AppAnalytics`. */
@Resolver(() => AppAnalytics)
@Exposes(contract)
export class AnalyticsResolver {
  @GraphQLOnly()
  @FieldResolver(() => [SeriesPoint], {
    description: 'Figures over time, oldest first, today included; at most 732 points.',
  })
  series(
    @Root() { id: appId }: { id: string },
    @ArgsOf('Series', AnalyticsSeries) range: z.input<typeof AnalyticsSeries>,
    @Ctx() { loaders }: Context,
  ) {
    return loaders.analyticsSeries.load({ appId, ...parseInput(AnalyticsSeries, { ...range }) });
  }
}
