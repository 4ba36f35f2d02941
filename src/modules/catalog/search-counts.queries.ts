import type { Statement } from '../../db/reader.js';
import type { Combination } from './catalog-counts.rules.js';
import {
  enoughHits,
  filterTerms,
  type SearchFilter,
  searchedText,
  searchTerms,
  searchWindow,
  similarHits,
  textHits,
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
  const matches = (table: string) =>
    `(v.category is null or ${table}.category = v.category)
      and (v.environment is null or ${table}.environment = v.environment)`;
  const counted = `(
    select count(*) from (select from app_search s
      where ${terms.filters} and ${matches('s')} and ${terms.hasText('((select filtered_words from q) && v.terms)')}
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
    `with ${searchedText(terms)},
  grouped_hits as materialized (
    select category, environment, count(*) as apps
    from (${textHits(terms, 's.category, s.environment', String(maxGroupedHits + 1))}) h group by 1, 2),
  size as materialized (select coalesce(sum(apps), 0) as hits from grouped_hits),
  ${similarHits(terms, 's.category, s.environment', { number: '(select hits from size)', ids: textHits(terms, 's.app_id', String(enoughHits)) })},
  grouped as materialized (
    select * from grouped_hits union all
    select category, environment, count(*) from similar_hits group by 1, 2)
  select (case when g.apps >= ${searchWindow} then ${searchWindow}
    when (select hits <= ${maxGroupedHits} from size) then g.apps else ${counted} end)::integer as count
  from unnest(${combined}) with ordinality v (category, environment, terms, place)
  cross join lateral (select coalesce(sum(p.apps), 0) as apps from grouped p where ${matches('p')}) g
  order by v.place`,
  );
}
