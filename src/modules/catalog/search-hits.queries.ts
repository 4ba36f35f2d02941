import { Environment } from '../listings/app.entity.js';
import type { CatalogFilter, StatementBuilder } from './statement-builder.queries.js';

/** Filters of the catalog with a search text. */
export type SearchFilter = CatalogFilter & { search: string };

/** The window of a search (D320): no more apps than this are found, and a total of this many means "or more". */
export const searchWindow = 1_000;
/** With fewer hits than this in the whole catalog, apps with similar names are added. */
export const enoughHits = 20;

/** Conditions on a row of `app_search s`. The table `q` has the text of the search, folded like names, and its words. */
export const isName = 's.name = (select name from q)';
export const isLongerName = 's.name > (select name from q) and s.name < (select name_end from q)';
export const beginsWithText = '(s.name >= (select name from q) and s.name < (select name_end from q))';
export const hasText = (words = '(select filtered_words from q)') =>
  `(${beginsWithText} or s.document @@ ${words})`;

/** SQL of a search: its table `q`, and its filters as conditions on `app_search s`. */
export interface SearchTerms {
  q: string;
  filters: string;
  text: string;
}

export function searchTerms(builder: StatementBuilder, filter: SearchFilter): SearchTerms {
  const text = builder.bind(filter.search, 'text');
  const words = builder.bind(differentWords(filter.search), 'text');
  const terms = builder.bind(filterTerms(filter), 'tsquery');
  const q = `
    q as materialized (
      select f.name, f.name || chr(1114111) as name_end, f.words, f.words && ${terms} as filtered_words
      from (select nullif(fold_name(${text}), '') as name, nullif(search_query(${words}), '') as words) f)`;
  const ofDeveloper = (developer: string) => `s.developer_id = ${builder.bind(developer, 'uuid')}`;
  return { q, text, filters: builder.filterConditions(filter, 's', ofDeveloper) };
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

/**
 * Collects the apps with a similar name as the table `similar_hits`, if the text has fewer than `enough` hits with and
 * without the filters. `found` are the number of its hits with the filters, and their ids.
 */
export const similarHits = (
  { text, filters }: SearchTerms,
  columns: string,
  found: { number: string; ids: string },
  { has = hasText, enough = String(enoughHits) } = {},
) => `
  few as materialized (
    select ${found.number} < ${enough} and (
      select count(*) from (select from app_search s where ${has('(select words from q)')} limit ${enough}) h) < ${enough} as yes),
  alike as materialized (
    select nullif(alike_query(${text}), '') as words where (select yes from few)),
  similar_hits as materialized (
    select ${columns} from app_search s
    where (select yes from few) and ts_filter(s.headline, '{a}') @@ (select words from alike)
      and s.app_id <> all (array(${found.ids}))${filters}
    limit ${searchWindow})`;
