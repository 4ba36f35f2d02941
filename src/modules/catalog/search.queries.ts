import type { Statement } from '../../db/reader.js';
import { columnList, cursorColumn, fullRows, orderBy, sortTable } from './catalog.queries.js';
import type { AppSort } from './catalog.types.js';
import type { Combination } from './catalog-counts.rules.js';
import type { ListPosition } from './cursor.rules.js';
import {
  collectHits,
  enoughHits,
  filterTerms,
  type HitKind,
  isHit,
  isTextHit,
  type SearchFilter,
  type SearchParameters,
  searchParameters,
  searchWindow,
  tiers,
} from './search-hits.queries.js';
import { type PageWindow, type SortKey, StatementBuilder, sortKeys } from './statement-builder.queries.js';

const allKinds = Object.keys(tiers) as HitKind[];
const nameKinds = allKinds.filter((kind) => kind !== 'words');
/** A kind with more hits than this is sorted by installs alone: ranking them would take too long. */
const maxRanked = 5_000;
/** Relevance = tier × this + score: an integer, so that a cursor stores it exactly. */
const tierSize = 10_000_000;

/** Text matches are ranked by the weights of their words, similar names by their similarity. Installs raise both. */
const wordRank = 'ts_rank(g.headline, (select words from q))';
const similarity = 'similarity(g.name, (select name from q)) ^ 3';
const score = (rank: string) =>
  `least(${tierSize - 1}, 1000000 * (1 + ln(1 + g.install_count) / 10) * ${rank})::integer`;

/**
 * The number of hits of a kind up to which they are collected and sorted. With more hits, the index of the sort order is
 * walked until the page is full. Collecting h of N apps takes about 3 µs for each hit; a walk to the n-th hit tests
 * n × N / h apps for about 12 µs each. Both take the same time at h = √(4 × n × N). N is the planner's estimate, because it
 * affects only the speed; it is -1 before the first analysis.
 */
const collectedHits = (needed: string, least: number) => `
  most as materialized (
    select greatest(${least}, sqrt(4 * ${needed}::float8 * greatest(c.reltuples, 0)))::bigint as hits
    from pg_class c where c.oid = 'app_search'::regclass)`;

/** The hits that a page shows, and their order. */
interface HitOrder {
  keys: readonly SortKey[];
  kinds: readonly HitKind[];
  /** Ranks the hits of a kind within its tier; null where only the number of installs counts. */
  rank(kind: HitKind): string | null;
}

const searchOrder = (sort: AppSort): HitOrder => ({
  keys: sortKeys(sort, 'search'),
  kinds: allKinds,
  rank: (kind) => (kind === 'similar' ? similarity : wordRank),
});

const suggestionOrder: HitOrder = {
  keys: sortKeys('relevance', 'search'),
  kinds: nameKinds,
  rank: (kind) => (kind === 'similar' ? similarity : null),
};

interface PageOfHits {
  /** The number of hits from the start of the list to the end of the page. */
  needed: string;
  /** The number of hits that a walk has to find. */
  rows: string;
  /** `where` with the condition that a row `r` comes after a cursor. */
  after?: string;
  enough?: string;
}

/** Collects the hits in tables, and selects the sort keys of those that may be on a page. */
function findHits(
  parameters: SearchParameters,
  { keys, kinds, rank }: HitOrder,
  { needed, rows, after = '', enough = String(enoughHits) }: PageOfHits,
) {
  const columns = keys.filter(({ column }) => column !== 'relevance');
  const isByRelevance = columns.length < keys.length;
  const table = sortTable(keys);
  const relevance = (kind: HitKind, ranking: string | null) =>
    ranking
      ? `${tierStart(kind)} + case when (select ${kind}_number <= ${maxRanked} from size) then ${score(ranking)} else 0 end`
      : tierStart(kind);
  const collected = (kind: HitKind) => {
    const ranking = isByRelevance ? rank(kind) : null;
    const gate = kind === 'similar' ? '' : `where (select ${kind}_number <= hits from size, most)`;
    return `
    select ${columnList(columns, 'g')}, ${relevance(kind, ranking)} as relevance from (
      select ${columnList(columns, 'a')}${ranking ? ', h.name, h.headline' : ''}
      from ${kind}_hits h join ${table} a on a.id = h.app_id ${gate}
      order by ${orderBy(columns, 'a')} limit ${searchWindow}) g`;
  };
  const walked = (kind: HitKind) => `
    (select * from (
      select ${columnList(columns, 'a')}, ${tierStart(kind)} as relevance from ${table} a
      where a.listed and (select ${kind}_number > hits from size, most)
        and (select ${isHit(kind, parameters)} from app_search s where s.app_id = a.id)) r
    ${after} order by ${orderBy(columns, 'r')} limit ${rows})`;
  const branches = [...kinds.map(collected), ...kinds.filter((kind) => kind !== 'similar').map(walked)];
  return {
    tables: `with ${collectedHits(needed, isByRelevance ? maxRanked : searchWindow)},${collectHits(
      parameters,
      kinds,
      {
        columns: isByRelevance ? 's.app_id, s.name, s.headline' : 's.app_id',
        maxHits: '(select hits + 1 from most)',
        enough,
      },
    )}`,
    hits: `select * from (${branches.join(' union all ')}) r ${after} order by ${orderBy(keys, 'r')}`,
  };
}

