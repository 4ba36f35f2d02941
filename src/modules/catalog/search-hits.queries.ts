import { Environment } from '../apps/app.entity.js';
import {
  type CatalogFilter,
  isByInstalls,
  type SortKey,
  type StatementBuilder,
} from './statement-builder.queries.js';

/** Filters of the catalog with a search text. */
export type SearchFilter = CatalogFilter & { search: string };

/**
 * The variant of a search statement. `few` collects all hits and sorts them, which suits nearly all searches. With more
 * hits than that, it returns only `isMany`, and the `many` variant is sent, which scans the index of the sort order until
 * the page is full. `few` leaves that part out, because preparing it would take a third of its time.
 */
export type SearchVariant = 'few' | 'many';
/** The fields that every row of a search has. With `isMany`, or without hits, there is one row whose id is null. */
export interface SearchRow {
  id: string | null;
  isMany?: boolean;
}
/** Maximum number of hits of each kind that are ranked. A kind with more hits is sorted by installs alone. */
export const maxRanked = 5_000;
/** Maximum number of hits of each kind that are collected if they are not ranked. */
const maxUnranked = 50_000;
/** Maximum number of names with a prefix that are collected before the index of installs is scanned for them. */
const maxScannedNames = 1_000;
/** With fewer hits than this, apps with similar names are added. */
export const enoughHits = 20;
/** Relevance = tier × this + score: an integer, so that a cursor stores it exactly. */
export const tierSize = 10_000_000;

export const isPrefixMatch = 's.name >= (select name from q) and s.name < (select name_end from q)';
/** Prefix matches are ranked first and excluded here. */
export const isWordMatch = `s.document @@ (select words from q) and (${isPrefixMatch}) is not true`;
/** Found in the index of the words of names (D307). */
export const isSimilarTo = "ts_filter(s.headline, '{a}') @@ (select words from alike)";
/** Similar names among the apps that `others` does not contain. */
const isSimilarBeside = (others: string) => `${isSimilarTo}
  and not exists (select from ${others} w where w.app_id = s.app_id)`;
export const isSimilar = `${isSimilarBeside('by_words')} and (${isPrefixMatch}) is not true`;

/**
 * Ranks within a tier: text matches by the weights of their words, similar names by their similarity, and both raised by
 * the number of installs. The tiers are exact name (3), prefix of the name (2), words (1), similar name (0).
 */
const scoreOf = (logarithm: string, factor: string) =>
  `least(${tierSize - 1}, 1000000 * (1 + ${logarithm} / 10) * ${factor})::integer`;
const score = (factor: string) => scoreOf('ln(1 + a.install_count)', factor);
const likeness = 'similarity(g.name, (select name from q)) ^ 3';
const factor = `case when g.tier = 0 then ${likeness} else ts_rank(g.headline, (select words from q)) end`;
export const hitScore = score(factor);
export const likenessScore = score(likeness);
const tierStart = `case when g.name = (select name from q) then 3 else g.tier end * ${tierSize}`;
export const relevance = (scoreSql: string) => `${tierStart} + ${scoreSql}`;

/** The relevance of hits in `ranked`, in the parts that are known before their numbers of installs. */
const partsOf = (tier: string, ranking: string) =>
  `g.app_id, ${tier} as tier_start, ${ranking} as factor, g.install_level`;
export const rankedParts = partsOf(tierStart, factor);
export const likenessParts = partsOf('0', likeness);
export const rankedRelevance = `g.tier_start + ${score('g.factor')}`;
/** Bounds of the level of installs (D308); a level that is not known yet can be any. */
const maxInstallLevel = 42;
const minLevel = 'coalesce(g.install_level, 0)';
const maxLevel = `coalesce(g.install_level, ${maxInstallLevel})`;
/** Bounds of the relevance and, for equal relevance, of the level: level ≤ 2 × ln(1 + installs) < level + 1. */
export const minRelevance = `g.tier_start + ${scoreOf(`(${minLevel}::float8 / 2)`, 'g.factor')} as relevance, ${minLevel} as level`;
export const maxRelevance = `g.tier_start + ${scoreOf(`((${maxLevel} + 1)::float8 / 2)`, 'g.factor')}, ${maxLevel}`;

