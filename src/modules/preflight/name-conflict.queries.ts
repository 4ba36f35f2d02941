import { type RawBuilder, sql } from 'kysely';
import { publicApps } from '../catalog/catalog.queries.js';
import { nameSkeleton } from '../names/name.rules.js';
import { keySeparator, soughtNearKeys } from '../names/near-name.rules.js';

type Sql = RawBuilder<unknown>;

/** A listing with its name. */
export interface NamedListing {
  id: string;
  name: string;
}

/** A public app of another developer with the same name, or with one that is almost the same. */
export interface AppWithName {
  id: string;
  name: string;
  code: 'duplicate' | 'similar_name';
}

interface ComparedName {
  name: Sql;
  skeleton: Sql;
  /** The keys of names that are almost the same, as one text. */
  near: Sql;
  developerId: Sql;
}

/** Bounds the names that are almost the same and are read. */
const maxNear = 100;

/**
 * Selects a public app of another developer whose name is the same, looks the same or is almost the same, in this order.
 * Each comparison uses an index, and runs only if the one before found nothing.
 */
const otherWithName = ({ name, skeleton, near, developerId }: ComparedName) => sql`
    (select a.id, a.name, 'duplicate' as code ${publicApps} and a.sort_name = lower(${name}) and a.developer_id <> ${developerId} limit 1)
    union all
    (select a.id, a.name, 'duplicate' ${publicApps} and a.developer_id <> ${developerId}
      and a.id in (select n.app_id from app_names n where n.skeleton = nullif(${skeleton}, '')) limit 1)
    union all
    (select a.id, a.name, 'similar_name' ${publicApps} and a.developer_id <> ${developerId}
      and a.id in (select n.app_id from app_names n where n.near && string_to_array(${near}, ${sql.lit(keySeparator)})
        and n.skeleton is not null limit ${sql.lit(maxNear)}) limit 1)
    limit 1`;

const nearKeysOf = (name: string) => soughtNearKeys(name).join(keySeparator);

/** Finds the public app of another developer that has this name, or one that is taken for it. */
export const otherAppWithName = (developerId: string, name: string) =>
  sql<AppWithName>`${otherWithName({
    name: sql`${name}::text`,
    skeleton: sql`${nameSkeleton(name)}::text`,
    near: sql`${nearKeysOf(name)}::text`,
    developerId: sql`${developerId}::uuid`,
  })}`;

const idsOf = (listings: readonly NamedListing[]) => sql`${sql.val(listings.map(({ id }) => id))}::uuid[]`;

/**
 * Finds the listings whose name looks like the name of another developer's public app, or is almost the same, with that
 * name. A public name without a skeleton yet is compared by its lower-case letters. A name that the app has in public
 * already was reviewed before, so it is not compared with those that are almost the same.
 */
export const listingsWithNamesOfOthers = (listings: readonly NamedListing[]) => sql<{
  listingId: string;
  id: string;
  name: string;
  code: AppWithName['code'];
}>`
  select mine.id as "listingId", other.id, other.name, other.code
  from (
    select id, name, developer_id, not listed as is_new from apps where id = any(${idsOf(listings)})
    union all
    select version.id, version.name, app.developer_id, not app.listed or version.name <> app.name
    from app_versions version join apps app on app.id = version.app_id
    where version.id = any(${idsOf(listings)})) mine
  join unnest(${idsOf(listings)}, ${sql.val(listings.map(({ name }) => nameSkeleton(name)))}::text[],
    ${sql.val(listings.map(({ name }) => nearKeysOf(name)))}::text[]) given (id, skeleton, near) on given.id = mine.id
  cross join lateral (${otherWithName({
    name: sql`mine.name`,
    skeleton: sql`given.skeleton`,
    near: sql`case when mine.is_new then given.near end`,
    developerId: sql`mine.developer_id`,
  })}) other`;
