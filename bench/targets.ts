/** Results that a row must reach, compared with others in the same run. */
export interface Target {
  /** Requests per second, as a multiple of a baseline. */
  readonly bare?: number;
  readonly static?: number;
  /** Requests per second, as a multiple of our own in another row. */
  readonly row?: readonly [name: string, multiple: number];
  readonly p99Ms?: number;
  /** Every request must have a correct response. */
  readonly noErrors?: boolean;
}

/** The targets for 100,000 apps and one process. */
export const targets: Readonly<Record<string, Target>> = {
  'list-warm': { static: 0.6 },
  'list-cold': { bare: 2.2 },
  'slug-warm': { static: 0.6 },
  'slug-cold': { bare: 1.3 },
  deep: { bare: 8 },
  featured: { static: 0.5 },
  categories: { static: 0.6 },
  'search-popular': { bare: 1 },
  'search-relevance': { bare: 1 },
  suggest: { bare: 5, p99Ms: 15 },
  'graphql-warm': { static: 0.5 },
  'graphql-cold': { bare: 1.6 },
  'graphql-slug': { bare: 0.85 },
  authenticated: { bare: 1.2 },
  'install-hot': { bare: 7 },
  'install-spread': { bare: 2.3 },
  'install-32': { bare: 2.3 },
  'install-graphql': { bare: 1.4 },
  'install-keyed': { row: ['install-spread', 0.8] },
  mixed: { bare: 2.5 },
  'open-mixed': { p99Ms: 50, noErrors: true },
};

/** Minimum ratio of the requests per second with CORS and rate limits to those without both. */
export const LIMITED_FROM = 0.9;
/** Maximum time from the start of the process to the first response, with existing data and PostgreSQL running. */
export const READY_WITHIN_S = 1;
/** Maximum ratio of the time of a first `npm start` to that of `npm ci`. */
export const FIRST_START_UP_TO = 1.15;
export const RESIDENT_UP_TO_MB = 190;
/** Searches by popularity, with their totals, for a topic of one percent of 1,000,000 apps, with 32 callers. */
export const COMMON_SEARCH = { perSecond: 400, p99Ms: 150 };
/** Maximum ratio of the p99 at 1,000,000 apps to that at 10,000. */
export const SCALE_UP_TO = 3;
