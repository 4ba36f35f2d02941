import { chmod, lchown, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartupError } from '../errors.js';

/** The operating-system user that a database process runs as, if it is not our own. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root, so root must start it as another user. */
export const runsAsRoot = (): boolean => process.geteuid?.() === 0;

/** Returns an unprivileged user of this machine; initdb accepts only users in /etc/passwd. */
export async function unprivilegedAccount(): Promise<Account> {
  const accounts = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => Number.isInteger(uid) && Number.isInteger(gid) && uid !== 0);
  const preferred = ['postgres', '_postgres', 'nobody'].map((name) => accounts.find((a) => a.name === name));
  const account = preferred.find((found) => found !== undefined) ?? accounts[0];
  if (account) return { uid: account.uid, gid: account.gid };
  throw new StartupError(
    'PostgreSQL does not run as root, and this machine has no other user: set DATABASE_URL, or start as another user.',
  );
}

/**
 * Returns the owner of an existing cluster: its server must run as that user. A copy that root made belongs to root, which
 * PostgreSQL refuses: it is given to an unprivileged user, its folder last, so that an interrupted attempt is repeated.
 */
export async function clusterAccount(directory: string): Promise<Account> {
  const { uid, gid } = await stat(directory);
  if (uid !== 0) return { uid, gid };
  const account = await unprivilegedAccount();
  for (const { parentPath, name } of await readdir(directory, { recursive: true, withFileTypes: true }))
    await lchown(join(parentPath, name), account.uid, account.gid);
  await chmod(directory, 0o700);
  await lchown(directory, account.uid, account.gid);
  return account;
}

/** Returns true if the user has search permission for the folder and all of its parents. */
export async function canEnter(folder: string, account: Account): Promise<boolean> {
  for (let path = await realpath(folder); ; path = dirname(path)) {
    const { uid, gid, mode } = await stat(path);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (path === dirname(path)) return true;
  }
}
