import { dirname, join, resolve } from 'node:path';
import { openDataDir } from '../db/data-dir.js';
import { withClient } from '../db/pool.js';
import { findBinaries } from './binaries.js';
import { createCluster, requireVersion, SUPERUSER } from './cluster.js';
import { findHome, passwordOf, recordState } from './home.js';
import { lockFolder } from './lock.js';
import { endOrphan } from './postmaster.js';
import { type Server, startServer } from './server.js';

/** A running PostgreSQL that this process started and stops. */
export interface EmbeddedDatabase {
  readonly url: string;
  /** True until `settle` was called, so that an interrupted first start is repeated. */
  readonly isNew: boolean;
  /** Folder of the data: inside DATA_DIR, or where DATA_DIR records it. */
  readonly directory: string;
  /** Resolves with the reason if the database ends without a call of `stop`. */
  readonly died: Promise<string>;
  /** Records that a new database has its first content. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/** Options of an embedded database. */
export interface EmbeddedOptions {
  readonly dataDir: string;
  /** False: no fsync, for the temporary clusters of tests. */
  readonly durable?: boolean;
  /** PostgreSQL's own settings, such as max_connections. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly onProgress?: (message: string) => void;
  /** Aborts a start that has not finished. */
  readonly signal?: AbortSignal;
}

const DATABASE = 'marketplace';

/** Returns the address of an embedded database. */
export const embeddedUrl = (port: number, password: string, name = DATABASE): string =>
  `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${name}?sslmode=disable`;

const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Starts the PostgreSQL of a DATA_DIR, which the first start creates; fails if another server uses it. */
export async function startEmbeddedDatabase(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const dataDir = resolve(options.dataDir);
  await openDataDir(dataDir);
  const unlock = [await lockFolder(dataDir, dataDir)];
  const unlockAll = async () => {
    for (const release of unlock.toReversed()) await release();
  };
  try {
    return await startLocked(dataDir, options, unlock, unlockAll);
  } catch (error) {
    await unlockAll();
    throw error;
  }
}

async function startLocked(
  dataDir: string,
  options: EmbeddedOptions,
  unlock: (() => Promise<void>)[],
  unlockAll: () => Promise<void>,
): Promise<EmbeddedDatabase> {
  const { durable = true, onProgress = () => undefined, signal } = options;
  const home = await findHome(dataDir);
  // Two copies of a DATA_DIR may record the same cluster outside of them.
  if (dirname(home.directory) !== dataDir) unlock.push(await lockFolder(dirname(home.directory), dataDir));
  const binaries = await findBinaries(home.account, onProgress);
  const password = await passwordOf(home);
  if (home.state === 'creating') {
    onProgress('Making the database (first start)…');
    await createCluster(home, binaries, password, { durable, signal });
    await recordState(home, 'new');
  }
  await requireVersion(home, binaries);
  await endOrphan(home.directory, binaries, onProgress);
  const server = await startServer({
    binaries,
    directory: home.directory,
    account: home.account,
    logFile: join(dataDir, 'postgres.log'),
    settings: { ...(durable ? {} : NOT_DURABLE), ...options.settings },
    signal,
  });
  await ensureDatabase(server, embeddedUrl(server.port, password, 'postgres'));
  let stopped: Promise<void> | null = null;
  return {
    url: embeddedUrl(server.port, password),
    isNew: home.state !== 'settled',
    directory: home.directory,
    died: server.died,
    settle: () => recordState(home, 'settled'),
    stop: () => {
      stopped ??= server.stop().then(unlockAll);
      return stopped;
    },
  };
}

async function ensureDatabase(server: Server, url: string): Promise<void> {
  try {
    await withClient({ url, purpose: 'tools' }, async (client) => {
      const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
      if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
    });
  } catch (error) {
    await server.stop();
    throw error;
  }
}
