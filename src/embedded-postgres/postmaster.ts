import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartupError } from '../errors.js';
import type { Binaries } from './binaries.js';

const run = promisify(execFile);
const FAST_STOP_MS = 8_000;
const IMMEDIATE_STOP_MS = 8_000;

/** Reads pid, port and status of a cluster's server from its postmaster.pid. */
export async function postmasterFile(
  directory: string,
): Promise<{ pid: number; port: number; status: string }> {
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  return { pid: Number(lines[0] || 0), port: Number(lines[3] || 0), status: (lines[7] ?? '').trim() };
}

/** Stops a server: INT is a fast shutdown, QUIT an immediate one. */
export async function signalPostmaster(
  pid: number,
  signal: 'INT' | 'QUIT',
  binaries: Binaries,
): Promise<void> {
  if (process.platform === 'win32') return void (await run(binaries.pgCtl, ['kill', signal, String(pid)]));
  try {
    process.kill(pid, `SIG${signal}`);
  } catch (error) {
    // It may have ended just now.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/**
 * Stops the server that a killed gateway left running on its cluster. The caller holds the lock, so no running gateway
 * uses it. If the pid now belongs to another program, only the stale postmaster.pid is removed.
 */
export async function endOrphan(
  directory: string,
  binaries: Binaries,
  onProgress: (message: string) => void,
): Promise<void> {
  const { pid } = await postmasterFile(directory);
  if (pid <= 0) return;
  if (await isPostmasterOf(pid, directory)) {
    onProgress(`Ending the database that an earlier run left behind (pid ${pid})…`);
    await signalPostmaster(pid, 'INT', binaries);
    if (!(await isGone(pid, directory, FAST_STOP_MS))) {
      await signalPostmaster(pid, 'QUIT', binaries);
      if (!(await isGone(pid, directory, IMMEDIATE_STOP_MS))) {
        throw new StartupError(
          `The database that an earlier run left behind (pid ${pid}) does not stop: end it, then start again.`,
        );
      }
    }
  }
  await rm(join(directory, 'postmaster.pid'), { force: true });
}

async function isGone(pid: number, directory: string, withinMs: number): Promise<boolean> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await delay(20)) {
    if (!(await isPostmasterOf(pid, directory))) return true;
  }
  return false;
}

/** Returns true if the process is PostgreSQL's main process on this cluster. */
async function isPostmasterOf(pid: number, directory: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => ({
      stdout: '',
    }));
    return stdout.includes('postgres') && stdout.includes(`-D ${directory} `);
  }
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const args = command.split('\0');
  if (basename(args[0] ?? '') !== 'postgres') return false;
  // The server's working directory is its cluster, so this works even after the folder was renamed.
  const [cwd, cluster] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => null), stat(directory)]);
  if (cwd) return cwd.dev === cluster.dev && cwd.ino === cluster.ino;
  return args[args.indexOf('-D') + 1] === directory;
}
