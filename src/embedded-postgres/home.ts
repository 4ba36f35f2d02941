import { randomBytes } from 'node:crypto';
import { access, chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { StartupError } from '../errors.js';
import { type Account, canEnter, clusterAccount, runsAsRoot, unprivilegedAccount } from './account.js';
import { sharedFolder } from './binaries.js';

/** DATA_DIR's record of its database; `new` until the first start has filled it. */
interface ClusterRecord {
  /** Relative to DATA_DIR if it is inside, so that the folder can be moved. */
  readonly directory: string;
  readonly state: 'creating' | 'new' | 'settled';
}

/** Location of the cluster of a DATA_DIR, and the user it runs as. */
export interface Home {
  readonly dataDir: string;
  readonly directory: string;
  /** Null: the user of this process. */
  readonly account: Account | null;
  readonly state: ClusterRecord['state'];
}

const RECORD = 'cluster.json';
const INSIDE = 'postgres';

/** Returns the recorded location, or chooses one and records it before anything is created there. */
export async function findHome(dataDir: string): Promise<Home> {
  const record = await readRecord(dataDir);
  const directory = record && resolve(dataDir, record.directory);
  if (record && directory && record.state !== 'creating') {
    await requireCluster(dataDir, directory);
    const account = runsAsRoot() ? await clusterAccount(directory) : null;
    if (account) await requireReachable(directory, account);
    return { dataDir, directory, account, state: record.state };
  }
  const account = runsAsRoot() ? await unprivilegedAccount() : null;
  if (directory && (await exists(dirname(directory))))
    return { dataDir, directory, account, state: 'creating' };
  return await chooseHome(dataDir, account);
}

/** Records the state of the database. */
export async function recordState(home: Home, state: ClusterRecord['state']): Promise<void> {
  const inside = home.directory === join(home.dataDir, INSIDE);
  const record: ClusterRecord = { directory: inside ? INSIDE : home.directory, state };
  await writeAtomically(join(home.dataDir, RECORD), `${JSON.stringify(record)}\n`);
}

/** Returns the generated password of the database; it is created only before the database is. */
export async function passwordOf(home: Home): Promise<string> {
  const path = join(home.dataDir, 'password');
  const stored = await readFile(path, 'utf8').catch(() => '');
  if (stored.trim()) return stored.trim();
  if (home.state !== 'creating') {
    throw new StartupError(
      `The database's password (${path}) is missing: put the file back, or delete DATA_DIR to begin with an empty database.`,
    );
  }
  const password = randomBytes(24).toString('hex');
  await writeAtomically(path, `${password}\n`);
  return password;
}

/** Returns true if a DATA_DIR has a complete database. */
export async function hasDatabase(dataDir: string): Promise<boolean> {
  const record = await readRecord(dataDir);
  return record !== null && record.state !== 'creating';
}

async function chooseHome(dataDir: string, account: Account | null): Promise<Home> {
  let directory = join(dataDir, INSIDE);
  if (account && !(await canEnter(dataDir, account))) {
    const id = randomBytes(6).toString('hex');
    const folder = join(await sharedFolder(account), 'clusters', id);
    await mkdir(folder, { recursive: true });
    await chmod(dirname(folder), 0o711);
    await chmod(folder, 0o711);
    directory = join(folder, INSIDE);
  }
  const home: Home = { dataDir, directory, account, state: 'creating' };
  await recordState(home, 'creating');
  return home;
}

async function readRecord(dataDir: string): Promise<ClusterRecord | null> {
  const path = join(dataDir, RECORD);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  try {
    return JSON.parse(text) as ClusterRecord;
  } catch (cause) {
    throw new StartupError(`${path} is damaged: put it back, or choose another DATA_DIR.`, { cause });
  }
}

async function requireCluster(dataDir: string, directory: string): Promise<void> {
  const missing = await access(join(directory, 'PG_VERSION')).then(
    () => null,
    (error: NodeJS.ErrnoException) => error,
  );
  if (!missing) return;
  throw new StartupError(
    missing.code === 'EACCES'
      ? `The database of DATA_DIR ${dataDir} (${directory}) belongs to another user: start as that user, or choose another DATA_DIR.`
      : `DATA_DIR ${dataDir} says that its database is in ${directory}, but it is not there any more: put it back, or delete ${dataDir} to begin with an empty database.`,
    { cause: missing },
  );
}

async function requireReachable(directory: string, account: Account): Promise<void> {
  if (await canEnter(directory, account)) return;
  throw new StartupError(
    `The database in ${directory} belongs to user ${account.uid}, who cannot reach that folder any more: let others enter the folders above it (chmod o+x), or move DATA_DIR back.`,
  );
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Writes a file atomically: a reader sees the old content or the new one. */
async function writeAtomically(path: string, content: string): Promise<void> {
  await writeFile(`${path}.partial`, content, { mode: 0o600 });
  await rename(`${path}.partial`, path);
}
