import {
  enoughHits,
  isPrefixMatch,
  maxRanked,
  maxScannedNames,
  maxUnranked,
} from './search-limits.queries.js';

interface FrequentHits {
  /** Columns of the hits. */
  columns: string;
  /** The filters, on `app_search s` and on `word_counts c`. */
  filter: string;
  countFilter: string;
  /** Number of hits up to the end of the page. */
  needed: string;
  /** Names that start with the text are sorted among the matches of the word, or apart, before them. */
  names: 'among' | 'apart';
}

/**
 * Tables for the search for one frequent word, sorted by installs (D314). The number of its apps is known, and the index of
 * popular apps has the hits that the page can show. They are used only if there are enough of them: without them, or for
 * other words, all hits are collected.
 */
export function frequentHits({ columns, filter, countFilter, needed, names }: FrequentHits) {
  const hasWord = 's.headline @@ (select words from q) or s.document @@ (select words from q)';
  const isKnown = `(select apps >= ${enoughHits} from known)`;
  const isUsed = '(select is_used from frequent)';
  const complete = '(select l.complete from popular_level l)';
  const isAmong = names === 'among';
  const namesWith = (word: string) => `(select count(*) from named where ${word})`;
  const tables = `
    known as materialized (
      select sum(c.apps) as apps from word_counts c
      where c.word = (select f.word from frequent_words f where f.counted and f.word = (select word from q))${countFilter}),
    ${
      isAmong
        ? `by_name as materialized (
      select s.app_id, s.install_level from app_search s
      where ${isKnown} and ${isPrefixMatch}${filter} limit ${maxScannedNames + 1}),`
        : ''
    }
    named as materialized (
      select n.app_id, n.install_level, (select ${hasWord} from app_search s where s.app_id = n.app_id) as has_word
      from by_name n where ${isKnown} and (select count(*) <= ${maxScannedNames} from by_name)),
    popular as materialized (
      select ${columns} from app_search s
      where ${isKnown} and s.popular and s.install_level >= ${complete}
        and s.document @@ (select filtered from q)${isAmong ? '' : ` and (${isPrefixMatch}) is not true`}${filter}
      limit ${maxRanked + 1}),
    frequent as materialized (
      select k.words, k.words ${isAmong ? '> 0' : `> ${maxRanked}`} and (select count(*) <= ${maxScannedNames} from by_name)
        and (select count(*) between ${needed} and ${maxRanked} from popular) as is_used
      from (select apps ${isAmong ? `+ ${namesWith('not has_word')}` : `- ${namesWith('has_word')}`} as words from known) k),`;
  return {
    tables,
    hits: `select p.* from popular p where ${isUsed}${
      isAmong
        ? ` union all select n.app_id, n.install_level from named n where not n.has_word and n.install_level >= ${complete} and ${isUsed}`
        : ''
    }`,
    isNotUsed: `${isUsed} is not true`,
    /** The number of hits of the words, as if they had been collected. */
    total: (collected: string) => `
      case when f.is_used then least(f.words, ${maxUnranked}) else (select count(*) from ${collected}) end as words,
      case when f.is_used then greatest(f.words - ${maxUnranked}, 0) else 0 end as uncollected from frequent f`,
  };
}
