import { sql } from 'kysely';
import type { Statement } from '../../db/reader.js';

/** Change of the number and of the sum of an app's visible ratings. */
export interface RatingTotalsChange {
  count: number;
  sum: number;
}

/** Period of the limit on changes of a rating. */
const period = sql.lit('24 hours');

/**
 * Counts how often an account has created or changed its rating of an app within the period. `wasNotified` is true if the
 * developer was notified of one of these, and `secondsLeft` is the time until the first of them leaves the period.
 */
export const recentChanges = (appId: string, accountUserId: string) => sql<{
  changes: number;
  wasNotified: boolean;
  secondsLeft: number;
}>`
  select count(*)::int as changes, coalesce(bool_or(kind = 'rating.created'), false) as "wasNotified",
    ceil(extract(epoch from min(created_at) + interval ${period} - now()))::int as "secondsLeft"
  from audit_events
  where app_id = ${appId} and actor_account = ${accountUserId} and created_at > now() - interval ${period}
    and kind in ('rating.created', 'rating.updated')`;

/** Locks the changes of an account's ratings until the end of the transaction, in all gateway processes. */
export const lockChangesOf = (accountUserId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`rating changes:${accountUserId}`}, 0))`;

/**
 * Counts how often an account has changed, removed or replaced ratings of any app within an hour. `secondsLeft` is the
 * time until the first of these leaves the hour.
 */
export const changesOfAnHour = (accountUserId: string) => sql<{ changes: number; secondsLeft: number }>`
  select count(*)::int as changes,
    ceil(extract(epoch from min(created_at) + interval '1 hour' - now()))::int as "secondsLeft"
  from audit_events
  where actor_account = ${accountUserId} and created_at > now() - interval '1 hour'
    and kind in ('rating.updated', 'rating.removed')`;

/** Gives a rating and its reports another id. One statement, because the reports refer to the rating. */
export const changeId = (from: string, to: string) => sql`
  with renamed as (update ratings set id = ${to} where id = ${from})
  update rating_reports set rating_id = ${to} where rating_id = ${from}`;

/** Finds a public app, with the number of its visible ratings. */
export const ratedApp = (slug: string): Statement => ({
  name: 'rated app',
  text: 'select id, review_count as "reviewCount" from apps where slug = $1 and listed',
  values: [slug],
});

/** Reads visible ratings of an app after a position, newest first. */
export const visibleRatings = (
  appId: string,
  limit: number,
  position: { at: Date; id: string } | null,
): Statement => ({
  name: position ? 'more ratings' : 'ratings',
  text: `
    select * from ratings where app_id = $1 and hidden_at is null
    ${position ? 'and (created_at, id) < ($3::timestamptz, $4::uuid)' : ''}
    order by created_at desc, id desc limit $2::bigint`,
  values: [appId, limit, ...(position ? [position.at, position.id] : [])],
});

/** Reads the number of visible ratings with one to five stars, which a trigger keeps up to date. */
export const ratingCounts = (appIds: readonly string[]): Statement => ({
  name: 'rating counts',
  text: 'select id, rating_counts as counts from apps where id = any($1::uuid[])',
  values: [appIds],
});

/** Updates the totals on the app's row. The average is computed from the sum, so that rounding errors do not accumulate. */
export const addToRatingTotals = (appId: string, { count, sum }: RatingTotalsChange) => sql`
  update apps set review_count = review_count + ${count}, rating_sum = rating_sum + ${sum},
    average_rating = coalesce(round((rating_sum + ${sum})::numeric / nullif(review_count + ${count}, 0), 2), 0)
  where id = ${appId}`;
