import { randomBytes } from 'node:crypto';
import { access, chmod, constants, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runsAsRoot } from '../embedded-postgres/account.js';
import { StartupError } from '../errors.js';

const PROBE_BYTES = 8_192;

/**
 * Creates DATA_DIR if it is missing, and checks that files can be written there. Only its owner can read it, but root's
 * can be entered by the database's user.
 */
export async function openDataDir(dataDir: string): Promise<void> {
  try {
    if (await createFolder(dataDir)) await chmod(dataDir, runsAsRoot() ? 0o711 : 0o700);
    if (!(await stat(dataDir)).isDirectory()) throw new Error('it is not a folder');
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    await writeProbe(dataDir);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartupError(
      `DATA_DIR ${dataDir} cannot be used (${reason}): choose another DATA_DIR, or start as the user who owns it.`,
      { cause },
    );
  }
}

/**
 * Creates a folder and its parents, and returns false if it exists. With its option `recursive`, Node never returns where
 * no folder can be created although the parent exists, as in /proc.
 */
async function createFolder(path: string): Promise<boolean> {
  const attempt = () =>
    mkdir(path).then(
      () => null,
      (error: NodeJS.ErrnoException) => error,
    );
  let error = await attempt();
  if (error?.code === 'ENOENT' && dirname(path) !== path) {
    await createFolder(dirname(path));
    error = await attempt();
  }
  if (error && error.code !== 'EEXIST') throw error;
  return error === null;
}

/** Finds out what permissions do not tell: a full or read-only volume. */
async function writeProbe(folder: string): Promise<void> {
  const file = join(folder, `.probe-${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(file, Buffer.alloc(PROBE_BYTES), { flag: 'wx', mode: 0o600, flush: true });
  } finally {
    await rm(file, { force: true });
  }
}
