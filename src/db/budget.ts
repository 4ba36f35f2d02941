import type { Config } from '../config.js';

/** The most connections that a process opens for each purpose. */
export type ConnectionShares = Readonly<
  Record<'writes' | 'reads' | 'installs' | 'jobs' | 'limits' | 'listen', number>
>;

/** Divides DATABASE_POOL among the purposes of a gateway (D235). */
export const gatewayShares = ({
  databasePool,
  worksInline,
  rateLimits,
  rateLimitsStore,
}: Pick<Config, 'databasePool' | 'worksInline' | 'rateLimits' | 'rateLimitsStore'>): ConnectionShares =>
  withWrites(databasePool, {
    // Reserved, so that credentials, a caller's own data, the catalog and `/readyz` never wait for writes.
    reads: within(2, databasePool / 4, Number.POSITIVE_INFINITY),
    // A batch takes one, and the other is a reserve; installs of locked apps wait without a connection.
    installs: 2,
    // Without a worker only the metrics use it.
    jobs: worksInline ? jobsOf(databasePool) : within(1, databasePool / 16, 2),
    limits: rateLimits && rateLimitsStore === 'postgres' ? within(1, databasePool / 16, 2) : 0,
    listen: 1,
  });

/** Divides DATABASE_POOL among the purposes of a worker (D235). */
export const workerShares = ({ databasePool }: Pick<Config, 'databasePool'>): ConnectionShares =>
  withWrites(databasePool, { reads: 0, installs: 0, jobs: jobsOf(databasePool), limits: 0, listen: 1 });

/** Jobs are fetched and finished on these connections, and run on those of the writes. */
const jobsOf = (total: number) => within(1, total / 8, 4);

const within = (min: number, part: number, max: number) => Math.min(max, Math.max(min, Math.floor(part)));

/** Gives the rest to requests and jobs that write. */
const withWrites = (total: number, given: Omit<ConnectionShares, 'writes'>): ConnectionShares => ({
  ...given,
  writes: Object.values(given).reduce((rest, size) => rest - size, total),
});
