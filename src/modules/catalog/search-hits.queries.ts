import type { Statement } from '../../db/reader.js';
import { Environment } from '../listings/app.entity.js';
import { type CatalogFilter, StatementBuilder } from './statement-builder.queries.js';

/** Filters of the catalog with a search text. */
export type SearchFilter = CatalogFilter & { search: string };

/** The window of a search (D320): no more apps than this are found, and a total of this many means "or more". */
export const searchWindow = 1_000;
/** With fewer hits than this in the whole catalog, apps with similar names are added. */
export const enoughHits = 20;

/** Conditions on the name of a row of `app_search s`. */
export const beginsWithText = 's.name >= (select name from q) and s.name < (select name_end from q)';
export const isLongerName = 's.name > (select name from q) and s.name < (select name_end from q)';

/** SQL for the parameters of a search, and for its conditions on a row of `app_search s`. */
export interface SearchTerms {
  by: 'text' | 'name';
  text: string;
  /** The words of the text, each once. */
  words: string;
  /** The filters as index terms. */
  terms: string;
  filters: string;
  /** Returns whether a row has the text, whatever the filters are. */
  hasText(words?: string): string;
}

/** Binds the parameters of a search. A search by `name` ignores all other texts of an app. */
export function searchTerms(
  builder: StatementBuilder,
  { search, category, environment, featured, developer }: SearchFilter,
  { by }: Pick<SearchTerms, 'by'> = { by: 'text' },
): SearchTerms {
  const text = builder.bind(search, 'text');
  const words = builder.bind(differentWords(search), 'text');
  const terms = builder.bind(filterTerms({ category, environment, featured, developer }), 'tsquery');
  const filters = [
    builder.equals('s.category', category, 'text'),
    builder.equals('s.environment', environment, 'text'),
    builder.equals('s.featured', featured, 'boolean'),
    builder.equals('s.developer_id', developer, 'uuid'),
  ];
  const hasText = (query = '(select words from q)') =>
    by === 'name' ? `(${beginsWithText})` : `((${beginsWithText}) or s.document @@ ${query})`;
  return { by, text, words, terms, filters: filters.join(' and '), hasText };
}

/** The text index reads the list of a word again for each repetition. */
const differentWords = (text: string) => [...new Set(text.toLowerCase().split(/\s+/))].join(' ');

/**
 * Returns the filters as index terms that no text contains, so that the full-text index applies them too. Filters that
 * most apps match are left out: reading their long lists in the index takes longer than checking each hit.
 */
export const filterTerms = ({ category, environment, featured, developer }: CatalogFilter): string =>
  [
    category,
    environment === Environment.production ? null : environment,
    featured ? 'featured' : null,
    developer,
  ]
    .filter(Boolean)
    .map((term) => `'=${term}'`)
    .join(' & ');

/** A term of the text index that at least half of the apps have, with their share. */
export interface CommonTerm {
  term: string;
  share: number;
}

/** Reads the common terms, as the last analysis of the table found them. */
export const commonTerms = (): Statement =>
  new StatementBuilder().build(
    'common terms',
    `select term, share::float8 from pg_stats,
      unnest(most_common_elems::text::text[], most_common_elem_freqs) t (term, share)
    where schemaname = current_schema() and tablename = 'app_search' and attname = 'document'
      and term is not null and share >= 0.5`,
  );

/**
 * Returns whether more than `hits` of the apps have the text, judged by common terms alone: an app lacks one of several
 * terms at most as often as it lacks each of them. To scan the long lists of such terms in the index takes too long. There are
 * at least five windows of them, so that the total is right even if four fifths of the apps have gone since the analysis.
 */
export function isCommonText(
  builder: StatementBuilder,
  { search, category, environment, featured, developer }: SearchFilter,
  common: readonly CommonTerm[],
  hits: string,
): string {
  const featuredTerm = featured == null ? null : featured ? 'featured' : 'plain';
  const filters = [category, environment, featuredTerm, developer].filter(Boolean).map((term) => `=${term}`);
  const words = `to_tsvector('english', search_text(${builder.bind(search, 'text')}))`;
  const terms = `tsvector_to_array(${words}) || ${builder.bind(filters, 'text[]')}`;
  const known = [
    builder.bind(
      common.map(({ term }) => term),
      'text[]',
    ),
    builder.bind(
      common.map(({ share }) => share),
      'float8[]',
    ),
  ].join(', ');
  // A text of stop words alone is searched for as it is.
  return `(length(${words}) > 0 and (
    select (1 - sum(1 - coalesce(c.share, 0))) * (select reltuples from pg_class where oid = 'app_search'::regclass)
    from unnest(${terms}) t (term) left join unnest(${known}) c (term, share) on c.term = t.term) > 1.05 * greatest(${hits}, ${5 * searchWindow}))`;
}

/** The text of a search, folded like names, and its words. */
export const searchedText = ({ text, words, terms }: SearchTerms) => `
  q as materialized (
    select f.name, f.name || chr(1114111) as name_end, f.words, f.words && ${terms} as filtered_words
    from (select nullif(fold_name(${text}), '') as name, nullif(search_query(${words}), '') as words) f)`;

/** Selects the apps with the text, at most `max`. */
export const textHits = ({ filters, hasText }: SearchTerms, columns: string, max: string) => `
    select ${columns} from app_search s
    where ${filters} and ${hasText('(select filtered_words from q)')} limit ${max}`;

/**
 * Collects the apps with a similar name as the table `similar_hits`, if the text has fewer than `enough` hits without the
 * filters. `found` are the number of its hits with the filters, and their ids.
 */
export const similarHits = (
  { text, filters, hasText }: SearchTerms,
  columns: string,
  found: { number: string; ids: string },
  enough = String(enoughHits),
) => `
  few as materialized (
    select ${found.number} < ${enough} and (
      select count(*) from (select from app_search s where ${hasText()} limit ${enough}) h) < ${enough} as yes),
  alike as materialized (
    select nullif(alike_query(${text}), '') as words where (select yes from few)),
  similar_hits as materialized (
    select ${columns} from app_search s
    where ${filters} and (select yes from few)
      and ts_filter(s.headline, '{a}') @@ (select words from alike)
      and s.app_id <> all (array(${found.ids}))
    limit ${searchWindow})`;