/** The use of the collected hits. It decides which columns are collected, and how many hits of each kind. */
export type HitUse = 'rank' | 'sortByInstalls' | 'sort' | 'count' | 'scan' | 'scanNames';
const hitColumns: Record<HitUse, string> = {
  rank: 's.app_id, s.name, s.headline, s.install_level',
  sortByInstalls: 's.app_id, s.install_level',
  sort: 's.app_id',
  count: 's.app_id, s.category, s.environment',
  scan: 's.app_id, s.name, s.headline, s.category, s.environment',
  scanNames: 's.app_id, s.name',
};
type HitLimits = Record<'names' | 'words' | 'alike', number>;
export const hitLimits: Record<HitUse, HitLimits> = {
  // Word matches have no exact names among them, so they can be sorted by installs without a look at their texts.
  rank: { names: maxRanked, words: maxUnranked, alike: maxRanked },
  sortByInstalls: { names: maxUnranked, words: maxUnranked, alike: maxUnranked },
  sort: { names: maxUnranked, words: maxUnranked, alike: maxUnranked },
  count: { names: maxUnranked, words: maxUnranked, alike: maxUnranked },
  scan: { names: maxRanked, words: maxRanked, alike: maxRanked },
  scanNames: { names: maxScannedNames, words: 0, alike: maxRanked },
};

export const fewHits = (use: HitUse) =>
  Object.entries(hitLimits[use])
    .map(([kind, limit]) => `${kind} <= ${limit}`)
    .join(' and ');
/** SQL for whether the `few` variant has collected all hits. */
export const hasFewHits = (use: HitUse) => `(select ${fewHits(use)} from size)`;

/** Returns what a page statement does with its hits. */
export const hitUse = (variant: SearchVariant, keys: readonly SortKey[]): HitUse =>
  variant === 'many' ? 'scan' : isByRelevance(keys) ? 'rank' : isByInstalls(keys) ? 'sortByInstalls' : 'sort';
export const isByRelevance = (keys: readonly SortKey[]) => keys.some(({ column }) => column === 'relevance');

/** Collects the hits, without duplicates. If the search text contains no words, or they are not used, only names can match. */
export function collectHits(
  builder: StatementBuilder,
  { search, ...filter }: SearchFilter,
  { use }: { use: HitUse },
): string {
  const searchParam = builder.bind(search, 'text');
  const filterSql = builder.filterConditions(filter, 's', 'app_id');
  const terms = filterTerms(filter);
  const termParam = terms && builder.bind(terms, 'tsquery');
  const columnSql = builder.filterConditions(filtersWithoutTerms(filter), 's', 'app_id');
  const termSql = `${terms && ` and s.document @@ ${termParam}`}${columnSql}`;
  const limits = hitLimits[use];
  const tellsKindsApart = use !== 'sort' && use !== 'sortByInstalls';
  const firstHits = (kind: keyof HitLimits, condition: string) => `
    select ${hitColumns[use]} from app_search s where ${condition} limit ${limits[kind] + 1}`;
  const countUnfiltered = (condition: string) =>
    `(select count(*) from (select from app_search s where ${condition} limit ${enoughHits}) h)`;
  const unfiltered = `${countUnfiltered(isPrefixMatch)} + ${countUnfiltered(isWordMatch)}`;
  // The kinds need not be told apart unless they are ranked: one scan then finds both.
  const matches = tellsKindsApart
    ? `by_name as materialized (${firstHits('names', `${isPrefixMatch}${filterSql}`)}),
    by_words as materialized (${firstHits('words', `${isWordMatch}${termSql}`)}),
    counted as materialized (
      select (select count(*) from by_name) as names, (select count(*) from by_words) as words)`
    : `matched as materialized (${firstHits('words', `(s.document @@ (select filtered from q) or ${isPrefixMatch})${filterSql}`)}),
    counted as materialized (select 0::bigint as names, count(*) as words from matched)`;
  return `with
    q as materialized (
      select f.name, f.name || chr(1114111) as name_end, f.words${terms && !tellsKindsApart ? ` && ${termParam}` : ''} as filtered, f.words
      from (select nullif(fold_name(${searchParam}), '') as name,
        ${use === 'scanNames' ? 'null::tsquery' : `nullif(search_query(${searchParam}), '')`} as words) f),
    ${matches},
    few as materialized (
      select names + words < ${enoughHits}${filterSql && ` and ${unfiltered} < ${enoughHits}`} as yes from counted),
    alike as materialized (
      select nullif(alike_query(${searchParam}), '') as words where (select yes from few)),
    by_likeness as materialized (${firstHits(
      'alike',
      `(select yes from few) and ${tellsKindsApart ? isSimilar : isSimilarBeside('matched')}${termSql}`,
    )}),
    size as materialized (select c.*, (select count(*) from by_likeness) as alike from counted c),
    gathered as not materialized (${tellsKindsApart ? gatheredHits(use) : unrankedHits})`;
}

