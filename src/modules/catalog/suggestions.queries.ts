import type { Statement } from '../../db/reader.js';
import { appsOfPage, orderBy } from './catalog.queries.js';
import {
  collectHits,
  enoughHits,
  isPrefixMatch,
  isSimilarTo,
  likenessParts,
  likenessScore,
  maxRanked,
  type SearchVariant,
  tierSize,
} from './search-hits.queries.js';
import {
  lookedUpHits,
  orderOf,
  pageOfHits,
  rankedHits,
  scannedHits,
  sortedHits,
} from './search-page.queries.js';
import { StatementBuilder, sortKeys } from './statement-builder.queries.js';

const isFew = `names <= ${maxRanked} and alike <= ${maxRanked}`;
const keys = sortKeys('relevance', 'prefix');

/** Suggests apps whose name starts with the prefix, most installed first; if there are few, also apps with similar names. */
export const suggestions = (variant: SearchVariant, prefix: string, limit: number): Statement =>
  variant === 'few' ? fewSuggestions(prefix, limit) : manySuggestions(prefix, limit);

/** Reads names from their index alone, and the most installed of them from the index of installs (D299). */
function fewSuggestions(prefix: string, limit: number): Statement {
  const builder = new StatementBuilder();
  const order = orderOf(keys);
  const prefixParam = builder.bind(prefix, 'text');
  const limitParam = builder.bind(limit, 'bigint');
  const names = {
    ids: `select h.app_id from by_name h where h.name <> (select name from q) and (select ${isFew} from size)`,
    number: 'names',
    condition: isFew,
    level: String(2 * tierSize),
  };
  const hits = (level: string, table: string, condition: string) =>
    `select ${order.columns(level)} from ${table} g join ${order.table} a on a.id = g.app_id where ${condition}`;
  const branches = [
    hits(String(3 * tierSize), 'by_name', 'g.name = (select name from q)'),
    ...sortedHits(order, names, limitParam),
    lookedUpHits(order, limitParam),
  ];
  const similar = `select ${likenessParts} from by_likeness g where (select ${isFew} from size)`;
  const tables = [scannedHits(builder, {}, order, names, limitParam), ...rankedHits(similar, limitParam)];
  const page = `with ${tables.join(',')} select * from (${branches.join(' union all ')}) r
    order by ${orderBy(keys, 'r')} limit ${limitParam}`;
  return builder.build(
    'suggest few',
    `with
    q as materialized (select f.name, f.name || chr(1114111) as name_end
      from (select nullif(fold_name(${prefixParam}), '') as name) f),
    by_name as materialized (
      select s.app_id, s.name from app_search s where ${isPrefixMatch} limit ${maxRanked + 1}),
    named as materialized (select count(*) as names from by_name),
    alike as materialized (
      select nullif(alike_query(${prefixParam}), '') as words
      where (select names < least(${enoughHits}, ${limitParam}) from named)),
    by_likeness as materialized (
      select s.app_id, s.name, s.install_level from app_search s where ${isSimilarTo} and (${isPrefixMatch}) is not true
      limit ${maxRanked + 1}),
    size as materialized (select n.names, (select count(*) from by_likeness) as alike from named n)
    select a.id, a.name, a.slug, not (select ${isFew} from size) as "isMany" from ${appsOfPage(page, 'size')}
    order by ${orderBy(keys, 'p')} limit ${limitParam}`,
  );
}

/** Scans the index of installs for the first names, because there are too many to collect. */
function manySuggestions(prefix: string, limit: number): Statement {
  const builder = new StatementBuilder();
  const found = collectHits(builder, { search: prefix }, { use: 'scanNames' });
  const limitParam = builder.bind(limit, 'bigint');
  const page = pageOfHits(builder, {}, keys, {
    variant: 'many',
    rowsNeeded: limit,
    limit: limitParam,
    offset: '0',
    use: 'scanNames',
    scoreSql: `case when g.tier = 0 then ${likenessScore} else 0 end`,
  });
  return builder.build(
    'suggest many',
    `${found} select a.id, a.name, a.slug from ${appsOfPage(page, '')}
    order by ${orderBy(keys, 'p')} limit ${limitParam}`,
  );
}
