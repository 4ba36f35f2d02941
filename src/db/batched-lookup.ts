import DataLoader from 'dataloader';
import { isConnectionLost } from '../errors/database-errors.js';
import { currentScope, inOwnTime, type RequestScope, runForAll } from './payer.js';

/** A key, and the scope of the request that looks it up. */
interface Lookup {
  readonly key: string;
  readonly scope: RequestScope;
}

/** More keys than requests that arrive at the same moment usually have. */
const maxKeys = 100;

/**
 * Returns a function that looks up a row by its key. Look-ups that are requested at the same time, by whichever request,
 * share a statement. Each sees what was committed before it was requested; no row is kept.
 */
export function batchedLookup<Row extends { key: string }>(
  read: (keys: readonly string[]) => Promise<Row[]>,
): (key: string) => Promise<Row | null> {
  const rowsOf = batchedLists(read, maxKeys);
  return async (key) => (await rowsOf(key))[0] ?? null;
}

/**
 * The same for lists: returns a function that reads all rows of a key, in their order. At most `keysPerStatement` share a
 * statement, since none of them has its list before all have been read.
 */
export function batchedLists<Row extends { key: string }>(
  read: (keys: readonly string[]) => Promise<Row[]>,
  keysPerStatement: number,
): (key: string) => Promise<Row[]> {
  const loader = new DataLoader<Lookup, Row[]>(
    async (lookups) => {
      const rows = Map.groupBy(await readAgain(read, lookups), ({ key }) => key);
      return lookups.map(({ key }) => rows.get(key) ?? []);
    },
    // All requests that have arrived are read before the statement is sent.
    { cache: false, maxBatchSize: keysPerStatement, batchScheduleFn: setImmediate },
  );
  return (key) => inOwnTime(loader.load({ key, scope: currentScope() }));
}

/** Reads once more if the connection was lost, because that would fail many requests and not only one. */
async function readAgain<Row>(
  read: (keys: readonly string[]) => Promise<Row[]>,
  lookups: readonly Lookup[],
): Promise<Row[]> {
  const keys = lookups.map(({ key }) => key);
  const scopes = lookups.map(({ scope }) => scope);
  try {
    return await runForAll(scopes, () => read(keys));
  } catch (error) {
    if (!(error instanceof Error && isConnectionLost(error))) throw error;
    return runForAll(scopes, () => read(keys));
  }
}
