import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../errors.js';
import { embeddedUrl, startEmbeddedDatabase } from './embedded.js';
import { findHome, hasDatabase, passwordOf } from './home.js';
import { DataDirInUse } from './lock.js';
import { postmasterFile } from './postmaster.js';

/** An embedded database that a tool uses for a while. */
export interface ExistingDatabase {
  readonly url: string;
  /** True if a gateway runs it; otherwise it was started for the tool. */
  readonly isShared: boolean;
  close(): Promise<void>;
}

const READY_TIMEOUT_MS = 30_000;

/**
 * Opens the database of a DATA_DIR: connects to the one that a gateway runs, or starts it until `close`. Returns null if
 * there is none.
 */
export async function openExistingDatabase(
  dataDir: string,
  signal?: AbortSignal,
): Promise<ExistingDatabase | null> {
  const folder = resolve(dataDir);
  if (!(await hasDatabase(folder))) return null;
  try {
    const { url, stop } = await startEmbeddedDatabase({ dataDir: folder, ...(signal && { signal }) });
    return { url, isShared: false, close: stop };
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error;
    return { url: await runningUrl(folder), isShared: true, close: async () => undefined };
  }
}

/** Waits for the database of a gateway that may just be starting, and returns its address. */
async function runningUrl(dataDir: string): Promise<string> {
  const home = await findHome(dataDir);
  const password = await passwordOf(home);
  for (const deadline = Date.now() + READY_TIMEOUT_MS; Date.now() < deadline; await delay(100)) {
    const { port, status } = await postmasterFile(home.directory);
    if (status === 'ready') return embeddedUrl(port, password);
  }
  throw new StartupError(
    `A gateway uses DATA_DIR ${dataDir}, but its database is not ready: try again when the gateway has started.`,
  );
}