/** All hits of the `few` variant; none if there are too many. */
const unrankedHits = `
      select h.* from matched h where ${hasFewHits('sort')}
      union all select h.* from by_likeness h where ${hasFewHits('sort')}`;

/** Unites the kinds of hits that are small enough. In the `few` variant there are none if one kind is too large. */
function gatheredHits(use: Exclude<HitUse, 'sort' | 'sortByInstalls'>): string {
  const gate = (kind: keyof HitLimits) => {
    const limit = use === 'rank' ? maxRanked : hitLimits[use][kind];
    return `(select ${use === 'rank' ? `${fewHits(use)} and ` : ''}${kind} <= ${limit} from size)`;
  };
  return `
      select h.*, 2 as tier from by_name h where ${gate('names')}
      union all select h.*, 1 from by_words h where ${gate('words')}
      union all select h.*, 0 from by_likeness h where ${gate('alike')}`;
}

/**
 * Returns the filters as index terms that no text contains, so that the full-text index applies them too. Filters that
 * most apps match are left out: reading their long lists in the index takes longer than checking each hit (D306).
 */
const filterTerms = ({ category, environment, featured }: CatalogFilter): string =>
  [category, environment === Environment.production ? null : environment, featured ? 'featured' : null]
    .filter(Boolean)
    .map((term) => `'=${term}'`)
    .join(' & ');

/** Returns the filters that have no index term. */
const filtersWithoutTerms = ({ environment, featured, developer }: CatalogFilter): CatalogFilter => ({
  ...(environment === Environment.production && { environment }),
  ...(featured === false && { featured }),
  ...(developer && { developer }),
});

/** Adds a table of all matches for counting, including kinds with too many hits to collect. */
export function allMatches(builder: StatementBuilder, filter: CatalogFilter, use: 'count' | 'scan'): string {
  const filterSql = builder.filterConditions(filter, 's', 'app_id');
  const every = (kind: keyof HitLimits, condition: string) => `
    select s.category, s.environment from app_search s
    where (select ${kind} > ${hitLimits[use][kind]} from size) and ${condition}${filterSql}`;
  return `,
    matched as (
      select g.category, g.environment from gathered g
      union all ${every('names', isPrefixMatch)}
      union all ${every('words', isWordMatch)}
      union all ${every('alike', isSimilar)})`;
}

export const collectedTotal = '(select names + words + alike from size)';
export const matchTotal = `(select case when ${hasFewHits('scan')} then ${collectedTotal} else (select count(*) from matched) end)`;
