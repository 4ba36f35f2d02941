import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartupError } from '../errors.js';
import type { Binaries } from './binaries.js';

const run = promisify(execFile);
/** Time for a fast stop, and then for one without a checkpoint. */
const STOP_MS = 8_000;

/** Reads pid, port and status of a cluster's server from its postmaster.pid. */
export async function postmasterFile(
  directory: string,
): Promise<{ pid: number; port: number; status: string }> {
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  return { pid: Number(lines[0] || 0), port: Number(lines[3] || 0), status: (lines[7] ?? '').trim() };
}

/**
 * Stops a server fast, or without a checkpoint if that takes too long: the next start then recovers. Returns false if it
 * still runs.
 */
export async function stopPostmaster(
  pid: number,
  binaries: Binaries,
  isGone: () => boolean | Promise<boolean>,
): Promise<boolean> {
  for (const signal of ['INT', 'QUIT'] as const) {
    await signalPostmaster(pid, signal, binaries);
    for (const deadline = Date.now() + STOP_MS; Date.now() < deadline; await delay(20))
      if (await isGone()) return true;
  }
  return false;
}

/** INT is a fast shutdown, QUIT an immediate one. */
async function signalPostmaster(pid: number, signal: 'INT' | 'QUIT', binaries: Binaries): Promise<void> {
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
    if (!(await stopPostmaster(pid, binaries, async () => !(await isPostmasterOf(pid, directory)))))
      throw new StartupError(
        `The database that an earlier run left behind (pid ${pid}) does not stop: end it, then start again.`,
      );
  }
  await rm(join(directory, 'postmaster.pid'), { force: true });
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
