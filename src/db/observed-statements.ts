import { AsyncLocalStorage } from 'node:async_hooks';
import type { Client, Pool, PoolClient } from 'pg';
import { currentTracer } from '../tracing/tracing.js';
import { keepScope, remainingMs } from './payer.js';

type Query = (...parameters: unknown[]) => unknown;
type Callback = (error: unknown, result: unknown) => void;

/** Called when a statement is requested; returns the function to call when it has ended, or null. */
type StartObserving = (statement: unknown) => ((error?: unknown) => void) | null;

/** Observes the start and the end of each statement of a connection, whichever way it is requested. */
export function observeStatements(client: Client, start: StartObserving): void {
  const query = client.query.bind(client) as Query;
  Object.assign(client, {
    query: (statement: unknown, ...others: unknown[]) => {
      const end = start(statement);
      if (!end) return query(statement, ...others);
      const callback = others.at(-1);
      if (typeof callback === 'function') {
        const ending: Callback = (error, result) => {
          end(error);
          (callback as Callback)(error, result);
        };
        return query(statement, ...others.with(-1, ending));
      }
      const result = query(statement, ...others);
      Promise.resolve(result).then(() => end(), end);
      return result;
    },
  });
}

/**
 * A pool calls those who wait for a connection in the context of the one who returns it. They wait for `connectMs` at
 * most, and no longer than their request has (D329).
 */
export function keepContext(pool: Pool, connectMs: number): void {
  const connect = pool.connect.bind(pool) as Query;
  Object.assign(pool, {
    connect: (callback?: Query) => {
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
function within(ms: number, callback: Query): Query {
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
const inScopeOf = (callback: Query) =>
  currentTracer() ? AsyncLocalStorage.bind(callback) : keepScope(callback);
