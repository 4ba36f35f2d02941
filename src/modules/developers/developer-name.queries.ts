import { sql } from 'kysely';
import { skeletonRule } from '../names/name.rules.js';

/** Number of look-alikes that are shown of one developer. */
const maxLookalikes = 20;

/**
 * Finds which of the given names look like the name or company of another verified developer, suspended ones included.
 * Names whose skeleton was not computed yet, as after a migration, are compared by their letters.
 */
export const namesOfOtherDevelopers = (
  developerId: string,
  names: readonly { field: string; name: string; skeleton: string }[],
) => sql<{ field: string }>`
  select given.field
  from unnest(${sql.val(names.map(({ field }) => field))}::text[], ${sql.val(names.map(({ name }) => name))}::text[],
    ${sql.val(names.map(({ skeleton }) => skeleton))}::text[]) given (field, name, skeleton)
  where exists (
    select from developer_names n join developers d on d.id = n.developer_id
    where n.skeleton = nullif(given.skeleton, '') and n.developer_id <> ${developerId} and d.verified_at is not null)
  or exists (
    select from developer_names n join developers d on d.id = n.developer_id
    where n.rule < ${sql.lit(skeletonRule)} and lower(n.name) = lower(given.name)
      and n.developer_id <> ${developerId} and d.verified_at is not null)`;

/** Finds the developers whose name or company looks like that of each given one: verified ones first, then the oldest. */
export const lookalikesOf = (developerIds: readonly string[]) => sql<{ id: string; otherId: string }>`
  select given.id, found.id as "otherId"
  from unnest(${sql.val([...developerIds])}::uuid[]) given (id)
  cross join lateral (
    select d.id
    from developer_names mine
    join developer_names other on other.skeleton = nullif(mine.skeleton, '') and other.developer_id <> mine.developer_id
    join developers d on d.id = other.developer_id
    where mine.developer_id = given.id
    group by d.id
    order by d.verified_at is null, d.created_at, d.id limit ${sql.lit(maxLookalikes)}) found`;

/** Returns a row if the public sees the developer's name, because one of their apps is public. */
export const publicAppOf = (developerId: string) => sql`
  select from apps where developer_id = ${developerId} and listed limit 1`;
