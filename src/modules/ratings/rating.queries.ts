import { sql } from 'kysely';

/** By how much the ratings that count have changed: in number, and in sum. */
interface Difference {
  count: number;
  sum: number;
}

/** Brings the figures on an app's row up to date: from the sum, so that no rounding ever adds up. */
export const changeFigures = (appId: string, { count, sum }: Difference) => sql`
  update apps set review_count = review_count + ${count}, rating_sum = rating_sum + ${sum},
    average_rating = coalesce(round((rating_sum + ${sum})::numeric / nullif(review_count + ${count}, 0), 2), 0)
  where id = ${appId}`;
