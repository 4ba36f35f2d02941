import type { Statement } from '../../db/reader.js';
import { columnList, cursorColumn, fullRows, maxPageRows, orderBy, sortTable } from './catalog.queries.js';
import type { AppSort } from './catalog.types.js';
import { type ListPosition, startOfList } from './cursor.rules.js';
import {
  beginsWithText,
  type CommonTerm,
  enoughHits,
  isCommonText,
  isLongerName,
  type SearchFilter,
  type SearchTerms,
  searchedText,
  searchTerms,
  searchWindow,
  similarHits,
  textHits,
} from './search-hits.queries.js';
import {
  isInTier,
  maxRanked,
  type SearchOrder,
  score,
  searchOrder,
  similarity,
  suggestionOrder,
  tier,
} from './search-order.queries.js';
import { type SortKey, StatementBuilder } from './statement-builder.queries.js';

/**
 * The ways in which a search finds its page. `collected` collects all hits by the text index and sorts them: most searches need no more.
 * With too many hits, `walked` reads the index of the sort order until the page is full; with few hits, `similar` adds apps
 * with similar names.
 */
export type SearchWay = 'collected' | 'walked' | 'similar';

/** The part of the results that a page shows. */
export interface ResultPage {
  limit: number;
  /** Counted from the start of the list, or from `position`. */
  offset: number;
  position: ListPosition;
  isBrief?: boolean | undefined;
}

/** A row of a `collected` or `similar` page. A page has at least one row, with the number of hits and, if it is empty, no app. */
export interface HitNumber {
  /** Null if there are too many to collect. */
  hits: number | null;
}

/** So many hits are sorted in any catalog. */
const leastSorted = 200;

interface BoundPage {
  limit: string;
  offset: string;
  /** The number of hits to read for the page; those before a cursor are skipped by their sort keys. */
  needed: string;
  /** `where` with the condition that a row `r` comes after a cursor. */
  after: string;
}

/**
 * `hits` is the number of hits up to which they are collected, and `sorted` up to which their sort keys are looked up and
 * sorted. With more, the index of the sort order is walked to the n-th hit, which tests n × N / h of N apps: for 12 µs each
 * by the text, for 0.25 µs each by the collected hits. Collecting a hit takes about 1 µs, and looking it up 3 µs. The bounds
 * are about where two ways take the same time. N is the planner's estimate, because it affects only the speed; it is -1
 * before the first analysis.
 */
const bounds = (needed: string, leastCollected: number) => `
  most as materialized (
    select greatest(${leastCollected}, sqrt(6 * tests))::bigint as hits, greatest(${leastSorted}, sqrt(tests / 12)) as sorted
    from (select ${needed}::float8 * greatest(reltuples, 0) as tests from pg_class where oid = 'app_search'::regclass) c)`;

