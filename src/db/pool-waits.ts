import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';
import { currentTracer } from '../tracing/tracing.js';
import { keepScope, remainingMs } from './payer.js';

type Callback = (...parameters: unknown[]) => unknown;

/** A holder of a broken connection notices at its next statement and releases it; after this time it never will. */
const RECLAIM_AFTER_MS = 1_000;

/**
 * A pool calls those who wait for a connection in the context of the one who returns it. They wait for `connectMs` at
 * most, and no longer than their request has (D329).
 */
export function keepContext(pool: Pool, connectMs: number): void {
  const connect = pool.connect.bind(pool) as Callback;
  Object.assign(pool, {
    connect: (callback?: Callback) => {
      const leftMs = remainingMs();
      if (leftMs >= connectMs) return connect(callback && inScopeOf(callback));
      if (callback) return connect(within(leftMs, inScopeOf(callback)));
      return new Promise((resolve, reject) => {
        connect(within(leftMs, (error, client) => (error ? reject(error) : resolve(client))));
      });
    },
  });
}

/** Calls back with an error when the time is over, and returns a connection that comes later. */
function within(ms: number, callback: Callback): Callback {
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    callback(new Error('timeout exceeded when trying to connect'));
  }, ms);
  return (error, client, release) => {
    if (isOver) return void (client as PoolClient | undefined)?.release();
    clearTimeout(timer);
    return callback(error, client, release);
  };
}

/** With traces, the whole context is kept. `bind` keeps objects alive for long, so it is not used for the payer alone. */
const inScopeOf = (callback: Callback) =>
  currentTracer() ? AsyncLocalStorage.bind(callback) : keepScope(callback);

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
