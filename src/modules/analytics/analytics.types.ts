import 'reflect-metadata';
import { Field, Float, Int, ObjectType } from 'type-graphql';
import { describeEnum } from '../../operations/enum-type.js';
import { AppStatus } from '../listings/app.entity.js';

export enum AnalyticsMetric {
  INSTALLS = 'INSTALLS',
  UNIQUE_INSTALLATIONS = 'UNIQUE_INSTALLATIONS',
  RATINGS = 'RATINGS',
}
describeEnum(AnalyticsMetric, 'AnalyticsMetric', 'The metric that a series counts.', {
  INSTALLS: 'All installs.',
  UNIQUE_INSTALLATIONS:
    'Distinct installations: installs with an `installationId`, each id counted once, on the day of its first install.',
  RATINGS:
    'New ratings, without hidden ones. A rating that is changed later stays on the day on which it was first given.',
});

export enum AnalyticsBucket {
  DAY = 'DAY',
  WEEK = 'WEEK',
  MONTH = 'MONTH',
}
describeEnum(
  AnalyticsBucket,
  'AnalyticsBucket',
  'The time span of one point of a series. Days begin at midnight UTC.',
  {
    DAY: 'One day.',
    WEEK: 'One week, from Monday to Sunday.',
    MONTH: 'One calendar month.',
  },
);

/** One point of a series. */
@ObjectType({ description: 'One point of a series: the count of one bucket.' })
export class SeriesPoint {
  @Field(() => String, {
    description:
      'First day of the bucket (UTC), such as `2026-01-31`. It can lie before `from`, but only events of the requested range are counted.',
  })
  date!: string;

  @Field(() => Int, { description: 'Number of events in the bucket; 0 if there were none.' })
  value!: number;
}

/** The five metrics of an app that SPEC names. */
@ObjectType({ description: 'The current metrics of an app.' })
export class AppAnalytics {
  @Field(() => Int, { description: 'Total number of installs.' })
  installCount!: number;

  @Field(() => Int, { description: 'Number of ratings, without hidden ones.' })
  reviewCount!: number;

  @Field(() => Float, {
    description: 'Mean of the ratings, from 1 to 5, rounded to two decimals; 0 if there are none.',
  })
  averageRating!: number;

  @Field(() => AppStatus, { description: 'The state of the app in its lifecycle.' })
  status!: AppStatus;

  @Field(() => Boolean, {
    description: 'True if an administrator has selected the app for the featured list.',
  })
  featured!: boolean;
}
