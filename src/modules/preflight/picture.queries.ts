import { sql } from 'kysely';
import type { PictureState, ReviewedPicture } from './picture.rules.js';

/** Time after which other workers take the apps of a worker that has ended. */
const taken = sql`now() + interval '1 hour'`;

/**
 * Takes public apps whose pictures are due. A run takes at most one part of all apps: with `runs` parts each app is reached.
 * Several workers can do so at once: each app is taken by one of them.
 */
export const takeDueApps = (days: number, runs: number) => sql<{ id: string }>`
  insert into picture_checks as c (app_id, due_at)
  select a.id, ${taken} from apps a left join picture_checks p on p.app_id = a.id
  where a.listed and coalesce(p.due_at, a.approved_at + ${days} * interval '1 day') <= now()
  order by coalesce(p.due_at, a.approved_at), a.id
  limit (select ceil(coalesce(sum(apps), 0) / ${runs}::numeric) from app_counts)
  on conflict (app_id) do update set due_at = excluded.due_at where c.due_at <= now()
  returning app_id as id`;

/**
 * Takes public apps of which no picture was ever checked, the oldest first. They are not due later but now, because copies
 * of their pictures are not found until then (D422).
 */
export const takeUncheckedApps = (limit: number) => sql<{ id: string }>`
  insert into picture_checks (app_id, due_at)
  select a.id, ${taken} from apps a
  where a.listed and not exists (select from picture_checks p where p.app_id = a.id)
    and not exists (select from asset_checks k where k.app_id = a.id)
  order by a.approved_at, a.id limit ${limit}
  on conflict (app_id) do nothing
  returning app_id as id`;

/** Reads how pictures of an app were reviewed: the last check of each URL for the app, or for a version that was approved. */
export const reviewedPictures = (appId: string, urls: readonly string[]) => sql<ReviewedPicture>`
  select distinct on (k.url) k.url, k.sha256, k.host, k.width, k.height from asset_checks k
  where k.app_id = ${appId} and k.url = any(${sql.val(urls)}::text[]) and k.sha256 is not null
    and (k.listing_id = k.app_id
      or exists (select from app_versions v where v.id = k.listing_id and v.status = 'APPROVED'))
  order by k.url, k.checked_at desc`;

/** Reads the pictures of apps as they were fetched last. */
export const pictureStates = (appIds: readonly string[]) => sql<{ id: string; pictures: PictureState[] }>`
  select app_id as id, pictures from picture_checks where app_id = any(${sql.val(appIds)}::uuid[])`;

/** Stores the pictures of an app as they were fetched, and when to fetch them again. */
export const storePictures = (appId: string, pictures: readonly PictureState[], days: number) => sql`
  update picture_checks set pictures = ${JSON.stringify(pictures)}::jsonb,
    due_at = now() + ${days} * interval '1 day' where app_id = ${appId}`;
