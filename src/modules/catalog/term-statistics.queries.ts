import type { Statement } from '../../db/reader.js';
import type { SearchFilter } from './search-hits.queries.js';
import type { StatementBuilder } from './statement-builder.queries.js';

/** The number of public apps, and the terms of the text index that many of them have, with their shares. */
export interface CommonTerms {
  apps: number;
  terms: string[];
  shares: number[];
}

/** Reads the common terms, as the last analysis of the table found them. Before the first one there are none. */
export const commonTerms: Statement = {
  name: 'common terms',
  text: `
    select greatest(max(c.reltuples), 0)::float8 as apps, coalesce(array_agg(t.term), '{}') as terms,
      coalesce(array_agg(t.share::float8), '{}') as shares
    from pg_class c
    left join pg_stats s on s.schemaname = current_schema() and s.tablename = 'app_search' and s.attname = 'document'
    left join unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) t (term, share)
      on t.term is not null and t.share >= 0.25
    where c.oid = 'app_search'::regclass`,
  values: [],
};

/**
 * Returns whether more than `hits` of the apps have the text, judged by common terms alone: an app lacks one of several
 * terms at most as often as it lacks each of them. A text of stop words alone is searched for as it is, so it is not common.
 */
export function isCommonText(
  builder: StatementBuilder,
  { search, category, environment, featured, developer }: SearchFilter,
  common: CommonTerms,
  hits: string,
): string {
  const featuredTerm = featured == null ? null : featured ? 'featured' : 'plain';
  const filters = [category, environment, featuredTerm, developer].filter(Boolean).map((term) => `=${term}`);
  const words = `to_tsvector('english', search_text(${builder.bind(search, 'text')}))`;
  return `
    length(${words}) > 0 and (
      select (1 - sum(1 - coalesce(c.share, 0))) * ${builder.bind(common.apps, 'float8')}
      from unnest(tsvector_to_array(${words}) || ${builder.bind(filters, 'text[]')}) t (term)
      left join unnest(${builder.bind(common.terms, 'text[]')}, ${builder.bind(common.shares, 'float8[]')}) c (term, share)
        on c.term = t.term) > 1.05 * ${hits}`;
}
