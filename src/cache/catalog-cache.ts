import type { Logger } from 'pino';
import { DatabaseListener } from '../db/listen.js';
import { CatalogVersion } from './catalog-version.js';
import { Signposts } from './page-index.js';
import { Answers } from './response-cache.js';

/** The channel and the words of the database's triggers. */
const CHANNEL = 'catalog';
const COUNTS = 'counts';

/** What this process remembers of the catalog, and how it learns that it is so no longer. */
export interface Memory {
  readonly catalog: CatalogVersion;
  readonly answers: Answers;
  readonly signposts: Signposts;
  close(): Promise<void>;
}

interface MemoryOptions {
  databaseUrl: string;
  log: Logger;
  /** How long a count may lag. */
  countsLagMs?: number | undefined;
  /** Executes a statement on a connection of the service's own. */
  execute(sql: string, values: readonly string[]): Promise<unknown>;
}

/** Begins to listen to what happens to the catalog. Nothing is remembered until it is heard. */
export function openMemory({ databaseUrl, log, countsLagMs, execute }: MemoryOptions): Memory {
  const catalog = new CatalogVersion(() => listener.isAlive(), countsLagMs);
  const listener = new DatabaseListener({
    databaseUrl,
    log,
    channel: CHANNEL,
    // A word that nobody knows is one too many rather than one too few.
    onNotification: (payload) => catalog.changed(payload === COUNTS ? 'counts' : 'listings'),
    onConnected: () => catalog.raise(),
    notify: (payload) => execute('select pg_notify(?, ?)', [CHANNEL, payload]),
  });
  return {
    catalog,
    answers: new Answers(catalog),
    signposts: new Signposts(catalog),
    async close() {
      catalog.close();
      await listener.close();
    },
  };
}
