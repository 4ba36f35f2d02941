import type { Statement } from '../../db/reader.js';
import { appsOfPage, columnsOf, mostRows, orderBy, tableOf, wideRows } from './catalog.queries.js';
import { type Filter, type Key, keysOf, Text, type Window } from './catalog.statement.js';
import { AppSort } from './catalog.types.js';

/** What is searched for: the words, and what narrows them. */
export type Search = Filter & { search: string };

/**
 * How a search is asked. Up to so many hits are collected and weighed; of more, the orders' own indexes are walked until
 * the page is full. Nearly all searches find few, and to set up what many need would take a third of their time: they
 * are asked without it, and say `isMany` where there are more. Then, and where nothing is found, the rest of that one
 * row is empty.
 */
export type Extent = 'few' | 'many';
/** What every row of an answer has beside its own. */
export interface OfExtent {
  id: string | null;
  isMany?: boolean;
}
const collected = 5_000;
/** With fewer hits than this, names that look alike are added. */
const plenty = 20;
/** Relevance is a whole number, so that a cursor holds it exactly: the tier, and below it the score. */
const tier = 10_000_000;

const begins = 's.name >= (select name from q) and s.name < (select name_end from q)';
/** Whoever begins so was found already, and comes before. */
const words = `s.document @@ (select words from q) and (${begins}) is not true`;
const looksAlike = `s.document @@ (select words from alike) and ts_filter(s.headline, '{a}') @@ (select words from alike)
  and (${begins}) is not true and not exists (select from by_words w where w.app_id = s.app_id)`;
const isSmall = `(select names <= ${collected} and words <= ${collected} and alike <= ${collected} from size)`;

/** Exact name, then prefix, then text by its weights, then likeness. Popularity lifts a score; of names alike the likeness decides. */
const score = `least(${tier - 1}, 1000000 * (1 + ln(1 + a.install_count) / 10) *
  case when g.tier = 0 then similarity(g.name, (select name from q)) ^ 3 else ts_rank(g.headline, (select words from q)) end)::integer`;
const relevance = (points: string) =>
  `case when g.name = (select name from q) then 3 else g.tier end * ${tier} + ${points}`;

/** The hits of each kind, none twice, as far as they are collected. Where the text holds no words, nothing matches them. */
function hits(
  text: Text,
  { search, ...filter }: Search,
  { extent = 'many', namesAlone = false }: { extent?: Extent; namesAlone?: boolean } = {},
): string {
  const term = text.bind(search, 'text');
  const narrowed = text.filters(filter, 's');
  const marks = marksOf(filter);
  const marked = marks ? ` and s.document @@ ${text.bind(marks, 'tsquery')}` : '';
  const some = (condition: string) => `
    select s.app_id, s.name, s.headline, s.category, s.environment from app_search s
    where ${condition} limit ${collected + 1}`;
  const inAll = (condition: string) =>
    `(select count(*) from (select from app_search s where ${condition} limit ${plenty}) h)`;
  const gate = (kind: string) => (extent === 'few' ? isSmall : `(select ${kind} <= ${collected} from size)`);
  return `with
    q as materialized (
      select f.name, f.name || chr(1114111) as name_end, case when numnode(f.words) > 0 then f.words end as words
      from (select nullif(fold_name(${term}), '') as name,
        ${namesAlone ? 'null::tsquery' : `search_query(${term})`} as words) f),
    by_name as materialized (${some(`${begins}${narrowed}`)}),
    by_words as materialized (${some(`${words}${marked}`)}),
    few as materialized (
      select case when (select count(*) from by_name) + (select count(*) from by_words) >= ${plenty} then false
        else ${narrowed ? `${inAll(begins)} + ${inAll(words)} < ${plenty}` : 'true'} end as yes),
    alike as materialized (
      select case when numnode(f.words) > 0 then f.words end as words
      from (select alike_query(${term}) as words where (select yes from few)) f),
    by_likeness as materialized (${some(`(select yes from few) and ${looksAlike}${marked}`)}),
    size as materialized (
      select (select count(*) from by_name) as names, (select count(*) from by_words) as words,
        (select count(*) from by_likeness) as alike),
    gathered as not materialized (
      select h.*, 2 as tier from by_name h where ${gate('names')}
      union all select h.*, 1 from by_words h where ${gate('words')}
      union all select h.*, 0 from by_likeness h where ${gate('alike')})`;
}

/** The filters as words that no text has: the index of words narrows by them too. */
const marksOf = ({ category, environment, featured }: Filter): string =>
  [category, environment, typeof featured === 'boolean' ? (featured ? 'featured' : 'plain') : null]
    .filter(Boolean)
    .map((mark) => `'=${mark}'`)
    .join(' & ');

/** All that match, whichever way they were found. */
function matched(text: Text, filter: Filter): string {
  const narrowed = text.filters(filter, 's');
  const every = (gate: string, condition: string) => `
    select s.category, s.environment from app_search s
    where (select ${gate} > ${collected} from size) and ${condition}${narrowed}`;
  return `,
    matched as (
      select g.category, g.environment from gathered g
      union all ${every('names', begins)}
      union all ${every('words', words)}
      union all ${every('alike', looksAlike)})`;
}

const collectedTotal = '(select names + words + alike from size)';
const total = `(select case when ${isSmall} then ${collectedTotal} else (select count(*) from matched) end)`;

