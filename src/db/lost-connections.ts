import type { Pool } from 'pg';

/** Who holds a connection that has died notices at the next statement, and gives it back at once, or never. */
const FORGOTTEN_AFTER_MS = 1_000;

/**
 * Takes back connections that Kysely loses: one that died before BEGIN, and one that was still being opened when it was
 * told to close, for which closing would wait for ever.
 */
export function reclaimLostConnections(pool: Pool): void {
  const lent = new WeakSet<object>();
  pool.on('acquire', (client) => {
    lent.add(client);
    if (pool.ending) process.nextTick(() => lent.has(client) && client.release(true));
  });
  pool.on('release', (_error, client) => lent.delete(client));
  pool.on('connect', (client) => {
    const reclaim = () => void (lent.has(client) && client.release(true));
    client.once('end', () => setTimeout(reclaim, FORGOTTEN_AFTER_MS).unref());
  });
}
