/** Requests per second that a row must reach, as a multiple of a baseline in the same run. */
export interface Target {
  readonly bare?: number;
  readonly static?: number;
}

/** The targets for 100,000 apps and one process. */
export const targets: Readonly<Record<string, Target>> = {
  'list-warm': { bare: 8, static: 0.5 },
  featured: { bare: 8, static: 0.5 },
  categories: { bare: 8, static: 0.5 },
  'slug-warm': { bare: 1.3 },
  'list-cold': { bare: 0.8 },
  'search-cold': { bare: 0.8 },
  'graphql-warm': { bare: 3 },
  'graphql-cold': { bare: 0.7 },
  'graphql-developer': { bare: 0.6 },
  authenticated: { bare: 0.6 },
  'install-hot': { bare: 2.5 },
  'install-spread': { bare: 2.5 },
};

/** Maximum time from the start of the process to the first response, with existing data and PostgreSQL running. */
export const READY_WITHIN_S = 2;
export const RESIDENT_UP_TO_MB = 220;
/** Maximum ratio of the p99 at 1,000,000 apps to that at 10,000. */
export const SCALE_UP_TO = 3;
