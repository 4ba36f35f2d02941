import { sql } from 'kysely';
import { publicApps } from '../catalog/catalog.queries.js';

/** A listing, and what its name looks like. */
export interface NamedListing {
  id: string;
  skeleton: string;
}

const idsOf = (listings: readonly NamedListing[]) => sql`${sql.val(listings.map(({ id }) => id))}::uuid[]`;

/**
 * Which of these apps and versions have a name that looks like that of another developer's public app, and what that
 * one is called. A public name that has no skeleton yet is found by its letters. Both ways lead through an index.
 */
export const listingsWithNamesOfOthers = (listings: readonly NamedListing[]) => sql<{
  id: string;
  name: string;
}>`
  select mine.id, other.name
  from (
    select id, name, developer_id from apps where id = any(${idsOf(listings)})
    union all
    select version.id, version.name, app.developer_id
    from app_versions version join apps app on app.id = version.app_id
    where version.id = any(${idsOf(listings)})) mine
  join unnest(${idsOf(listings)}, ${sql.val(listings.map(({ skeleton }) => skeleton))}::text[])
    given (id, skeleton) on given.id = mine.id
  cross join lateral (
    (select a.name ${publicApps} and a.sort_name = lower(mine.name) and a.developer_id <> mine.developer_id limit 1)
    union all
    (select a.name ${publicApps} and a.developer_id <> mine.developer_id
      and a.id in (select n.app_id from app_names n where n.skeleton = nullif(given.skeleton, '')) limit 1)
    limit 1) other`;
