import type { Statement } from '../../db/reader.js';
import type { Combination } from './catalog-counts.rules.js';
import {
  enoughHits,
  filterTerms,
  hasText,
  type SearchFilter,
  searchTerms,
  searchWindow,
  similarHits,
} from './search-hits.queries.js';
import { StatementBuilder } from './statement-builder.queries.js';

/** The number of hits up to which all are grouped: enough for the window in each of ten categories of the same size. */
const maxGroupedHits = 12_000;

/**
 * Counts the search results for each combination of a category and an environment, in their order; each count ends at the
 * window. All of them are counted among the same hits. If there are more than `maxGroupedHits`, a combination with
 * fewer than the window among them is counted by itself.
 */
export function searchCounts(filter: SearchFilter, combinations: readonly Combination[]): Statement {
  const builder = new StatementBuilder();
  const terms = searchTerms(builder, filter);
  const hits = (columns: string, limit: number) =>
    `select ${columns} from app_search s where ${hasText()}${terms.filters} limit ${limit}`;
  const matches = (table: string) =>
    `(v.category is null or ${table}.category = v.category)
      and (v.environment is null or ${table}.environment = v.environment)`;
  const valuesOf = (value: (combination: Combination) => string | null | undefined, type: string) =>
    builder.bind(
      combinations.map((combination) => value(combination) ?? null),
      type,
    );
  return builder.build(
    'search counts',
    `with ${terms.q},
    grouped_hits as materialized (
      select category, environment, count(*) as apps
      from (${hits('s.category, s.environment', maxGroupedHits + 1)}) h group by 1, 2),
    size as materialized (select coalesce(sum(apps), 0) as hits from grouped_hits),
    ${similarHits(terms, 's.category, s.environment', { number: '(select hits from size)', ids: hits('s.app_id', enoughHits) })},
    grouped as materialized (
      select * from grouped_hits union all
      select category, environment, count(*) from similar_hits group by 1, 2)
    select (case when g.apps >= ${searchWindow} then ${searchWindow}
      when (select hits <= ${maxGroupedHits} from size) then g.apps
      else (
        select count(*) from (
          select from app_search s
          where ${hasText('((select filtered_words from q) && v.terms)')}${terms.filters} and ${matches('s')}
          limit ${searchWindow}) h) end)::integer as count
    from unnest(${valuesOf(({ category }) => category, 'text[]')}, ${valuesOf(({ environment }) => environment, 'text[]')},
      ${valuesOf(filterTerms, 'tsquery[]')}) with ordinality v (category, environment, terms, place)
    cross join lateral (select coalesce(sum(p.apps), 0) as apps from grouped p where ${matches('p')}) g
    order by v.place`,
  );
}
