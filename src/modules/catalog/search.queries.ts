import type { Statement } from '../../db/reader.js';
import { columnList, cursorColumn, fullRows, maxPageRows, orderBy, sortTable } from './catalog.queries.js';
import { AppSort } from './catalog.types.js';
import { type ListPosition, startOfList } from './cursor.rules.js';
import {
  beginsWithText,
  enoughHits,
  hasText,
  isLongerName,
  isName,
  type SearchFilter,
  type SearchTerms,
  searchTerms,
  searchWindow,
  similarHits,
} from './search-hits.queries.js';
import { type SortKey, StatementBuilder, sortKeys } from './statement-builder.queries.js';
import { type CommonTerms, isCommonText } from './term-statistics.queries.js';

/** The part of the results that a page shows. */
export interface ResultPage {
  limit: number;
  /** Counted from the start of the list, or from `position`. */
  offset: number;
  position: ListPosition;
  isBrief?: boolean | undefined;
}

/** A row of a page. A page has at least one row, with the number of hits and, if it is empty, no app. */
export interface HitNumber {
  hits: number;
}

/** Of more hits than this, the relevance is their tier alone: ranking them would take too long. */
const maxRanked = 5_000;
/** Relevance = tier × this + score: an integer, so that a cursor stores it exactly. */
const tierSize = 10_000_000;
const tier = { exact: 3 * tierSize, prefix: 2 * tierSize, words: tierSize, similar: 0 };
const tierOfHit = `case when ${isName} then ${tier.exact} when ${isLongerName} then ${tier.prefix} else ${tier.words} end as tier`;
/** Hits with the text are ranked by the weights of their words, similar names by their similarity. */
const wordRank = 'ts_rank(headline, (select words from q))';
const similarity = 'similarity(name, (select name from q)) ^ 3';

interface BoundPage {
  keys: readonly SortKey[];
  /** The keys that are columns of a table. */
  columns: readonly SortKey[];
  limit: string;
  offset: string;
  /** `where` with the condition that a row `r` comes after a cursor. */
  after: string;
}

function bindPage(builder: StatementBuilder, sort: AppSort, page: ResultPage): BoundPage {
  const keys = sortKeys(sort, 'search');
  const { limit, offset, position } = page;
  return {
    keys,
    columns: keys.filter(({ column }) => column !== 'relevance'),
    limit: builder.bind(limit, 'bigint'),
    offset: builder.bind(offset, 'bigint'),
    after: position.keys ? `where (${builder.conditionsAfter(keys, position.keys, 'r').join(' or ')})` : '',
  };
}

/** Hits are collected up to `most`. Up to `few` are looked up and sorted; to find more, the index of the order is walked. */
interface Bounds {
  most: string;
  few: string;
}

/**
 * Collecting a hit takes about 1 µs, and looking it up and sorting it 4 µs. To walk to the n-th of h hits tests n × N / h
 * of N apps: for 0.25 µs each by the collected hits, for 12 µs each by the text. The bounds are about where two ways take
 * the same time.
 */
function bindBounds(builder: StatementBuilder, { offset, limit }: ResultPage, apps: number): Bounds {
  const tests = (offset + limit) * apps;
  return {
    most: builder.bind(Math.round(Math.max(maxRanked + 1, Math.sqrt(6 * tests))), 'bigint'),
    few: builder.bind(Math.round(Math.max(200, Math.sqrt(tests / 12))), 'bigint'),
  };
}

/** Selects the page of the rows. The planner expects a tenth of all apps for a limit that is a parameter, but not for a literal. */
const pageOf = (branches: readonly string[], { keys, limit, offset, after }: BoundPage) => `
  select * from (
    select * from (${branches.join(' union all ')}) r ${after}
    order by ${orderBy(keys, 'r')} limit ${limit} offset ${offset}) r limit ${maxPageRows}`;

/** Selects the sort keys of hits in a table. */
const sorted = ({ columns }: BoundPage, hits: string, condition: string, further = '') => `
  select ${columnList(columns, 'a')}${further}
  from ${hits} h join ${sortTable(columns)} a on a.id = h.app_id where ${condition}`;

