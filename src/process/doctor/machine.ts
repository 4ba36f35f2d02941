import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config.js';
import { isSupported, MIN_NODE } from '../node-version.js';
import { type CheckResult, reasonOf, resultsOf } from './check-result.js';

const LOW_BYTES = 2e9;
const TOO_LOW_BYTES = 2e8;

/** Checks the version of Node. */
export function checkNode(version = process.versions.node): CheckResult {
  const { ok, fail } = resultsOf('node');
  return isSupported(version)
    ? ok(`${version} (${process.execPath})`)
    : fail(
        `${version} is too old: ${MIN_NODE} or later is needed`,
        'Use npm start, which runs on the Node 24 of the project, or install Node 24.',
      );
}

/** Checks the free space of the volume that holds DATA_DIR. */
export async function checkDisk({ dataDir, databaseUrl }: Config): Promise<CheckResult> {
  const { ok, warn, fail } = resultsOf('disk');
  const folder = resolve(dataDir);
  // With DATABASE_URL the folder holds only small files.
  const isSmall = databaseUrl !== null;
  const cure = 'Free some space, or move DATA_DIR to another volume.';
  try {
    const existing = await nearestFolder(folder);
    await access(existing, constants.W_OK);
    const { bavail, bsize } = await statfs(existing);
    const free = bavail * bsize;
    const message = `${(free / 1e9).toFixed(1)} GB are free for DATA_DIR ${folder}`;
    if (free < TOO_LOW_BYTES && !isSmall) return fail(message, cure);
    return free < LOW_BYTES && !isSmall ? warn(message, cure) : ok(message);
  } catch (error) {
    return fail(`DATA_DIR ${folder} cannot be used (${reasonOf(error)})`, 'Choose another DATA_DIR.');
  }
}

/** Returns the folder itself, or the first parent that exists. */
async function nearestFolder(path: string): Promise<string> {
  const exists = await stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  return exists || dirname(path) === path ? path : nearestFolder(dirname(path));
}
