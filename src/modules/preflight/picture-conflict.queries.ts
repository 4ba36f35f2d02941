import { sql } from 'kysely';
import { publicApps } from '../catalog/catalog.queries.js';

/** A picture of a listing, by the hash of its content. */
export interface HashedPicture {
  field: string;
  url: string;
  sha256: string;
  /** Null for a listing that is not stored. */
  appId: string | null;
}

/** A public app of another developer that shows the same picture. */
export interface PictureOfOther {
  appId: string | null;
  field: string;
  sha256: string;
  otherId: string;
  name: string;
}

/** The fields by which users recognise an app. Screenshots of two integrations with one product may well be the same. */
export const recognisedBy = ['logoUrl', 'bannerUrl'];

/** Bounds the copies of a picture that are read, oldest first: the original is among them. */
const maxCopies = 100;

/**
 * Finds for each picture a public app of another developer that shows it. A picture that the public app itself shows
 * already was reviewed before, and is left out. The developer is that of the app, or the given one.
 */
export const picturesOfOthers = (
  pictures: readonly HashedPicture[],
  developerId: string | null,
) => sql<PictureOfOther>`
  select mine.app_id as "appId", mine.field, mine.sha256, other.id as "otherId", other.name
  from unnest(${sql.val(pictures.map(({ appId }) => appId))}::uuid[], ${sql.val(pictures.map(({ field }) => field))}::text[],
    ${sql.val(pictures.map(({ url }) => url))}::text[], ${sql.val(pictures.map(({ sha256 }) => sha256))}::text[])
    mine (app_id, field, url, sha256)
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
    or mine.url is distinct from case mine.field when 'logoUrl' then own.logo_url else own.banner_url end`;
