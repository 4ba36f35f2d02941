import type { AppSort } from './catalog.types.js';
import { type SortKey, sortKeys } from './statement-builder.queries.js';

/** A search with more hits than this is sorted by installs within a tier: ranking them would take too long. */
export const maxRanked = 5_000;
/** Relevance = tier × this + score: an integer, so that a cursor stores it exactly. */
const tierSize = 10_000_000;
export const tier = { exact: 3 * tierSize, prefix: 2 * tierSize, words: tierSize, similar: 0 };

/** Text matches are ranked by the weights of their words, similar names by their similarity. Installs raise both. */
export const score = (rank: string) =>
  `least(${tierSize - 1}, 1000000 * (1 + ln(1 + g.install_count) / 10) * ${rank})::integer`;
const wordRank = 'ts_rank(g.headline, (select words from q))';
export const similarity = 'similarity(g.name, (select name from q)) ^ 3';

/** The conditions on a hit `h` with the text to be in a tier. */
export const isInTier = {
  exact: 'h.name = (select name from q)',
  prefix: 'h.name > (select name from q) and h.name < (select name_end from q)',
  words: '(h.name >= (select name from q) and h.name < (select name_end from q)) is not true',
};

export interface SearchOrder {
  keys: readonly SortKey[];
  isByRelevance: boolean;
  /** Ranks the hits with the text within their tier; null where only installs do. */
  rank: string | null;
  /** The columns by which hits are ranked and assigned to tiers. The headline is not in the index of names. */
  hitColumns: readonly ('name' | 'headline')[];
}

export const searchOrder = (sort: AppSort): SearchOrder => ({
  keys: sortKeys(sort, 'search'),
  isByRelevance: sort === 'relevance',
  rank: wordRank,
  hitColumns: sort === 'relevance' ? ['name', 'headline'] : [],
});
export const suggestionOrder: SearchOrder = {
  keys: sortKeys('relevance', 'search'),
  isByRelevance: true,
  rank: null,
  hitColumns: ['name'],
};