/** Selects the sort keys of the apps that are hits, in their order, from the index of the sort order. */
const walk = (
  { keys, isByRelevance }: SearchOrder,
  { after, limit, offset }: BoundPage,
  { isHit, tier: from = 0, condition = '' }: { isHit: string; tier?: number; condition?: string },
) => {
  const columns = keys.filter(({ column }) => column !== 'relevance');
  return `
    (select * from (
      select ${columnList(columns, 'a')}${isByRelevance ? `, ${from} as relevance` : ''} from ${sortTable(keys)} a
      where a.listed and ${isHit} ${condition}) r
    ${after} order by ${orderBy(columns, 'r')} limit ${limit} + ${offset})`;
};
/** Collects the hits as tables, those with similar names too if they are wanted, and selects the sort keys of a page. */
function collectedPage(
  terms: SearchTerms,
  order: SearchOrder,
  page: BoundPage,
  similar: { enough: string } | null,
  isCommon: string,
) {
  const { keys, isByRelevance, rank, hitColumns: further } = order;
  const columns = keys.filter(({ column }) => column !== 'relevance');
  const hitColumns = ['app_id', ...further].map((column) => `s.${column}`).join(', ');
  const furtherColumns = further.map((column) => `, h.${column}`).join('');
  const sorted = (hits: string, others: string, condition: string) => `
    select ${columnList(columns, 'a')}${others}
    from ${hits} h join ${sortTable(keys)} a on a.id = h.app_id where ${condition}`;
  // Only the most installed hits of a tier are ranked.
  const ranked = (from: number, hits: string, ranking: string | null, condition: string) => `
    select ${columnList(columns, 'g')}, ${from} + ${ranking ? score(ranking) : '0'} as relevance from (
      ${sorted(hits, furtherColumns, condition)} order by ${orderBy(columns, 'a')} limit ${searchWindow}) g`;
  const isCollected = '(select number <= hits from text_size, most)';
  const isRanked = `(select number <= ${maxRanked} from text_size)`;
  const ranking = rank && `case when ${isRanked} then ${rank} else 0 end`;
  // The tier with most hits: a search by name has none with the words alone.
  const last = terms.by === 'text' ? 'words' : 'prefix';
  const inLast = isByRelevance ? isInTier[last] : 'true';
  // Of many hits, those of the page are found in the index of the order.
  const isFew = isByRelevance && rank ? isRanked : '(select number <= sorted from text_size, most)';
  const walked = walk(order, page, {
    tier: tier[last],
    // The planner would join the hits without `is true`.
    isHit: `(a.id in (select h.app_id from hits h where ${inLast})) is true`,
    condition: `and ${isCollected} and not ${isFew}`,
  });
  const named = (['exact', 'prefix'] as const)
    .filter((name) => name !== last)
    .map((name) => ranked(tier[name], 'hits', ranking, `${isCollected} and ${isInTier[name]}`));
  const branches = isByRelevance
    ? [...named, ranked(tier[last], 'hits', ranking, `${isCollected} and ${isFew} and ${inLast}`), walked]
    : [sorted('hits', '', `${isCollected} and ${isFew}`), walked];
  if (similar)
    branches.push(
      isByRelevance
        ? ranked(tier.similar, 'similar_hits', similarity, 'true')
        : sorted('similar_hits', '', 'true'),
    );
  const similarNumber = similar ? ' + (select count(*) from similar_hits)' : '';
  return {
    tables: `with ${bounds(page.needed, isByRelevance ? maxRanked : searchWindow)},${searchedText(terms)},
      common as materialized (select ${isCommon} as yes from most),
      hits as materialized (${textHits(terms, hitColumns, '(select case when yes then 0 else hits + 1 end from most, common)')}),
      text_size as materialized (
        select case when yes then hits + 1 else (select count(*) from hits) end as number from most, common)
      ${similar ? `,${similarHits(terms, hitColumns, { number: '(select number from text_size)', ids: 'select h.app_id from hits h' }, similar.enough)}` : ''},
      size as materialized (
        select case when number <= hits then (number${similarNumber})::integer end as hits from text_size, most)`,
    page: pageOf(branches, keys, page),
  };
}

/** Selects the sort keys of a page by walking the index of the sort order. In the order of relevance, names come first. */
function walkedPage(terms: SearchTerms, order: SearchOrder, page: BoundPage) {
  const { keys, isByRelevance } = order;
  const columns = keys.filter(({ column }) => column !== 'relevance');
  const hasRow = (condition: string) =>
    `(select ${terms.filters} and ${condition} from app_search s where s.app_id = a.id)`;
  const collect = (value: number, hits: string, condition = '') => `
    select ${columnList(columns, 'a')}, ${value} as relevance from ${hits} h
    join ${sortTable(keys)} a on a.id = h.app_id ${condition}`;
  const named = [
    collect(tier.exact, 'exact_hits'),
    collect(tier.prefix, 'prefix_hits', 'where (select number <= hits from prefix_size, most)'),
    walk(order, page, {
      tier: tier.prefix,
      isHit: hasRow(isLongerName),
      condition: 'and (select number > hits from prefix_size, most)',
    }),
  ];
  // With as many names as the window has places, no other hit is shown.
  const worded = walk(order, page, {
    tier: tier.words,
    isHit: hasRow(`s.document @@ (select filtered_words from q) and (${beginsWithText}) is not true`),
    condition: `and (select number < ${searchWindow} from prefix_size)`,
  });
  const unranked = walk(order, page, { isHit: hasRow(terms.hasText('(select filtered_words from q)')) });
  const branches = isByRelevance ? [...named, ...(terms.by === 'text' ? [worded] : [])] : [unranked];
  return {
    tables: `with ${bounds(page.needed, maxRanked)},${searchedText(terms)},
      exact_hits as materialized (
        select s.app_id from app_search s where ${terms.filters} and s.name = (select name from q) limit ${searchWindow}),
      prefix_hits as materialized (
        select s.app_id from app_search s where ${terms.filters} and ${isLongerName} limit (select hits + 1 from most)),
      prefix_size as materialized (select count(*) as number from prefix_hits)`,
    page: pageOf(branches, keys, page),
  };
}

