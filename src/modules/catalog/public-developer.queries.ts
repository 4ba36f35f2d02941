import { iso } from '../../db/iso-time.js';
import type { Statement } from '../../db/reader.js';
import { columnsOf } from '../../operations/columns.js';
import { joined, orderBy, publicColumns } from './catalog.queries.js';
import { PublicDeveloper } from './catalog.types.js';
import { StatementBuilder, sortKeys } from './statement-builder.queries.js';

const developerColumns = columnsOf(PublicDeveloper, 'd');

/** Reads those of the developers who have a public app. A suspended developer has none. */
export const publicDevelopers = (ids: readonly string[]): Statement => ({
  name: 'public developers',
  text: `
    select ${developerColumns} from developers d
    where d.id = any($1::uuid[]) and exists (select from apps a where a.developer_id = d.id and a.listed)`,
  values: [ids],
});

/** Reads the rest of the public profile of developers, with figures about their public apps. */
export const publicProfiles = (ids: readonly string[]): Statement => ({
  name: 'public profiles',
  text: `
    select d.id, d.bio, d.status = 'VERIFIED' as verified, ${iso('d.created_at')} as "memberSince", own.*
    from developers d cross join lateral (
      select count(*)::integer as "appCount", coalesce(sum(f.install_count), 0)::integer as "installCount",
        coalesce(sum(a.review_count), 0)::integer as "reviewCount",
        coalesce(round(sum(a.rating_sum)::numeric / nullif(sum(a.review_count), 0), 2), 0)::float8 as "averageRating"
      from apps a join app_figures f on f.id = a.id where a.developer_id = d.id and a.listed) own
    where d.id = any($1::uuid[])`,
  values: [ids],
});

/** Counts the public apps of each developer by category and environment. */
export const countsOfDevelopers = (ids: readonly string[]): Statement => ({
  name: 'counts of developers',
  text: `
    select a.developer_id as developer, a.category, a.environment, count(*)::integer as count from apps a
    where a.listed and a.developer_id = any($1::uuid[]) group by 1, 2, 3`,
  values: [ids],
});

/** Reads the first public apps of each developer, or those after a position; most installed first. */
export function appsOfDevelopers(
  ids: readonly string[],
  limit: number,
  position: readonly unknown[] | null,
): Statement {
  const builder = new StatementBuilder();
  const keys = sortKeys('popular', null);
  const developers = builder.bind(ids, 'uuid[]');
  const limitParam = builder.bind(limit, 'bigint');
  const after = position ? ` and (${builder.conditionsAfter(keys, position, 'f').join(' or ')})` : '';
  return builder.build(
    'public apps of developers',
    `select ${publicColumns}, a.sort_name as "sortName"
    from unnest(${developers}) owner (id)
    cross join lateral (
      select f.id from apps own join app_figures f on f.id = own.id
      where own.listed and own.developer_id = owner.id${after}
      order by ${orderBy(keys, 'f')} limit ${limitParam}) p
    join apps a on a.id = p.id ${joined}
    order by ${orderBy(keys, 'f')}`,
  );
}
