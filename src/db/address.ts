import type { Config } from '../config.js';

/** Where the statements of a process go. */
export interface DatabaseAddress {
  readonly url: string;
  /** Leads to PostgreSQL itself, for migrations, LISTEN and the job queue. */
  readonly directUrl: string;
  /** True: `url` leads to a pooler in transaction mode. */
  readonly pooled: boolean;
}

/** Returns the addresses of a database; with DATABASE_DIRECT_URL the other one leads to a pooler. */
export const addressOf = (
  url: string,
  { databaseDirectUrl }: Pick<Config, 'databaseDirectUrl'>,
): DatabaseAddress => ({
  url,
  directUrl: databaseDirectUrl ?? url,
  pooled: databaseDirectUrl !== null && databaseDirectUrl !== url,
});