/** The same with their relevance. Only the most installed hits of a tier are ranked, and installs raise the rank. */
const ranked = (page: BoundPage, hits: string, condition: string, rank: string) => `
  select ${columnList(page.columns, 'g')},
    tier + least(${tierSize - 1}, 1000000 * (1 + ln(1 + install_count) / 10) * (${rank}))::integer as relevance
  from (${sorted(page, hits, condition, `, h.*, row_number() over (partition by tier order by ${orderBy(page.columns, 'a')}) as place`)}) g
  where place <= ${searchWindow}`;

/**
 * Selects the sort keys of hits from the index of the order: of the apps that are `collected` or, if `areAll` is false, of
 * those whose row in `app_search` meets the condition.
 */
const walked = (
  { columns, after, limit, offset }: BoundPage,
  walk: { when: string; areAll: string; collected: string; condition: string; tier?: number },
) => `
  (select * from (
    select ${columnList(columns, 'a')}${walk.tier ? `, ${walk.tier} as relevance` : ''} from ${sortTable(columns)} a
    where a.listed and ${walk.when} and case when ${walk.areAll} then a.id in (${walk.collected})
      else (select ${walk.condition} from app_search s where s.app_id = a.id) end) r
  ${after} order by ${orderBy(columns, 'r')} limit ${limit} + ${offset})`;

/** Collects the names that begin with the text, the exact ones first, and selects them by their tier and installs. */
const namesPage = (page: BoundPage, { most, few }: Bounds, filters: string, condition = 'true') => ({
  tables: `
    names as materialized (
      select s.app_id, s.name from app_search s
      where ${beginsWithText} and ${condition}${filters} order by s.name limit ${most}),
    named as materialized (select count(*) as number from names)`,
  branches: [
    sorted(
      page,
      'names',
      `(h.name = (select name from q) or (select number <= ${few} from named))`,
      `, case when h.name = (select name from q) then ${tier.exact} else ${tier.prefix} end as relevance`,
    ),
    walked(page, {
      when: `(select number > ${few} from named)`,
      areAll: `(select number < ${most} from named)`,
      collected: 'select h.app_id from names h where h.name > (select name from q)',
      condition: `${isLongerName}${filters}`,
      tier: tier.prefix,
    }),
  ],
});

/** Selects the hits in the order of relevance: all of them ranked or, if there are too many, by tier and installs. */
function relevancePage(page: BoundPage, bounds: Bounds, filters: string) {
  const names = namesPage(page, bounds, filters, '(select not are_few from size)');
  return {
    hitColumns: `s.app_id, s.name, s.headline, ${tierOfHit}`,
    few: String(maxRanked),
    tables: `, ${names.tables}`,
    branches: [
      ranked(page, 'hits', '(select are_few from size)', wordRank),
      ...names.branches,
      walked(page, {
        // With as many names as the window has places, no other hit is shown.
        when: `(select not are_few from size) and (select number < ${searchWindow} from named)`,
        areAll: '(select are_all from size)',
        collected: `select h.app_id from hits h where h.tier = ${tier.words}`,
        condition: `s.document @@ (select filtered_words from q) and ${beginsWithText} is not true${filters}`,
        tier: tier.words,
      }),
    ],
  };
}

/** Selects the hits in another order. */
const orderedPage = (page: BoundPage, { few }: Bounds, filters: string) => ({
  hitColumns: 's.app_id',
  few,
  tables: '',
  branches: [
    sorted(page, 'hits', '(select are_few from size)'),
    walked(page, {
      when: '(select not are_few from size)',
      areAll: '(select are_all from size)',
      collected: 'select h.app_id from hits h',
      condition: `${hasText()}${filters}`,
    }),
  ],
});

