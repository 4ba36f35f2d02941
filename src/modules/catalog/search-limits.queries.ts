/** Maximum number of hits of each kind that are ranked. A kind with more hits is sorted by installs alone. */
export const maxRanked = 5_000;
/** Maximum number of hits of each kind that are collected if they are not ranked. */
export const maxUnranked = 50_000;
/** Maximum number of names with a prefix that are collected before the index of installs is scanned for them. */
export const maxScannedNames = 1_000;
/** With fewer hits than this, apps with similar names are added. */
export const enoughHits = 20;

export const isPrefixMatch = 's.name >= (select name from q) and s.name < (select name_end from q)';
/** Prefix matches are ranked first and excluded here. */
export const isWordMatch = `s.document @@ (select words from q) and (${isPrefixMatch}) is not true`;
