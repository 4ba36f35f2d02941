import { sql } from 'kysely';
import { publicApps } from '../catalog/catalog.queries.js';

/** A listing with the skeleton of its name. */
export interface NamedListing {
  id: string;
  skeleton: string;
}

const idsOf = (listings: readonly NamedListing[]) => sql`${sql.val(listings.map(({ id }) => id))}::uuid[]`;

/**
 * Finds the listings whose name looks like the name of another developer's public app, with that name. A public name
 * without a skeleton yet is compared by its lower-case letters. Both comparisons use an index.
 */
export const listingsWithNamesOfOthers = (listings: readonly NamedListing[]) => sql<{
  id: string;
  name: string;
  otherId: string;
}>`
  select mine.id, other.name, other.id as "otherId"
  from (
    select id, name, developer_id from apps where id = any(${idsOf(listings)})
    union all
    select version.id, version.name, app.developer_id
    from app_versions version join apps app on app.id = version.app_id
    where version.id = any(${idsOf(listings)})) mine
  join unnest(${idsOf(listings)}, ${sql.val(listings.map(({ skeleton }) => skeleton))}::text[])
    given (id, skeleton) on given.id = mine.id
  cross join lateral (
    (select a.id, a.name ${publicApps} and a.sort_name = lower(mine.name) and a.developer_id <> mine.developer_id limit 1)
    union all
    (select a.id, a.name ${publicApps} and a.developer_id <> mine.developer_id
      and a.id in (select n.app_id from app_names n where n.skeleton = nullif(given.skeleton, '')) limit 1)
    limit 1) other`;
