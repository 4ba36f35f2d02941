import { sql } from 'kysely';
import type { Statement } from '../../db/reader.js';
import type { Environment } from '../apps/app.entity.js';
import { type Filter, type Key, keysOf, Text, type Window } from './catalog.statement.js';
import type { AppSort } from './catalog.types.js';

/** Approved apps of developers who are not suspended, for statements that are not of this module: all that is ever public. */
export const publicApps = sql`
  from apps a join developers d on d.id = a.developer_id
  where a.listed`;

/** A time as both doors write it, straight from the database. */
const iso = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The public form of an app, under the names that both doors publish. */
const publicColumns = `
  a.id, a.slug, a.name, a.description, a.long_description as "longDescription", a.category, a.environment,
  a.logo_url as "logoUrl", a.banner_url as "bannerUrl", a.website_url as "websiteUrl", a.screenshots, a.status,
  a.featured, f.install_count as "installCount", a.review_count as "reviewCount",
  a.average_rating as "averageRating", ${iso('a.approved_at')} as "approvedAt", ${iso('a.created_at')} as "createdAt",
  ${iso('a.updated_at')} as "updatedAt",
  json_build_object('name', d.name, 'companyName', d.company_name, 'websiteUrl', d.website_url) as developer`;

/** The whole rows of a page, of which another statement found the ids and the keys, in its order. */
export function wideRows(
  page: string,
  keys: readonly Key[],
  limit: string,
  { further = '', beside = '' } = {},
): string {
  const join = beside ? 'left join' : 'join';
  return `
  select ${publicColumns}, a.sort_name as "sortName"${further}
  from ${appsOfPage(page, beside)} ${join} app_figures f on f.id = p.id ${join} developers d on d.id = a.developer_id
  order by ${orderBy(keys, 'p')} limit ${limit}`;
}

/** The apps of a page. Beside one row of something else, that row is there even where the page is empty. */
export const appsOfPage = (page: string, beside: string): string =>
  beside
    ? `${beside} left join (${page}) p on true left join apps a on a.id = p.id`
    : `(${page}) p join apps a on a.id = p.id`;

/** Where an order's columns stand, with the index for it: what installs change is kept apart from the wide rows. */
export const tableOf = (keys: readonly Key[]) =>
  keys.some(({ column }) => column === 'install_count') ? 'app_figures' : 'apps';

/** The most rows that a page reads: one more than it may show. */
export const mostRows = 101;

export const orderBy = (keys: readonly Key[], table: string) =>
  keys.map(({ column, descending }) => `${table}.${column}${descending ? ' desc' : ''}`).join(', ');

export const columnsOf = (keys: readonly Key[], table: string) =>
  keys.map(({ column }) => `${table}.${column}`).join(', ');

/** A page of the catalog, with the number of all that match. The ids come from an index alone, however deep the page. */
export function pageOfApps(filter: Filter, sort: AppSort, { limit, offset, place }: Window): Statement {
  const text = new Text();
  const keys = keysOf(sort, null);
  const filters = text.filters(filter, 'a');
  const skipped = text.bind(offset, 'bigint');
  const page = place
    ? `${rowsAfter(text, filters, keys, place, text.bind(limit + offset, 'bigint'))} offset ${skipped}`
    : `select ${columnsOf(keys, 'a')} from ${tableOf(keys)} a where a.listed${filters}
      order by ${orderBy(keys, 'a')} limit ${mostRows} offset ${skipped}`;
  const total = `, (select coalesce(sum(c.apps), 0)::integer from app_counts c where true${text.filters(filter, 'c')}) as total`;
  const name = `page ${sort}${place ? ' after' : ''}`;
  return text.as(name, wideRows(page, keys, text.bind(limit, 'bigint'), { further: total }));
}

/** The keys of every so manyth app of a list, in its order and lossless: one walk along an index. */
export function signposts(filter: Filter, sort: AppSort, every: number): Statement {
  const text = new Text();
  const keys = keysOf(sort, null);
  const filters = text.filters(filter, 'a');
  const place = keys.map(({ column }) => `r.${column}::text`).join(', ');
  return text.as(
    `signposts ${sort}`,
    `select array[${place}] as place from (
      select ${columnsOf(keys, 'a')}, row_number() over (order by ${orderBy(keys, 'a')}) as number
      from ${tableOf(keys)} a where a.listed${filters}) r
    where r.number % ${text.bind(every, 'bigint')} = 0 order by r.number`,
  );
}

/** The first of those that come after a place. Each way to come after it is a range of the index. */
function rowsAfter(
  text: Text,
  filters: string,
  keys: readonly Key[],
  place: readonly unknown[] | null,
  most: string,
): string {
  const ranges = (place ? text.after(keys, place, 'a') : ['true']).map(
    (after) => `
      (select ${columnsOf(keys, 'a')} from ${tableOf(keys)} a where a.listed${filters} and ${after}
      order by ${orderBy(keys, 'a')} limit ${most})`,
  );
  return `
    select ${columnsOf(keys, 'r')} from (${ranges.join(' union all ')}) r
    order by ${orderBy(keys, 'r')} limit ${mostRows}`;
}

/** The apps after a place in the order. */
export function appsAfter(
  filter: Filter,
  sort: AppSort,
  limit: number,
  place: readonly unknown[] | null,
): Statement {
  const text = new Text();
  const keys = keysOf(sort, null);
  const filters = text.filters(filter, 'a');
  const most = text.bind(limit, 'bigint');
  const page = rowsAfter(text, filters, keys, place, most);
  return text.as(`${place ? 'after' : 'first'} ${sort}`, wideRows(page, keys, most));
}

export function featuredApps(environment: Environment | null | undefined, limit: number): Statement {
  const text = new Text();
  const keys = keysOf('popular', null);
  const filters = text.filters({ environment }, 'a');
  const page = `
    select ${columnsOf(keys, 'a')} from ${tableOf(keys)} a where a.listed and a.featured${filters}
    order by ${orderBy(keys, 'a')} limit ${mostRows}`;
  return text.as('featured', wideRows(page, keys, text.bind(limit, 'bigint')));
}

export const appBySlug = (slug: string): Statement => ({
  name: 'app',
  text: `select ${publicColumns} from apps a join app_figures f on f.id = a.id
    join developers d on d.id = a.developer_id where a.listed and a.slug = $1`,
  values: [slug],
});

/** How many apps there are of each kind; kept by the database with every change. */
export function countsOfApps(filter: Filter): Statement {
  const text = new Text();
  return text.as(
    'counts',
    `select c.category, c.environment, sum(c.apps)::integer as count from app_counts c
    where true${text.filters(filter, 'c')} group by 1, 2`,
  );
}
