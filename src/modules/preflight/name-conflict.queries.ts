import { type RawBuilder, sql } from 'kysely';
import { publicApps } from '../catalog/catalog.queries.js';
import { nameSkeleton } from '../names/name.rules.js';

type Sql = RawBuilder<unknown>;

/** A listing with the skeleton of its name. */
export interface NamedListing {
  id: string;
  skeleton: string;
}

/** Selects a public app of another developer whose name is the same or looks the same. Both comparisons use an index. */
const otherWithName = (name: Sql, skeleton: Sql, developerId: Sql) => sql`
    (select a.id, a.name ${publicApps} and a.sort_name = lower(${name}) and a.developer_id <> ${developerId} limit 1)
    union all
    (select a.id, a.name ${publicApps} and a.developer_id <> ${developerId}
      and a.id in (select n.app_id from app_names n where n.skeleton = nullif(${skeleton}, '')) limit 1)
    limit 1`;

/** Finds the public app of another developer that has this name, or one that looks the same. */
export const otherAppWithName = (developerId: string, name: string) =>
  sql<{
    id: string;
    name: string;
  }>`${otherWithName(sql`${name}::text`, sql`${nameSkeleton(name)}::text`, sql`${developerId}::uuid`)}`;

const idsOf = (listings: readonly NamedListing[]) => sql`${sql.val(listings.map(({ id }) => id))}::uuid[]`;

/**
 * Finds the listings whose name looks like the name of another developer's public app, with that name. A public name
 * without a skeleton yet is compared by its lower-case letters.
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
  cross join lateral (${otherWithName(sql`mine.name`, sql`given.skeleton`, sql`mine.developer_id`)}) other`;
