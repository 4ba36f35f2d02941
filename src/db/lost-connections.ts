import type { Pool } from 'pg';

/** A holder of a broken connection notices at its next statement and releases it; after this time it never will. */
const RECLAIM_AFTER_MS = 1_000;

/**
 * Releases connections that Kysely never returns to the pool: one that broke before BEGIN, and one that was still opening
 * when the pool was closed, for which `pool.end()` would wait forever.
 */
export function reclaimLostConnections(pool: Pool): void {
  const acquired = new WeakSet<object>();
  pool.on('acquire', (client) => {
    acquired.add(client);
    if (pool.ending) process.nextTick(() => acquired.has(client) && client.release(true));
  });
  pool.on('release', (_error, client) => acquired.delete(client));
  pool.on('connect', (client) => {
    const reclaim = () => void (acquired.has(client) && client.release(true));
    client.once('end', () => setTimeout(reclaim, RECLAIM_AFTER_MS).unref());
  });
}
