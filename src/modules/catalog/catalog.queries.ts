import { sql } from 'kysely';
import type { Statement } from '../../db/reader.js';
import { columnsOf, objectOf } from '../../operations/columns.js';
import type { Environment } from '../listings/app.entity.js';
import { type AppSort, detailFields, PublicApp, PublicDeveloper } from './catalog.types.js';
import {
  type CatalogFilter,
  isByInstalls,
  type PageWindow,
  type SortKey,
  StatementBuilder,
  sortKeys,
} from './statement-builder.queries.js';

/** The public apps, for statements of other modules: approved apps of developers who are not suspended. */
export const publicApps = sql`
  from apps a join developers d on d.id = a.developer_id
  where a.listed`;

/** The columns of public apps `a` of developers `d`, with their number of installs. */
const publicColumnsWith = (installCount: string, without?: readonly string[]) =>
  columnsOf(PublicApp, 'a', { installCount, developer: objectOf(PublicDeveloper, 'd') }, without);
export const publicColumns = publicColumnsWith('f.install_count');
/** Pages that are sorted by installs have read their number. */
const columnsOfPages = {
  popular: {
    whole: publicColumnsWith('p.install_count'),
    brief: publicColumnsWith('p.install_count', detailFields),
  },
  other: { whole: publicColumns, brief: publicColumnsWith('f.install_count', detailFields) },
};

/** Joins the tables of `publicColumns` to the apps. */
export const joined = 'join app_figures f on f.id = a.id join developers d on d.id = a.developer_id';

/**
 * Joins the apps to a page of ids and sort keys. Pages are found in narrow indexes first, so that skipped rows are never
 * read whole. With a table of one row `beside` it, the result has a row for an empty page too. Brief rows have no
 * `detailFields`.
 */
export function fullRows(
  page: string,
  keys: readonly SortKey[],
  { extraColumns = '', beside = '', isBrief = false } = {},
): string {
  const hasCount = isByInstalls(keys);
  const columns = columnsOfPages[hasCount ? 'popular' : 'other'][isBrief ? 'brief' : 'whole'];
  const join = beside ? 'left join' : 'join';
  return `
  select ${columns}${extraColumns}
  from ${beside ? `${beside} left join (${page}) p on true` : `(${page}) p`}
  ${join} apps a on a.id = p.id ${join} developers d on d.id = a.developer_id
  ${hasCount ? '' : `${join} app_figures f on f.id = p.id`}
  order by ${orderBy(keys, 'p')}`;
}

/** The column that a cursor needs and a public app does not have. */
export const cursorColumn = (keys: readonly SortKey[]) =>
  keys
    .filter(({ column }) => column === 'sort_name' || column === 'relevance')
    .map(({ column }) => `, p.${column} as "${column === 'sort_name' ? 'sortName' : column}"`)
    .join('');

/** Returns the table with the columns and the index of a sort order. Install counts change often, so they have a narrow table of their own. */
export const sortTable = (keys: readonly SortKey[]) => (isByInstalls(keys) ? 'app_figures' : 'apps');

/** The maximum number of rows that a page reads: one more than it can show, to detect a next page. */
export const maxPageRows = 101;

export const orderBy = (keys: readonly SortKey[], table: string) =>
  keys.map(({ column, descending }) => `${table}.${column}${descending ? ' desc' : ''}`).join(', ');

export const columnList = (keys: readonly SortKey[], table: string) =>
  keys.map(({ column }) => `${table}.${column}`).join(', ');

/** Reads a page of the catalog and the total number of matches. The ids are read from an index alone, at any offset. */
export function pageOfApps(
  filter: CatalogFilter,
  sort: AppSort,
  { limit, offset, after }: PageWindow,
  isBrief = false,
): Statement {
  const builder = new StatementBuilder();
  const keys = sortKeys(sort, null);
  const filters = builder.filterConditions(filter, 'a');
  const offsetParam = builder.bind(offset, 'bigint');
  const page = after
    ? `${rowsAfter(builder, filters, keys, after, builder.bind(limit + offset, 'bigint'))} offset ${offsetParam}`
    : `select ${columnList(keys, 'a')} from ${sortTable(keys)} a where a.listed${filters}
      order by ${orderBy(keys, 'a')} limit ${maxPageRows} offset ${offsetParam}`;
  const total = `, (select coalesce(sum(c.apps), 0)::integer from ${countsFor(builder, filter)}) as total`;
  return builder.build(
    'page',
    `${fullRows(page, keys, { extraColumns: total, isBrief })} limit ${builder.bind(limit, 'bigint')}`,
  );
}

