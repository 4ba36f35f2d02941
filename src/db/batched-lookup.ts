import DataLoader from 'dataloader';
import { isConnectionLost } from '../errors/database-errors.js';
import { chargedTo, currentPayer, type Payer, sharedPayer } from './payer.js';

/** A key, and the payer of its part of the statement. */
interface Lookup {
  readonly key: string;
  readonly payer: Payer | null;
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
  const loader = new DataLoader<Lookup, Row | null>(
    async (lookups) => {
      const rows = new Map((await readAgain(read, lookups)).map((row) => [row.key, row]));
      return lookups.map(({ key }) => rows.get(key) ?? null);
    },
    // All requests that have arrived are read before the statement is sent.
    { cache: false, maxBatchSize: maxKeys, batchScheduleFn: setImmediate },
  );
  return (key) => loader.load({ key, payer: currentPayer() });
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
    { cache: false, maxBatchSize: keysPerStatement, batchScheduleFn: setImmediate },
  );
  return (key) => loader.load({ key, payer: currentPayer() });
}

/** Reads once more if the connection was lost, because that would fail many requests and not only one. */
async function readAgain<Row>(
  read: (keys: readonly string[]) => Promise<Row[]>,
  lookups: readonly Lookup[],
): Promise<Row[]> {
  const keys = lookups.map(({ key }) => key);
  const payer = sharedPayer(lookups.map((lookup) => lookup.payer));
  try {
    return await chargedTo(payer, () => read(keys));
  } catch (error) {
    if (!(error instanceof Error && isConnectionLost(error))) throw error;
    return chargedTo(payer, () => read(keys));
  }
}
