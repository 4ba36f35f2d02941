import { columnList, maxPageRows, orderBy, sortTable } from './catalog.queries.js';
import {
  fewHits,
  hitLimits,
  hitScore,
  isByRelevance,
  isPrefixMatch,
  isSimilar,
  isWordMatch,
  maxRanked,
  maxRelevance,
  minRelevance,
  rankedParts,
  rankedRelevance,
  relevance,
  type SearchVariant,
  tierSize,
} from './search-hits.queries.js';
import {
  type CatalogFilter,
  isByInstalls,
  type SortKey,
  type StatementBuilder,
} from './statement-builder.queries.js';

/**
 * The number of rows of a sort index that are read in about the time in which one hit is looked up in it. The index is
 * scanned for a page if that is expected to be faster, and at most this many rows for each hit.
 */
const scannedRowsPerHit = 8;

/** Splits a sort order into its table columns and the relevance, which is computed. */
export function orderOf(keys: readonly SortKey[]) {
  const plain = keys.filter(({ column }) => column !== 'relevance');
  return {
    byRelevance: isByRelevance(keys),
    byInstalls: isByInstalls(keys),
    table: sortTable(keys),
    columns: (relevant: string) => `${columnList(plain, 'a')}, ${relevant} as relevance`,
    orderBy: (table: string) => orderBy(plain, table),
  };
}
type Order = ReturnType<typeof orderOf>;

interface PageOfHits {
  variant: SearchVariant;
  /** Number of hits from the start of the list, or after the cursor, to the end of the page. */
  rowsNeeded: number;
  limit: string;
  offset: string;
  after?: string[];
  scoreSql?: string;
  /** The use of the hits of the `many` variant; default: all kinds of hits. */
  use?: 'scan' | 'scanNames';
  /** Limit as the planner sees it; default: the page's own, or that of the longest page. */
  maxRows?: string;
}

/** Hits that only the columns of the sort table order. */
interface UnrankedHits {
  ids: string;
  /** Column of `size` with their number. */
  number: string;
  /** Condition on `size` under which the index may be scanned. */
  condition: string;
  /** Their relevance. */
  level: string;
}

/** Selects the ids and sort keys of a page of hits. */
export function pageOfHits(
  builder: StatementBuilder,
  filter: CatalogFilter,
  keys: readonly SortKey[],
  { variant, rowsNeeded, limit, offset, after = [], scoreSql = hitScore, use = 'scan', maxRows }: PageOfHits,
): string {
  const afterSql = after.length > 0 ? ` where (${after.join(' or ')})` : '';
  const order = orderOf(keys);
  const branches: string[] = [];
  let tables = '';
  if (variant === 'many') {
    branches.push(`(select ${order.columns(order.byRelevance ? relevance(scoreSql) : '0')}
    from gathered g join ${order.table} a on a.id = g.app_id)`);
    branches.push(...indexScans(builder, filter, order, afterSql, rowsNeeded, hitLimits[use]));
  } else {
    const unranked = unrankedHits(order);
    // A page after a cursor may start anywhere in the order.
    const needed = afterSql ? null : builder.bind(rowsNeeded, 'bigint');
    const scan = needed && !order.byInstalls && scannedHits(builder, filter, order, unranked, needed);
    const ranked = `select ${rankedParts} from gathered g`;
    const found = [...(order.byRelevance ? rankedHits(ranked, needed) : []), ...(scan ? [scan] : [])];
    if (found.length > 0) tables = `with ${found.join(',')} `;
    if (order.byRelevance) branches.push(lookedUpHits(order, needed));
    branches.push(
      ...(scan
        ? sortedHits(order, unranked, needed)
        : [lookedUp(order, needed ? firstByLevel(unranked, needed) : unranked)]),
    );
  }
  // In the `few` variant the page is joined to the row of `size` and sorted again, so it must have no extra rows.
  const most = maxRows ?? (variant === 'few' ? limit : maxPageRows);
  return `${tables}select * from (${branches.join(' union all ')}) r${afterSql}
    order by ${orderBy(keys, 'r')} limit ${most} offset ${offset}`;
}

/**
 * The hits of the `few` variant that are ranked by their texts, with the columns of `rankedParts`. `lowest` is the least
 * relevance and level that the last hit of the page can have; it is empty if the hits do not fill the page.
 */
export const rankedHits = (hits: string, needed: string | null): string[] => [
  `
    ranked as materialized (${hits})`,
  ...(needed
    ? [
        `
    lowest as materialized (
      select ${minRelevance} from ranked g order by relevance desc, level desc limit 1 offset ${needed} - 1)`,
      ]
    : []),
];

