import { type RawBuilder, sql } from 'kysely';
import { publicApps } from '../catalog/catalog.queries.js';
import { nameSkeleton } from '../names/name.rules.js';
import { keySeparator, soughtNearKeys } from '../names/near-name.rules.js';

/** A part of a listing that is compared with the apps of other developers. */
interface Compared {
  /** Null for a listing that is not stored. */
  appId: string | null;
}

/** A public app of another developer with the same name, or with one that is almost the same. */
export interface AppWithName {
  /** Index of the listing. */
  listing: number;
  id: string;
  name: string;
  code: 'duplicate' | 'similar_name';
}

/** A public app of another developer that shows the same picture. */
export interface AppWithPicture {
  /** Index of the picture. */
  picture: number;
  id: string;
  name: string;
}

/** Bounds the names that are almost the same and are read. */
const maxNear = 100;
/** Bounds the copies of a picture that are read, oldest first: the original is among them. */
const maxCopies = 100;

/** The fields by which users recognise an app. Screenshots of two integrations with one product may well be the same. */
export const recognisedBy = ['logoUrl', 'bannerUrl'];

const idsOf = (compared: readonly Compared[]) => sql`${sql.val(compared.map(({ appId }) => appId))}::uuid[]`;
const texts = (values: readonly string[]) => sql`${sql.val(values)}::text[]`;

/**
 * Finds for each name a public app of another developer whose name is the same, looks the same or is almost the same, in
 * this order. Each comparison uses an index, and runs only if the one before found nothing. A public name without a skeleton
 * yet is compared by its lower-case letters. A name that the app has in public already was reviewed before, so it is not
 * compared with those that are almost the same. The developer is that of the app, or the given one.
 */
export function namesOfOthers(
  names: readonly (Compared & { name: string })[],
  developerId: string | null,
): RawBuilder<AppWithName> {
  const others = sql`${publicApps} and a.developer_id <> coalesce(own.developer_id, ${developerId}::uuid)`;
  return sql`
    select (mine.place - 1)::int as listing, other.id, other.name, other.code
    from unnest(${idsOf(names)}, ${texts(names.map(({ name }) => name))},
      ${texts(names.map(({ name }) => nameSkeleton(name)))},
      ${texts(names.map(({ name }) => soughtNearKeys(name).join(keySeparator)))})
      with ordinality mine (app_id, name, skeleton, near, place)
    left join apps own on own.id = mine.app_id
    cross join lateral (
      (select a.id, a.name, 'duplicate' as code ${others} and a.sort_name = lower(mine.name) limit 1)
      union all
      (select a.id, a.name, 'duplicate' ${others}
        and a.id in (select n.app_id from app_names n where n.skeleton = nullif(mine.skeleton, '')) limit 1)
      union all
      (select a.id, a.name, 'similar_name' ${others}
        and a.id in (select n.app_id from app_names n
          where (own.listed is not true or own.name <> mine.name)
            and n.near && string_to_array(mine.near, ${sql.lit(keySeparator)}) and n.skeleton is not null
          limit ${sql.lit(maxNear)}) limit 1)
      limit 1) other`;
}

/**
 * Finds for each picture a public app of another developer that shows it. A picture that the public app itself shows
 * already was reviewed before, and is left out. The developer is that of the app, or the given one.
 */
export const picturesOfOthers = (
  pictures: readonly (Compared & { field: string; url: string; sha256: string })[],
  developerId: string | null,
) => sql<AppWithPicture>`
  select (mine.place - 1)::int as picture, other.id, other.name
  from unnest(${idsOf(pictures)}, ${texts(pictures.map(({ field }) => field))},
    ${texts(pictures.map(({ url }) => url))}, ${texts(pictures.map(({ sha256 }) => sha256))})
    with ordinality mine (app_id, field, url, sha256, place)
  left join apps own on own.id = mine.app_id
  cross join lateral (
    select a.id, a.name ${publicApps}
      and a.developer_id <> coalesce(own.developer_id, ${developerId}::uuid)
      and a.id in (
        select k.app_id from (
          select k.app_id, k.url from asset_checks k
          where k.sha256 = mine.sha256 and k.field = mine.field and k.field in ('logoUrl', 'bannerUrl')
          order by k.checked_at limit ${sql.lit(maxCopies)}) k
        where k.url = case mine.field when 'logoUrl' then a.logo_url else a.banner_url end)
    order by a.approved_at limit 1) other
  where own.listed is not true
    or mine.url is distinct from case mine.field when 'logoUrl' then own.logo_url else own.banner_url end
  order by mine.place`;
