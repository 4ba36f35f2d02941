import type { Pool } from 'pg';

/** Who holds a connection that has died notices at the next statement, and gives it back at once, or never. */
const FORGOTTEN_AFTER_MS = 1_000;

/** Takes back connections that died in the hands of somebody who never returns them, as Kysely does when BEGIN fails. */
export function reclaimDeadConnections(pool: Pool): void {
  const lent = new WeakSet<object>();
  pool.on('acquire', (client) => lent.add(client));
  pool.on('release', (_error, client) => lent.delete(client));
  pool.on('connect', (client) => {
    const reclaim = () => void (lent.has(client) && client.release(true));
    client.once('end', () => setTimeout(reclaim, FORGOTTEN_AFTER_MS).unref());
  });
}
