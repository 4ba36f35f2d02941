import { Environment } from '../listings/app.entity.js';
import type { CatalogFilter, StatementBuilder } from './statement-builder.queries.js';

/** Filters of the catalog with a search text. */
export type SearchFilter = CatalogFilter & { search: string };

/** The window of a search (D320): no more apps than this are found, and a total of this many means "or more". */
export const searchWindow = 1_000;
/** With fewer hits than this in the whole catalog, apps with similar names are added. */
export const enoughHits = 20;

/** The kinds of hits. The number is the tier of their relevance. */
export type HitKind = 'exact' | 'prefix' | 'words' | 'similar';
export const tiers: Record<HitKind, number> = { exact: 3, prefix: 2, words: 1, similar: 0 };

const hasPrefix = 's.name >= (select name from q) and s.name < (select name_end from q)';
const hasWords = 's.document @@ (select words from q)';
/** Each app is a hit of one kind only, so the conditions exclude the kinds of higher tiers. */
const conditions: Record<HitKind, string> = {
  exact: 's.name = (select name from q)',
  prefix: 's.name > (select name from q) and s.name < (select name_end from q)',
  words: `s.document @@ (select filtered_words from q) and (${hasPrefix}) is not true`,
  // Found in the index of the words of names.
  similar: `(select yes from few) and ts_filter(s.headline, '{a}') @@ (select words from alike)
      and (${hasPrefix}) is not true`,
};

/** Returns whether a row of `app_search` is a hit of a kind that passes the filters. */
export const isHit = (kind: HitKind, { filters }: SearchParameters) => `${filters} and ${conditions[kind]}`;

/** Returns whether a row of `app_search` passes the filters, and has the prefix or the given words. */
export const isTextHit = ({ filters }: SearchParameters, words: string) =>
  `${filters} and (${hasPrefix} or s.document @@ ${words})`;

/** SQL for the parameters of a search. */
export interface SearchParameters {
  text: string;
  /** The words of the text, each once. */
  words: string;
  terms: string;
  /** The condition of the filters on a row of `app_search`. */
  filters: string;
}

/** Binds the parameters of a search, those of missing filters too, so that all filters share a prepared statement. */
export function searchParameters(
  builder: StatementBuilder,
  { search, category, environment, featured, developer }: SearchFilter,
): SearchParameters {
  const text = builder.bind(search, 'text');
  const words = builder.bind(differentWords(search), 'text');
  const terms = builder.bind(filterTerms({ category, environment, featured, developer }), 'tsquery');
  const matches = (column: string, value: unknown, type: string) => {
    const parameter = builder.bind(value ?? null, type);
    return `(${parameter} is null or s.${column} = ${parameter})`;
  };
  const filters = [
    matches('category', category, 'text'),
    matches('environment', environment, 'text'),
    matches('featured', featured, 'boolean'),
    matches('developer_id', developer, 'uuid'),
  ];
  return { text, words, terms, filters: filters.join(' and ') };
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

interface CollectOptions {
  /** Columns of `app_search s`; the first is its `app_id`. */
  columns: string;
  /** Maximum number of hits of each kind. */
  maxHits: string;
  /** Similar names are added if the whole catalog has fewer hits than this. */
  enough?: string;
}

/** Collects the hits of the given kinds in tables such as `words_hits`, and their numbers in `size`, such as `words_number`. */
export function collectHits(
  parameters: SearchParameters,
  kinds: readonly HitKind[],
  { columns, maxHits, enough = String(enoughHits) }: CollectOptions,
): string {
  const { text, words, terms } = parameters;
  const hasWordHits = kinds.includes('words');
  const table = (kind: HitKind, further = '') => `
  ${kind}_hits as materialized (
    select ${columns} from app_search s where ${isHit(kind, parameters)}${further} limit ${maxHits})`;
  const number = (kind: HitKind) => `(select count(*) from ${kind}_hits)`;
  const textual = kinds.filter((kind) => kind !== 'similar');
  const isTextual = hasWordHits ? `(${hasPrefix} or ${hasWords})` : hasPrefix;
  const isNoWordHit = hasWordHits ? ' and s.app_id <> all (array(select h.app_id from words_hits h))' : '';
  return `
  q as materialized (
    select f.name, f.name || chr(1114111) as name_end, f.words, f.words && ${terms} as filtered_words
    from (select nullif(fold_name(${text}), '') as name, nullif(search_query(${words}), '') as words) f),
  ${textual.map((kind) => table(kind)).join(',')},
  few as materialized (
    select ${textual.map(number).join(' + ')} < ${enough} and (
      select count(*) from (select from app_search s where ${isTextual} limit ${enough}) h) < ${enough} as yes),
  alike as materialized (
    select nullif(alike_query(${text}), '') as words where (select yes from few)),
  ${table('similar', isNoWordHit)},
  size as materialized (select ${kinds.map((kind) => `${number(kind)} as ${kind}_number`).join(', ')})`;
}
