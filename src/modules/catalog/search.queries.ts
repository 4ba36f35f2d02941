import type { Statement } from '../../db/reader.js';
import { cursorColumn, fullRows, orderBy } from './catalog.queries.js';
import type { AppSort } from './catalog.types.js';
import {
  allMatches,
  collectedTotal,
  collectHits,
  type HitUse,
  hasFewHits,
  hitUse,
  matchTotal,
  type SearchFilter,
  type SearchVariant,
} from './search-hits.queries.js';
import { pageOfHits } from './search-page.queries.js';
import { type PageWindow, StatementBuilder, sortKeys } from './statement-builder.queries.js';

/** Adds `isMany` to the `few` variant, from the one row of `size`, so that it is returned even with an empty page. */
const manyFlag = (use: HitUse, extraColumns = '') =>
  use === 'scan'
    ? { singleRow: '', extraColumns }
    : { singleRow: 'size', extraColumns: `${extraColumns}, not ${hasFewHits(use)} as "isMany"` };

/** Begins a statement that collects and counts the hits. */
function countedHits(variant: SearchVariant, filter: SearchFilter, sort: AppSort) {
  const builder = new StatementBuilder();
  const keys = sortKeys(sort, filter.search);
  const use = hitUse(variant, keys);
  const found =
    collectHits(builder, filter, { use }) + (use === 'scan' ? allMatches(builder, filter, use) : '');
  const total = `${variant === 'few' ? collectedTotal : matchTotal}::integer as total`;
  return { builder, keys, use, found, total };
}

/** Reads the ids of the first search results, and the total number of matches. */
export function searchOrder(
  variant: SearchVariant,
  filter: SearchFilter,
  sort: AppSort,
  limit: number,
): Statement {
  const { builder, keys, use, found, total } = countedHits(variant, filter, sort);
  const rows = String(limit);
  const page = pageOfHits(builder, filter, keys, {
    variant,
    rowsNeeded: limit,
    limit: rows,
    offset: '0',
    maxRows: rows,
  });
  const isMany = use === 'scan' ? 'false' : `not ${hasFewHits(use)}`;
  return builder.build(
    `search order ${variant} ${sort}`,
    `${found} select coalesce(string_agg(p.id::text, ',' order by ${orderBy(keys, 'p')}), '') as ids, ${total},
      ${isMany} as "isMany" from (${page}) p`,
  );
}

/** Reads a page of search results and the total number of matches. */
export function searchPage(
  variant: SearchVariant,
  filter: SearchFilter,
  sort: AppSort,
  { limit, offset }: PageWindow,
): Statement {
  const { builder, keys, use, found, total } = countedHits(variant, filter, sort);
  const limitParam = builder.bind(limit, 'bigint');
  const offsetParam = builder.bind(offset, 'bigint');
  const page = pageOfHits(builder, filter, keys, {
    variant,
    rowsNeeded: limit + offset,
    limit: limitParam,
    offset: offsetParam,
  });
  return builder.build(
    `search ${variant} ${sort}`,
    `${found} ${fullRows(page, keys, limitParam, manyFlag(use, `, ${total}`))}`,
  );
}

/** Reads the search results after a position in the sort order. */
export function searchAfter(
  variant: SearchVariant,
  filter: SearchFilter,
  sort: AppSort,
  limit: number,
  position: readonly unknown[] | null,
): Statement {
  const builder = new StatementBuilder();
  const keys = sortKeys(sort, filter.search);
  const use = hitUse(variant, keys);
  const found = collectHits(builder, filter, { use });
  const after = position ? builder.conditionsAfter(keys, position, 'r') : [];
  const limitParam = builder.bind(limit, 'bigint');
  const page = pageOfHits(builder, filter, keys, {
    variant,
    rowsNeeded: limit,
    limit: limitParam,
    offset: '0',
    after,
  });
  return builder.build(
    `search ${variant} ${position ? 'after' : 'first'} ${sort}`,
    `${found} ${fullRows(page, keys, limitParam, manyFlag(use, cursorColumn(keys)))}`,
  );
}

/** Counts search results by category and environment. */
export function searchCounts(filter: SearchFilter): Statement {
  const builder = new StatementBuilder();
  return builder.build(
    'search counts',
    `${collectHits(builder, filter, { use: 'count' })}${allMatches(builder, filter, 'count')}
    select m.category, m.environment, count(*)::integer as count from matched m group by 1, 2`,
  );
}