const tierStart = (kind: HitKind) => tiers[kind] * tierSize;

const totalOfHits = `(select least(${searchWindow}, ${allKinds.map((kind) => `${kind}_number`).join(' + ')})::integer from size) as total`;

/** Reads a page of search results and their total, which ends at the window. */
export function searchPage(filter: SearchFilter, sort: AppSort, { limit, offset }: PageWindow): Statement {
  const builder = new StatementBuilder();
  const order = searchOrder(sort);
  const parameters = searchParameters(builder, filter);
  const needed = builder.bind(offset + limit, 'bigint');
  const limitParam = builder.bind(limit, 'bigint');
  const offsetParam = builder.bind(offset, 'bigint');
  return builder.buildOnce(`search ${sort}`, () => {
    const { tables, hits } = findHits(parameters, order, { needed, rows: needed });
    const page = `${hits} limit ${limitParam} offset ${offsetParam}`;
    return `${tables} ${fullRows(page, order.keys, limitParam, { extraColumns: `, ${totalOfHits}` })}`;
  });
}

/** Reads the search results after a position, with their total. */
export function searchAfter(
  filter: SearchFilter,
  sort: AppSort,
  limit: number,
  { keys: position, before }: ListPosition,
): Statement {
  const builder = new StatementBuilder();
  const order = searchOrder(sort);
  const parameters = searchParameters(builder, filter);
  const limitParam = builder.bind(limit, 'bigint');
  const needed = builder.bind(before + limit, 'bigint');
  const after = position ? `where (${builder.conditionsAfter(order.keys, position, 'r').join(' or ')})` : '';
  return builder.buildOnce(`search ${position ? 'after' : 'first'} ${sort}`, () => {
    const { tables, hits } = findHits(parameters, order, { needed, rows: limitParam, after });
    const extraColumns = `${cursorColumn(order.keys)}, ${totalOfHits}`;
    return `${tables} ${fullRows(`${hits} limit ${limitParam}`, order.keys, limitParam, { extraColumns })}`;
  });
}

/** Suggests apps whose name starts with the prefix, most installed first; if there are few, also apps with similar names. */
export function suggestions(prefix: string, limit: number): Statement {
  const builder = new StatementBuilder();
  const { keys } = suggestionOrder;
  const parameters = searchParameters(builder, { search: prefix });
  const limitParam = builder.bind(limit, 'bigint');
  return builder.buildOnce('suggest', () => {
    const enough = `least(${enoughHits}, ${limitParam})`;
    const { tables, hits } = findHits(parameters, suggestionOrder, {
      needed: limitParam,
      rows: limitParam,
      enough,
    });
    return `${tables} select a.name, a.slug from (${hits} limit ${limitParam}) p join apps a on a.id = p.id order by ${orderBy(keys, 'p')}`;
  });
}

/** Counts search results, up to the window. */
export function searchTotal(filter: SearchFilter): Statement {
  const builder = new StatementBuilder();
  const parameters = searchParameters(builder, filter);
  const options = { columns: 's.app_id', maxHits: String(searchWindow) };
  return builder.buildOnce(
    'search total',
    () => `with ${collectHits(parameters, allKinds, options)} select ${totalOfHits}`,
  );
}

/** The number of hits of a kind up to which they are collected and grouped. */
const maxGroupedHits = 20_000;

/**
 * Counts the search results for each combination of a category and an environment, in their order; each count ends at the
 * window. All of them are counted among the same collected hits. If there are more hits than that, a combination with
 * fewer than the window among them is counted by itself.
 */
export function searchCounts(filter: SearchFilter, combinations: readonly Combination[]): Statement {
  const builder = new StatementBuilder();
  const parameters = searchParameters(builder, filter);
  const collected = collectHits(parameters, allKinds, {
    columns: 's.app_id, s.category, s.environment',
    maxHits: String(maxGroupedHits + 1),
  });
  const all = allKinds.map((kind) => `select category, environment from ${kind}_hits`).join(' union all ');
  const isComplete = allKinds.map((kind) => `${kind}_number <= ${maxGroupedHits}`).join(' and ');
  const matches = (table: string) =>
    `(v.category is null or ${table}.category = v.category)
      and (v.environment is null or ${table}.environment = v.environment)`;
  const counted = `(
    select count(*) from (select from app_search s
      where ${matches('s')} and ${isTextHit(parameters, '((select filtered_words from q) && v.terms)')}
      limit ${searchWindow}) h)`;
  const combined = [
    builder.bind(
      combinations.map(({ category }) => category ?? null),
      'text[]',
    ),
    builder.bind(
      combinations.map(({ environment }) => environment ?? null),
      'text[]',
    ),
    builder.bind(combinations.map(filterTerms), 'tsquery[]'),
  ].join(', ');
  return builder.build(
    'search counts',
    `with ${collected},
  grouped as materialized (select category, environment, count(*) as apps from (${all}) h group by 1, 2)
  select (case when g.apps >= ${searchWindow} then ${searchWindow}
    when (select ${isComplete} from size) then g.apps else ${counted} end)::integer as count
  from unnest(${combined}) with ordinality v (category, environment, terms, place)
  cross join lateral (select coalesce(sum(p.apps), 0) as apps from grouped p where ${matches('p')}) g
  order by v.place`,
  );
}