/** An order as the parts of a page are read in it: the relevance stands beside the columns of a table. */
function orderOf(keys: readonly Key[]) {
  const plain = keys.filter(({ column }) => column !== 'relevance');
  return {
    byRelevance: plain.length < keys.length,
    table: tableOf(keys),
    columns: (relevant: string) => `${columnsOf(plain, 'a')}, ${relevant} as relevance`,
    orderBy: orderBy(plain, 'r'),
  };
}

/** The ids and keys of a page of hits, best first or in another order. */
function pageOfHits(
  text: Text,
  filter: Filter,
  keys: readonly Key[],
  { extent, need, limit, offset, after = [], points = score }: PageOfHits,
): string {
  const beyond = after.length > 0 ? ` where (${after.join(' or ')})` : '';
  const order = orderOf(keys);
  const weighed = `(select ${order.columns(order.byRelevance ? relevance(points) : '0')}
    from gathered g join ${order.table} a on a.id = g.app_id)`;
  // Beside another row, a page is sorted once more, whole: then it must have no more rows than are shown.
  const most = extent === 'few' ? limit : mostRows;
  const branches = extent === 'few' ? [weighed] : [weighed, ...walks(text, filter, order, beyond, need)];
  return `select * from (${branches.join(' union all ')}) r${beyond}
    order by ${orderBy(keys, 'r')} limit ${most} offset ${offset}`;
}

/** The first of each kind of which there are too many to be collected. */
function walks(
  text: Text,
  filter: Filter,
  { byRelevance, table, columns, orderBy: order }: ReturnType<typeof orderOf>,
  beyond: string,
  need: number,
): string[] {
  const narrowed = text.filters(filter, 'a');
  const most = text.bind(need, 'bigint');
  const first = (select: string) => `(select * from (${select}) r${beyond} order by ${order} limit ${most})`;
  const walk = (level: number, gate: string, condition: string) =>
    first(`select ${columns(String(level * tier))} from ${table} a where a.listed${narrowed} and (select ${gate} from size)
      and (select ${condition} from app_search s where s.app_id = a.id)`);
  const exactName = `select ${columns(String(3 * tier))} from app_search s join ${table} a on a.id = s.app_id
    where (select names > ${collected} from size) and s.name = (select name from q)${narrowed}`;
  const beginning = byRelevance ? `${begins} and s.name <> (select name from q)` : begins;
  return [
    ...(byRelevance ? [first(exactName)] : []),
    walk(2, `names > ${collected}`, beginning),
    walk(1, `words > ${collected}`, words),
    walk(0, `alike > ${collected}`, looksAlike),
  ];
}

interface PageOfHits {
  extent: Extent;
  /** How many there are up to the end of the page. */
  need: number;
  limit: string;
  offset: string;
  after?: string[];
  points?: string;
}

/** Where few were looked for, it is said whether there are many: beside the page, which may be empty. */
const said = (extent: Extent, further = '') =>
  extent === 'few'
    ? { beside: 'size', further: `${further}, not ${isSmall} as "isMany"` }
    : { beside: '', further };

/** A page of what a search finds, with the number of all that match. */
export function pageOfFound(
  extent: Extent,
  filter: Search,
  sort: AppSort,
  { limit, offset }: Window,
): Statement {
  const text = new Text();
  const keys = keysOf(sort, filter.search);
  const found = hits(text, filter, { extent }) + (extent === 'few' ? '' : matched(text, filter));
  const most = text.bind(limit, 'bigint');
  const skipped = text.bind(offset, 'bigint');
  const page = pageOfHits(text, filter, keys, { extent, need: limit + offset, limit: most, offset: skipped });
  const all = `, ${extent === 'few' ? collectedTotal : total}::integer as total`;
  return text.as(`search ${extent} ${sort}`, `${found} ${wideRows(page, keys, most, said(extent, all))}`);
}

/** What a search finds after a place in the order. */
export function foundAfter(
  extent: Extent,
  filter: Search,
  sort: AppSort,
  limit: number,
  place: readonly unknown[] | null,
): Statement {
  const text = new Text();
  const keys = keysOf(sort, filter.search);
  const found = hits(text, filter, { extent });
  const after = place ? text.after(keys, place, 'r') : [];
  const most = text.bind(limit, 'bigint');
  const page = pageOfHits(text, filter, keys, { extent, need: limit, limit: most, offset: '0', after });
  const relevant = sort === AppSort.relevance ? ', p.relevance' : '';
  return text.as(
    `search ${extent} ${place ? 'after' : 'first'} ${sort}`,
    `${found} ${wideRows(page, keys, most, said(extent, relevant))}`,
  );
}

/** How many apps of each kind a search finds. */
export function countsOfFound(filter: Search): Statement {
  const text = new Text();
  return text.as(
    'search counts',
    `${hits(text, filter)}${matched(text, filter)}
    select m.category, m.environment, count(*)::integer as count from matched m group by 1, 2`,
  );
}

/** Names that begin as typed, most installed first; where those are few, names with words that look alike. */
export function suggestions(extent: Extent, prefix: string, limit: number): Statement {
  const text = new Text();
  const keys = keysOf('relevance', prefix);
  const found = hits(text, { search: prefix }, { extent, namesAlone: true });
  const points = `case when g.tier = 0 then ${score} else 0 end`;
  const most = text.bind(limit, 'bigint');
  const page = pageOfHits(text, {}, keys, { extent, need: limit, limit: most, offset: '0', points });
  const { beside, further } = said(extent);
  return text.as(
    `suggest ${extent}`,
    `${found} select a.id, a.name, a.slug${further} from ${appsOfPage(page, beside)}
    order by ${orderBy(keys, 'p')} limit ${most}`,
  );
}