/** Looks up the ranked hits, except those that would not be on the page with any number of installs of their level (D308). */
export const lookedUpHits = ({ table, columns }: Order, needed: string | null): string =>
  `select ${columns(rankedRelevance)} from ranked g join ${table} a on a.id = g.app_id${
    needed ? ` where ((${maxRelevance}) >= (select relevance, level from lowest)) is not false` : ''
  }`;

/** The hits of the `few` variant that the columns of the sort table order alone: all of them, or too many matches of words to rank. */
const unrankedHits = ({ byRelevance, byInstalls }: Order): UnrankedHits =>
  byRelevance
    ? {
        ids: `select h.app_id, h.install_level from by_words h where (select ${fewHits('rank')} and words > ${maxRanked} from size)`,
        number: 'words',
        condition: `${fewHits('rank')} and words > ${maxRanked}`,
        level: String(tierSize),
      }
    : {
        ids: `select h.app_id${byInstalls ? ', h.install_level' : ''} from gathered h`,
        number: 'words',
        condition: fewHits('sort'),
        level: '0',
      };

/**
 * Scans the index of the sort order for the first hits. If n of all N apps match, the page needs rowsNeeded × N / n rows
 * of it. The size of the catalog is the planner's estimate, because it decides only how long the statement takes.
 */
export function scannedHits(
  builder: StatementBuilder,
  filter: CatalogFilter,
  { table, columns, orderBy: order }: Order,
  { ids, number, condition, level }: UnrankedHits,
  needed: string,
): string {
  const rowsToScan = `(select case when ${condition} and ${scannedRowsPerHit} * ${number}::float8 ^ 2 >
      ${needed} * (select c.reltuples from pg_class c where c.oid = 'app_search'::regclass)
    then ${scannedRowsPerHit} * ${number} else 0 end from size)`;
  // `is true` prevents a join, which would read the whole index.
  return `
    scanned as materialized (
    select * from (select ${columns(level)} from ${table} a where a.listed${builder.filterConditions(filter, 'a')}
      order by ${order('a')} limit ${rowsToScan}) f
    where (f.id in (select i.app_id from (${ids}) i)) is true limit ${needed})`;
}

/** Selects the scanned hits if they fill the page, and otherwise looks up all hits. */
export function sortedHits(order: Order, hits: UnrankedHits, needed: string) {
  const isFull = `(select count(*) = ${needed} from scanned)`;
  return [`select * from scanned where ${isFull}`, `${lookedUp(order, hits)} where not ${isFull}`];
}

const lookedUp = ({ table, columns }: Order, { ids, level }: Pick<UnrankedHits, 'ids' | 'level'>): string =>
  `select ${columns(level)} from (${ids}) g join ${table} a on a.id = g.app_id`;

/** Selects the hits that may be on a page of the most installed: those of the level of its last hit, and above (D308). */
const firstByLevel = ({ ids, level }: UnrankedHits, needed: string) => ({
  ids: `select h.app_id from (${ids}) h where (h.install_level < (
      select l.install_level from (${ids}) l order by l.install_level desc nulls last limit 1 offset ${needed} - 1)) is not true`,
  level,
});

/** Scans the index of the sort order for each kind that has too many hits to collect, and stops when the page is full. */
function indexScans(
  builder: StatementBuilder,
  filter: CatalogFilter,
  { byRelevance, table, columns, orderBy: order }: Order,
  afterSql: string,
  rowsNeeded: number,
  limits: (typeof hitLimits)['scan'],
): string[] {
  const filterSql = builder.filterConditions(filter, 'a');
  const limitParam = builder.bind(rowsNeeded, 'bigint');
  const first = (select: string) =>
    `(select * from (${select}) r${afterSql} order by ${order('r')} limit ${limitParam})`;
  const indexScan = (level: number, gate: string, condition: string) =>
    first(`select ${columns(String(level * tierSize))} from ${table} a where a.listed${filterSql} and (select ${gate} from size)
      and (select ${condition} from app_search s where s.app_id = a.id)`);
  const exactName = `select ${columns(String(3 * tierSize))} from app_search s join ${table} a on a.id = s.app_id
    where (select names > ${limits.names} from size) and s.name = (select name from q)${filterSql}`;
  const beginning = byRelevance ? `${isPrefixMatch} and s.name <> (select name from q)` : isPrefixMatch;
  return [
    ...(byRelevance ? [first(exactName)] : []),
    indexScan(2, `names > ${limits.names}`, beginning),
    indexScan(1, `words > ${limits.words}`, isWordMatch),
    indexScan(0, `alike > ${limits.alike}`, isSimilar),
  ];
}
