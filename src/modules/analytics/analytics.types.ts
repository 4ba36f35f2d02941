import 'reflect-metadata';
import { Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import { AppStatus } from '../apps/app.entity.js';

export enum AnalyticsMetric {
  INSTALLS = 'INSTALLS',
  UNIQUE_INSTALLATIONS = 'UNIQUE_INSTALLATIONS',
  RATINGS = 'RATINGS',
}
registerEnumType(AnalyticsMetric, {
  name: 'AnalyticsMetric',
  description: 'What a series counts.',
  valuesConfig: {
    INSTALLS: { description: 'Installs.' },
    UNIQUE_INSTALLATIONS: {
      description: 'Installs that named an `installationId`; the same one counts once, on its first day.',
    },
    RATINGS: { description: 'Ratings given, by the day of the first version; hidden ones left out.' },
  },
});

export enum AnalyticsBucket {
  DAY = 'DAY',
  WEEK = 'WEEK',
  MONTH = 'MONTH',
}
registerEnumType(AnalyticsBucket, {
  name: 'AnalyticsBucket',
  description: 'What one point of a series covers, in UTC.',
  valuesConfig: {
    DAY: { description: 'A day.' },
    WEEK: { description: 'A week, from Monday.' },
    MONTH: { description: 'A month of the calendar.' },
  },
});

/** One point of a series. */
@ObjectType({ description: 'One point of a series.' })
export class SeriesPoint {
  @Field(() => String, {
    description: "The bucket's first day, such as 2026-01-31. Only days of the range are counted in it.",
  })
  date!: string;

  @Field(() => Int, { description: 'How many; 0 where nothing happened.' })
  value!: number;
}

/** The figures of an app: SPEC's five. */
@ObjectType({ description: "An app's figures." })
export class AppAnalytics {
  @Field(() => Int, { description: 'How often it was installed.' })
  installCount!: number;

  @Field(() => Int, { description: 'How many ratings it has.' })
  reviewCount!: number;

  @Field(() => Float, { description: 'The mean of its ratings to two decimals; 0 without any.' })
  averageRating!: number;

  @Field(() => AppStatus, { description: 'Where it stands.' })
  status!: AppStatus;

  @Field(() => Boolean, { description: 'Whether it is featured.' })
  featured!: boolean;
}
