import { AsyncLocalStorage } from 'node:async_hooks';
import type { Client, Pool } from 'pg';
import { currentTracer } from '../tracing/tracing.js';
import { keepScope } from './payer.js';

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

/** A pool calls those who wait for a connection in the context of the one who returns it. */
export function keepContext(pool: Pool): void {
  const connect = pool.connect.bind(pool) as Query;
  Object.assign(pool, {
    connect: (callback?: Query) => connect(callback && inScopeOf(callback)),
  });
}

/** With traces, the whole context is kept. `bind` keeps objects alive for long, so it is not used for the payer alone (D311). */
const inScopeOf = (callback: Query) =>
  currentTracer() ? AsyncLocalStorage.bind(callback) : keepScope(callback);
