import { sql } from 'kysely';
import { AnalyticsBucket, AnalyticsMetric, type AppAnalytics, type SeriesPoint } from './analytics.types.js';

interface SeriesQuery {
  appId: string;
  metric: AnalyticsMetric;
  from: string;
  to: string;
  bucket: AnalyticsBucket;
}

/** The current metrics of an app, if it belongs to the developer. */
export const figures = (developerId: string, appId: string) => sql<AppAnalytics & { id: string }>`
  select a.id, f.install_count as "installCount", a.review_count as "reviewCount",
    a.average_rating as "averageRating", a.status, a.featured
  from apps a join app_figures f on f.id = a.id where a.id = ${appId} and a.developer_id = ${developerId}`;

/** The number of events per app and day; days without events have no row. */
const daily = {
  [AnalyticsMetric.INSTALLS]: sql`select app_id, day, installs as value from installs_daily`,
  [AnalyticsMetric.UNIQUE_INSTALLATIONS]: sql`select app_id, day, unique_installations as value from installs_daily`,
  [AnalyticsMetric.RATINGS]: sql`
    select app_id, (created_at at time zone 'utc')::date as day, 1 as value from ratings where hidden_at is null`,
};

const units = {
  [AnalyticsBucket.DAY]: 'day',
  [AnalyticsBucket.WEEK]: 'week',
  [AnalyticsBucket.MONTH]: 'month',
};

/** Counts a metric for every bucket of a range, 0 for buckets without events. */
export const series = ({ appId, metric, from, to, bucket }: SeriesQuery) => sql<SeriesPoint>`
  with buckets as (
    select generate_series(date_trunc(${units[bucket]}, ${from}::timestamp), ${to}::timestamp,
      ${`1 ${units[bucket]}`}::interval) as start),
  counted as (
    select date_trunc(${units[bucket]}, day::timestamp) as start, sum(value)::int as value
    from (${daily[metric]}) as daily
    where app_id = ${appId} and day between ${from}::date and ${to}::date group by 1)
  select to_char(buckets.start, 'YYYY-MM-DD') as date, coalesce(counted.value, 0) as value
  from buckets left join counted using (start) order by buckets.start`;
