import { expect } from '@jest/globals';
import type { Service } from '../../support/service.js';

/** An app's figures, compared with a recount. */
export async function figuresOf(service: Pick<Service, 'sql'>, appId: string) {
  const [row] = await service.sql<
    Record<'kept' | 'recounted', { reviewCount: number; averageRating: number }>
  >(
    `select json_build_object('reviewCount', review_count, 'averageRating', average_rating, 'sum', rating_sum,
       'counts', rating_counts) as kept,
       (select json_build_object('reviewCount', count(*), 'averageRating', coalesce(round(avg(rating), 2), 0),
          'sum', coalesce(sum(rating), 0), 'counts', array(
            select count(r.id) from generate_series(1, 5) stars
            left join ratings r on r.app_id = a.id and r.hidden_at is null and r.rating = stars
            group by stars order by stars))
        from ratings where app_id = a.id and hidden_at is null) as recounted
     from apps a where id = $1`,
    [appId],
  );
  expect(row?.kept).toEqual(row?.recounted);
  const { reviewCount, averageRating } = row!.kept;
  return { reviewCount, averageRating };
}
