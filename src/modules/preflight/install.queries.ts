import { sql } from 'kysely';

/** A day with far more installs than usual. */
export interface UnusualDay {
  id: string;
  day: string;
  installs: number;
  /** Usual installs of a day: the median of the 28 days before. */
  usual: number;
}

const today = sql`(now() at time zone 'utc')::date`;
/** A day counts if it has this many times the usual installs. */
const factor = 10;
/** Apps with fewer installs a day are compared as if this were usual: a jump from 1 to 10 means nothing. */
const leastUsual = 10;

/**
 * Finds, for each app, the latest of the last seven days with at least ten times the usual installs (D353). The median is
 * used because a mean would be raised by the unusual day itself, and so hide the days after it.
 */
export const unusualDays = (appIds: readonly string[]) => sql<UnusualDay>`
  select distinct on (busy.app_id) busy.app_id as id, busy.day::text as day, busy.installs, median.usual
  from (
    select app_id, day, sum(installs)::int as installs from installs_daily
    where app_id = any(${sql.val(appIds)}::uuid[]) and day > ${today} - 7
    group by app_id, day having sum(installs) >= ${sql.lit(factor * leastUsual)}) busy
  cross join lateral (
    select percentile_disc(0.5) within group (order by
      coalesce((select sum(installs) from installs_daily i where i.app_id = busy.app_id and i.day = past.day::date), 0))::int
      as usual
    from generate_series(busy.day - 28, busy.day - 1, interval '1 day') past (day)) median
  where busy.installs >= ${sql.lit(factor)} * greatest(median.usual, ${sql.lit(leastUsual)})
  order by busy.app_id, busy.day desc`;
