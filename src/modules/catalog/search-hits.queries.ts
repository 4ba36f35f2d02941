import { columnList, maxPageRows, orderBy, sortTable } from './catalog.queries.js';
import type { CatalogFilter, SortKey, StatementBuilder } from './statement-builder.queries.js';

/** Filters of the catalog with a search text. */
export type SearchFilter = CatalogFilter & { search: string };

/**
 * The variant of a search statement. `few` collects all hits and ranks them, which suits nearly all searches. With more
 * hits than that, it returns only `isMany`, and the `many` variant is sent, which scans the index of the sort order until
 * the page is full. `few` leaves that part out, because preparing it would take a third of its time.
 */
export type SearchVariant = 'few' | 'many';
/** The fields that every row of a search has. With `isMany`, or without hits, there is one row whose id is null. */
export interface SearchRow {
  id: string | null;
  isMany?: boolean;
}
/** Maximum number of hits of each kind that are collected and ranked. */
const maxCollected = 5_000;
/** With fewer hits than this, apps with similar names are added. */
const enoughHits = 20;
/** Relevance = tier × this + score: an integer, so that a cursor stores it exactly. */
const tierSize = 10_000_000;

const isPrefixMatch = 's.name >= (select name from q) and s.name < (select name_end from q)';
/** Prefix matches are ranked first and excluded here. */
const isWordMatch = `s.document @@ (select words from q) and (${isPrefixMatch}) is not true`;
const isSimilar = `s.document @@ (select words from alike) and ts_filter(s.headline, '{a}') @@ (select words from alike)
  and (${isPrefixMatch}) is not true and not exists (select from by_words w where w.app_id = s.app_id)`;
export const hasFewHits = `(select names <= ${maxCollected} and words <= ${maxCollected} and alike <= ${maxCollected} from size)`;

/**
 * Ranks within a tier: text matches by the weights of their words, similar names by their similarity, and both raised by
 * the number of installs. The tiers are exact name (3), prefix of the name (2), words (1), similar name (0).
 */
export const hitScore = `least(${tierSize - 1}, 1000000 * (1 + ln(1 + a.install_count) / 10) *
  case when g.tier = 0 then similarity(g.name, (select name from q)) ^ 3 else ts_rank(g.headline, (select words from q)) end)::integer`;
const relevance = (scoreSql: string) =>
  `case when g.name = (select name from q) then 3 else g.tier end * ${tierSize} + ${scoreSql}`;

/** Collects the hits of each kind, without duplicates. If the search text contains no words, only names can match. */
export function collectHits(
  builder: StatementBuilder,
  { search, ...filter }: SearchFilter,
  { variant = 'many', namesAlone = false }: { variant?: SearchVariant; namesAlone?: boolean } = {},
): string {
  const searchParam = builder.bind(search, 'text');
  const filterSql = builder.filterConditions(filter, 's', 'app_id');
  const terms = filterTerms(filter);
  const termSql = [
    terms && ` and s.document @@ ${builder.bind(terms, 'tsquery')}`,
    // No index term names the developer.
    filter.developer && builder.filterConditions({ developer: filter.developer }, 's', 'app_id'),
  ]
    .filter(Boolean)
    .join('');
  const firstHits = (condition: string) => `
    select s.app_id, s.name, s.headline, s.category, s.environment from app_search s
    where ${condition} limit ${maxCollected + 1}`;
  const countUnfiltered = (condition: string) =>
    `(select count(*) from (select from app_search s where ${condition} limit ${enoughHits}) h)`;
  const gate = (kind: string) =>
    variant === 'few' ? hasFewHits : `(select ${kind} <= ${maxCollected} from size)`;
  return `with
    q as materialized (
      select f.name, f.name || chr(1114111) as name_end, case when numnode(f.words) > 0 then f.words end as words
      from (select nullif(fold_name(${searchParam}), '') as name,
        ${namesAlone ? 'null::tsquery' : `search_query(${searchParam})`} as words) f),
    by_name as materialized (${firstHits(`${isPrefixMatch}${filterSql}`)}),
    by_words as materialized (${firstHits(`${isWordMatch}${termSql}`)}),
    few as materialized (
      select case when (select count(*) from by_name) + (select count(*) from by_words) >= ${enoughHits} then false
        else ${filterSql ? `${countUnfiltered(isPrefixMatch)} + ${countUnfiltered(isWordMatch)} < ${enoughHits}` : 'true'} end as yes),
    alike as materialized (
      select case when numnode(f.words) > 0 then f.words end as words
      from (select alike_query(${searchParam}) as words where (select yes from few)) f),
    by_likeness as materialized (${firstHits(`(select yes from few) and ${isSimilar}${termSql}`)}),
    size as materialized (
      select (select count(*) from by_name) as names, (select count(*) from by_words) as words,
        (select count(*) from by_likeness) as alike),
    gathered as not materialized (
      select h.*, 2 as tier from by_name h where ${gate('names')}
      union all select h.*, 1 from by_words h where ${gate('words')}
      union all select h.*, 0 from by_likeness h where ${gate('alike')})`;
}

