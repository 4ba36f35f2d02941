import type { Config } from '../config.js';

/** A purpose's share of DATABASE_POOL: a part of it, within bounds. */
interface Share {
  readonly part: number;
  readonly min: number;
  readonly max: number;
}

/** Shares of the purposes; requests and jobs that write have the rest. */
const shares = {
  // One connection for all channels.
  listen: { part: 0, min: 1, max: 1 },
  // One for each of two queues; installs of locked apps wait without a connection.
  installs: { part: 0, min: 2, max: 2 },
  // Fetches and finishes jobs; they run on the connections of the writes.
  jobs: { part: 1 / 8, min: 1, max: 4 },
  // Without a worker only the metrics use it.
  idleJobs: { part: 1 / 16, min: 1, max: 2 },
  limits: { part: 1 / 16, min: 1, max: 2 },
  // Reserved, so that credentials, a caller's own data, the catalog and `/readyz` never wait for writes.
  reads: { part: 1 / 4, min: 2, max: Number.POSITIVE_INFINITY },
} satisfies Record<string, Share>;

/** The most connections that a process opens for each purpose. */
export interface ConnectionShares {
  readonly writes: number;
  readonly reads: number;
  readonly installs: number;
  readonly jobs: number;
  readonly limits: number;
  readonly listen: number;
}

/** Divides DATABASE_POOL among the purposes of a gateway (D235). */
export function gatewayShares({
  databasePool,
  worksInline,
  rateLimits,
  rateLimitsStore,
}: Pick<Config, 'databasePool' | 'worksInline' | 'rateLimits' | 'rateLimitsStore'>): ConnectionShares {
  const given = {
    listen: sizeOf(shares.listen, databasePool),
    installs: sizeOf(shares.installs, databasePool),
    jobs: sizeOf(worksInline ? shares.jobs : shares.idleJobs, databasePool),
    limits: rateLimits && rateLimitsStore === 'postgres' ? sizeOf(shares.limits, databasePool) : 0,
    reads: sizeOf(shares.reads, databasePool),
  };
  return { ...given, writes: restOf(given, databasePool) };
}

/** Divides DATABASE_POOL among the purposes of a worker (D235). */
export function workerShares({ databasePool }: Pick<Config, 'databasePool'>): ConnectionShares {
  const given = {
    listen: sizeOf(shares.listen, databasePool),
    installs: 0,
    jobs: sizeOf(shares.jobs, databasePool),
    limits: 0,
    reads: 0,
  };
  return { ...given, writes: restOf(given, databasePool) };
}

const sizeOf = ({ part, min, max }: Share, total: number) =>
  Math.min(max, Math.max(min, Math.floor(total * part)));

const restOf = (given: Record<string, number>, total: number) =>
  Object.values(given).reduce((rest, size) => rest - size, total);