/** The planner expects a tenth of all apps for a limit that is a parameter, but no more rows than a literal limit has. */
const pageOf = (
  branches: readonly string[],
  keys: readonly SortKey[],
  { limit, offset, after }: BoundPage,
) => `
  select * from (
    select * from (${branches.join(' union all ')}) r ${after}
    order by ${orderBy(keys, 'r')} limit ${limit} offset ${offset}) r limit ${maxPageRows}`;

function bindPage(
  builder: StatementBuilder,
  { keys }: SearchOrder,
  { limit, offset, position }: ResultPage,
): BoundPage {
  return {
    limit: builder.bind(limit, 'bigint'),
    offset: builder.bind(offset, 'bigint'),
    needed: builder.bind(offset + limit, 'bigint'),
    after: position.keys ? `where (${builder.conditionsAfter(keys, position.keys, 'r').join(' or ')})` : '',
  };
}

/**
 * Reads a page of search results, with their number unless the page is `walked`. If so many apps have the `common` terms
 * that the text has too many hits, they are not even collected.
 */
export function searchPage(
  way: SearchWay,
  filter: SearchFilter,
  sort: AppSort,
  page: ResultPage,
  common: readonly CommonTerm[] = [],
): Statement {
  const builder = new StatementBuilder();
  const order = searchOrder(sort);
  const terms = searchTerms(builder, filter);
  const bound = bindPage(builder, order, page);
  const isCommon = way === 'collected' ? isCommonText(builder, filter, common, 'hits') : 'false';
  const { isBrief = false } = page;
  const name = `search ${way} ${sort}${page.position.keys ? ' after' : ''}${isBrief ? ' brief' : ''}`;
  return builder.buildOnce(name, () => {
    const found = findPage(way, terms, order, bound, { isCommon });
    const extraColumns = cursorColumn(order.keys);
    return way === 'walked'
      ? `${found.tables} ${fullRows(found.page, order.keys, { extraColumns, isBrief })}`
      : `${found.tables} ${fullRows(found.page, order.keys, { extraColumns: `${extraColumns}, n.hits`, beside: 'size n', isBrief })}`;
  });
}

/** Suggests apps whose name starts with the prefix, most installed first; if there are few, also apps with similar names. */
export function suggestions(way: SearchWay, prefix: string, limit: number): Statement {
  const builder = new StatementBuilder();
  const terms = searchTerms(builder, { search: prefix }, { by: 'name' });
  const bound = bindPage(builder, suggestionOrder, { limit, offset: 0, position: startOfList });
  return builder.buildOnce(`suggest ${way}`, () => {
    const found = findPage(way, terms, suggestionOrder, bound, {
      enough: `least(${enoughHits}, ${bound.limit})`,
    });
    const from = way === 'walked' ? '' : 'size n left join';
    return `${found.tables} select a.name, a.slug, a.logo_url as "logoUrl", a.category${way === 'walked' ? '' : ', n.hits'}
      from ${from} (${found.page}) p ${from && 'on true left'} join apps a on a.id = p.id
      order by ${orderBy(suggestionOrder.keys, 'p')}`;
  });
}

const findPage = (
  way: SearchWay,
  terms: SearchTerms,
  order: SearchOrder,
  page: BoundPage,
  { isCommon = 'false', enough = String(enoughHits) }: { isCommon?: string; enough?: string },
) =>
  way === 'walked'
    ? walkedPage(terms, order, page)
    : collectedPage(terms, order, page, way === 'similar' ? { enough } : null, isCommon);