/** Reads the sort keys of every n-th app of a list in one index scan; as text, which loses no precision. */
export function pageIndexKeys(filter: CatalogFilter, sort: AppSort, every: number): Statement {
  const builder = new StatementBuilder();
  const keys = sortKeys(sort, null);
  const filters = builder.filterConditions(filter, 'a');
  const position = keys.map(({ column }) => `r.${column}::text`).join(', ');
  return builder.build(
    'page index',
    `select array[${position}] as place from (
      select ${columnList(keys, 'a')}, row_number() over (order by ${orderBy(keys, 'a')}) as number
      from ${sortTable(keys)} a where a.listed${filters}) r
    where r.number % ${builder.bind(every, 'bigint')} = 0 order by r.number`,
  );
}

/** Selects the first rows after a position (keyset pagination). One subquery per condition, so that each reads a range of the index. */
function rowsAfter(
  builder: StatementBuilder,
  filters: string,
  keys: readonly SortKey[],
  position: readonly unknown[] | null,
  limit: string,
): string {
  const ranges = (position ? builder.conditionsAfter(keys, position, 'a') : ['true']).map(
    (condition) => `
      (select ${columnList(keys, 'a')} from ${sortTable(keys)} a where a.listed${filters} and ${condition}
      order by ${orderBy(keys, 'a')} limit ${limit})`,
  );
  return `
    select ${columnList(keys, 'r')} from (${ranges.join(' union all ')}) r
    order by ${orderBy(keys, 'r')} limit ${maxPageRows}`;
}

/** Reads the apps after a position in the sort order. */
export function appsAfter(
  filter: CatalogFilter,
  sort: AppSort,
  limit: number,
  position: readonly unknown[] | null,
  isBrief = false,
): Statement {
  const builder = new StatementBuilder();
  const keys = sortKeys(sort, null);
  const filters = builder.filterConditions(filter, 'a');
  const limitParam = builder.bind(limit, 'bigint');
  const page = rowsAfter(builder, filters, keys, position, limitParam);
  return builder.build(
    'apps after',
    `${fullRows(page, keys, { extraColumns: cursorColumn(keys), isBrief })} limit ${limitParam}`,
  );
}

export function featuredPage(
  environment: Environment | null | undefined,
  limit: number,
  isBrief = false,
): Statement {
  const builder = new StatementBuilder();
  const keys = sortKeys('popular', null);
  const filters = builder.filterConditions({ environment }, 'a');
  const page = `
    select ${columnList(keys, 'a')} from ${sortTable(keys)} a where a.listed and a.featured${filters}
    order by ${orderBy(keys, 'a')} limit ${maxPageRows}`;
  return builder.build(
    'featured',
    `${fullRows(page, keys, { isBrief })} limit ${builder.bind(limit, 'bigint')}`,
  );
}

export const appsBySlug = (slugs: readonly string[]): Statement => ({
  name: 'apps by slug',
  text: `select ${publicColumns}, a.slug as key from apps a ${joined} where a.slug = any($1::text[]) and a.listed`,
  values: [slugs],
});

/** Reads apps by their id in their public form, whether they are public (`listed`) or not. */
export const publicForms = (ids: readonly string[]): Statement => ({
  name: 'public forms',
  text: `select ${publicColumns}, a.listed from apps a ${joined} where a.id = any($1::uuid[])`,
  values: [ids],
});

/** Counts apps by category and environment, from a table that triggers keep up to date. */
export function countsOfApps(filter: CatalogFilter): Statement {
  const builder = new StatementBuilder();
  return builder.build(
    'counts',
    `select c.category, c.environment, sum(c.apps)::integer as count from ${countsFor(builder, filter)} group by 1, 2`,
  );
}

const countsFor = (builder: StatementBuilder, filter: CatalogFilter) =>
  `${builder.countsTable(filter)} where true${builder.filterConditions(filter, 'c', null)}`;