/** Returns the filters as index terms that no text contains, so that the full-text index applies them too. */
const filterTerms = ({ category, environment, featured }: CatalogFilter): string =>
  [category, environment, typeof featured === 'boolean' ? (featured ? 'featured' : 'plain') : null]
    .filter(Boolean)
    .map((term) => `'=${term}'`)
    .join(' & ');

/** Adds a table of all matches for counting, including kinds with too many hits to collect. */
export function allMatches(builder: StatementBuilder, filter: CatalogFilter): string {
  const filterSql = builder.filterConditions(filter, 's', 'app_id');
  const every = (gate: string, condition: string) => `
    select s.category, s.environment from app_search s
    where (select ${gate} > ${maxCollected} from size) and ${condition}${filterSql}`;
  return `,
    matched as (
      select g.category, g.environment from gathered g
      union all ${every('names', isPrefixMatch)}
      union all ${every('words', isWordMatch)}
      union all ${every('alike', isSimilar)})`;
}

export const collectedTotal = '(select names + words + alike from size)';
export const matchTotal = `(select case when ${hasFewHits} then ${collectedTotal} else (select count(*) from matched) end)`;

/** Splits a sort order into its table columns and the relevance, which is computed. */
function orderOf(keys: readonly SortKey[]) {
  const plain = keys.filter(({ column }) => column !== 'relevance');
  return {
    byRelevance: plain.length < keys.length,
    table: sortTable(keys),
    columns: (relevant: string) => `${columnList(plain, 'a')}, ${relevant} as relevance`,
    orderBy: orderBy(plain, 'r'),
  };
}

/** Selects the ids and sort keys of a page of hits. */
export function pageOfHits(
  builder: StatementBuilder,
  filter: CatalogFilter,
  keys: readonly SortKey[],
  { variant, rowsNeeded, limit, offset, after = [], scoreSql = hitScore }: PageOfHits,
): string {
  const afterSql = after.length > 0 ? ` where (${after.join(' or ')})` : '';
  const order = orderOf(keys);
  const ranked = `(select ${order.columns(order.byRelevance ? relevance(scoreSql) : '0')}
    from gathered g join ${order.table} a on a.id = g.app_id)`;
  // In the `few` variant the page is joined to the row of `size` and sorted again, so it must have no extra rows.
  const maxRows = variant === 'few' ? limit : maxPageRows;
  const branches =
    variant === 'few' ? [ranked] : [ranked, ...indexScans(builder, filter, order, afterSql, rowsNeeded)];
  return `select * from (${branches.join(' union all ')}) r${afterSql}
    order by ${orderBy(keys, 'r')} limit ${maxRows} offset ${offset}`;
}

/** Scans the index of the sort order for each kind that has too many hits to collect, and stops when the page is full. */
function indexScans(
  builder: StatementBuilder,
  filter: CatalogFilter,
  { byRelevance, table, columns, orderBy: order }: ReturnType<typeof orderOf>,
  afterSql: string,
  rowsNeeded: number,
): string[] {
  const filterSql = builder.filterConditions(filter, 'a');
  const limitParam = builder.bind(rowsNeeded, 'bigint');
  const first = (select: string) =>
    `(select * from (${select}) r${afterSql} order by ${order} limit ${limitParam})`;
  const indexScan = (level: number, gate: string, condition: string) =>
    first(`select ${columns(String(level * tierSize))} from ${table} a where a.listed${filterSql} and (select ${gate} from size)
      and (select ${condition} from app_search s where s.app_id = a.id)`);
  const exactName = `select ${columns(String(3 * tierSize))} from app_search s join ${table} a on a.id = s.app_id
    where (select names > ${maxCollected} from size) and s.name = (select name from q)${filterSql}`;
  const beginning = byRelevance ? `${isPrefixMatch} and s.name <> (select name from q)` : isPrefixMatch;
  return [
    ...(byRelevance ? [first(exactName)] : []),
    indexScan(2, `names > ${maxCollected}`, beginning),
    indexScan(1, `words > ${maxCollected}`, isWordMatch),
    indexScan(0, `alike > ${maxCollected}`, isSimilar),
  ];
}

interface PageOfHits {
  variant: SearchVariant;
  /** Number of hits from the start of the list, or after the cursor, to the end of the page. */
  rowsNeeded: number;
  limit: string;
  offset: string;
  after?: string[];
  scoreSql?: string;
}
