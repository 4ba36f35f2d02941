import { sql } from 'kysely';

/** By how much the ratings that count have changed: in number, and in sum. */
interface Difference {
  count: number;
  sum: number;
}

/** Hours that count as lately, for what an account does to its rating of an app. */
const lately = sql.lit('24 hours');

/** How often an account has given or changed its rating of an app lately, whether its developer was told of it, and when the first of these is a day old. */
export const recentChanges = (appId: string, accountUserId: string) => sql<{
  changes: number;
  wasTold: boolean;
  secondsLeft: number;
}>`
  select count(*)::int as changes, coalesce(bool_or(kind = 'rating.created'), false) as "wasTold",
    ceil(extract(epoch from min(created_at) + interval ${lately} - now()))::int as "secondsLeft"
  from audit_events
  where app_id = ${appId} and actor_account = ${accountUserId} and created_at > now() - interval ${lately}
    and kind in ('rating.created', 'rating.updated')`;

/** Brings the figures on an app's row up to date: from the sum, so that no rounding ever adds up. */
export const changeFigures = (appId: string, { count, sum }: Difference) => sql`
  update apps set review_count = review_count + ${count}, rating_sum = rating_sum + ${sum},
    average_rating = coalesce(round((rating_sum + ${sum})::numeric / nullif(review_count + ${count}, 0), 2), 0)
  where id = ${appId}`;
