import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StartupError } from '../errors.js';
import type { Account } from './account.js';
import type { Binaries } from './binaries.js';
import type { Home } from './home.js';
import { childEnvironment } from './server.js';

/** The superuser of every embedded cluster. */
export const SUPERUSER = 'postgres';

/**
 * Creates a cluster in a temporary folder and renames it, so that a cluster at its final path is complete. Leftovers of
 * interrupted attempts are removed first.
 */
export async function createCluster(
  home: Home,
  binaries: Binaries,
  password: string,
  options: { durable: boolean; signal: AbortSignal | undefined },
): Promise<void> {
  // A new name for each attempt: the initdb of a killed gateway may still write to the old one.
  const partial = `${home.directory}.${randomBytes(4).toString('hex')}.partial`;
  const passwordFile = `${partial}.password`;
  await removeLeftovers(home.directory);
  await mkdir(partial, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  await changeOwner(home.account, partial, passwordFile);
  try {
    await initdb(partial, passwordFile, home, binaries, options);
    await rename(partial, home.directory);
  } catch (error) {
    await rm(partial, { recursive: true, force: true, maxRetries: 10 });
    throw error;
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** Rejects a cluster of another major version with a clear message, before PostgreSQL fails on it. */
export async function requireVersion(home: Home, binaries: Binaries): Promise<void> {
  const cluster = (await readFile(join(home.directory, 'PG_VERSION'), 'utf8')).trim();
  const major = binaries.version.split('.')[0];
  if (cluster === major) return;
  throw new StartupError(
    `The database in ${home.directory} was made by PostgreSQL ${cluster}, this version includes PostgreSQL ${major}: dump it with the old version, or choose another DATA_DIR.`,
  );
}

async function initdb(
  directory: string,
  passwordFile: string,
  home: Home,
  binaries: Binaries,
  options: { durable: boolean; signal: AbortSignal | undefined },
): Promise<void> {
  const args = [
    `--pgdata=${directory}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(options.durable ? [] : ['--no-sync']),
  ];
  const { signal } = options;
  try {
    await promisify(execFile)(binaries.initdb, args, {
      ...childEnvironment,
      ...home.account,
      ...(signal ? { signal } : {}),
      windowsHide: true,
    });
  } catch (error) {
    signal?.throwIfAborted();
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new StartupError(
      `The embedded PostgreSQL could not create its database in ${home.directory}:\n${stderr || String(error)}\nFix the reported problem, or set DATABASE_URL to use another PostgreSQL.`,
      { cause: error },
    );
  }
}

async function removeLeftovers(directory: string): Promise<void> {
  const home = dirname(directory);
  const isLeftover = (name: string) => name === basename(directory) || name.includes('.partial');
  for (const name of (await readdir(home)).filter(isLeftover)) {
    await rm(join(home, name), { recursive: true, force: true, maxRetries: 10 });
  }
}

async function changeOwner(account: Account | null, ...paths: string[]): Promise<void> {
  if (account) await Promise.all(paths.map((path) => chown(path, account.uid, account.gid)));
}