/** Reads a page of search results, and their number. Hits are not collected if the common terms say that there are too many. */
export function searchPage(
  filter: SearchFilter,
  sort: AppSort,
  page: ResultPage,
  common: CommonTerms,
): Statement {
  const builder = new StatementBuilder();
  const { q, filters } = searchTerms(builder, filter);
  const bound = bindPage(builder, sort, page);
  const bounds = bindBounds(builder, page, common.apps);
  const pageBy = sort === 'relevance' ? relevancePage : orderedPage;
  const { hitColumns, few, tables, branches } = pageBy(bound, bounds, filters);
  return builder.build(
    'search',
    `with ${q},
    common as materialized (select ${isCommonText(builder, filter, common, bounds.most)} as yes),
    hits as materialized (
      select ${hitColumns} from app_search s where ${hasText()}${filters}
      limit (select case when yes then 0 else ${bounds.most} end from common)),
    size as materialized (
      select not yes and number < ${bounds.most} as are_all, not yes and number <= ${few} as are_few,
        case when yes then ${searchWindow} else least(number, ${searchWindow}) end::integer as hits
      from common, (select count(*) as number from hits) h)
    ${tables} ${resultRows(bound, branches, page)}`,
  );
}

/** Reads a page of a search with few hits: its results, and apps with similar names. */
export function searchPageWithSimilar(filter: SearchFilter, sort: AppSort, page: ResultPage): Statement {
  const builder = new StatementBuilder();
  const terms = searchTerms(builder, filter);
  const bound = bindPage(builder, sort, page);
  const branch =
    sort === 'relevance'
      ? ranked(bound, 'found', 'true', `case when tier > 0 then ${wordRank} else ${similarity} end`)
      : sorted(bound, 'found', 'true');
  return builder.build(
    'search with similar',
    `with ${terms.q}, ${foundWithSimilar(terms)} ${resultRows(bound, [branch], page)}`,
  );
}

const resultRows = (bound: BoundPage, branches: readonly string[], { isBrief }: ResultPage) =>
  fullRows(pageOf(branches, bound), bound.keys, {
    extraColumns: `${cursorColumn(bound.keys)}, n.hits`,
    beside: 'size n',
    isBrief,
  });

/** Collects the hits and the apps with similar names as the table `found`, with their `size`. */
const foundWithSimilar = (terms: SearchTerms, { has = hasText, enough = String(enoughHits) } = {}) => `
  hits as materialized (
    select s.app_id, s.name, s.headline, ${tierOfHit} from app_search s where ${has()}${terms.filters} limit ${searchWindow}),
  ${similarHits(
    terms,
    `s.app_id, s.name, s.headline, ${tier.similar} as tier`,
    { number: '(select count(*) from hits)', ids: 'select h.app_id from hits h' },
    { has, enough },
  )},
  found as (select * from hits union all select * from similar_hits),
  size as (select count(*)::integer as hits from found)`;

/** Suggests apps whose name starts with the prefix, most installed first. */
export function suggestions(prefix: string, limit: number, apps: number): Statement {
  const builder = new StatementBuilder();
  const page = { limit, offset: 0, position: startOfList };
  const { q, filters } = searchTerms(builder, { search: prefix });
  const bound = bindPage(builder, AppSort.relevance, page);
  const { tables, branches } = namesPage(bound, bindBounds(builder, page, apps), filters);
  const size = 'size as (select number::integer as hits from named)';
  return builder.build('suggest', `with ${q}, ${tables}, ${size} ${suggestedRows(bound, branches)}`);
}

/** Suggests apps whose name starts with the prefix, and after them apps with similar names. */
export function suggestionsWithSimilar(prefix: string, limit: number): Statement {
  const builder = new StatementBuilder();
  const terms = searchTerms(builder, { search: prefix });
  const bound = bindPage(builder, AppSort.relevance, { limit, offset: 0, position: startOfList });
  const found = foundWithSimilar(terms, {
    has: () => beginsWithText,
    enough: `least(${enoughHits}, ${bound.limit})`,
  });
  const branch = ranked(bound, 'found', 'true', `case when tier > 0 then 0 else ${similarity} end`);
  return builder.build('suggest with similar', `with ${terms.q}, ${found} ${suggestedRows(bound, [branch])}`);
}

const suggestedRows = (bound: BoundPage, branches: readonly string[]) => `
  select a.name, a.slug, a.logo_url as "logoUrl", a.category, n.hits
  from size n left join (${pageOf(branches, bound)}) p on true left join apps a on a.id = p.id
  order by ${orderBy(bound.keys, 'p')}`;
