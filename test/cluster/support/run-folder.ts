import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PREFIX = 'marketplace-cluster-';
const MINUTE_MS = 60_000;

/** Creates the folder that holds everything of a run. PostgreSQL's user can enter it. */
export function makeRunFolder(): string {
  removeAbandonedFolders();
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  chmodSync(folder, 0o711);
  mkdirSync(join(folder, 'logs'));
  process.env.CLUSTER_RUN_FOLDER = folder;
  return folder;
}

/** The folder of this run. */
export function runFolder(): string {
  const folder = process.env.CLUSTER_RUN_FOLDER;
  if (!folder) throw new Error('CLUSTER_RUN_FOLDER is not set: run the tests with npm run test:cluster');
  return folder;
}

/** Ends every process of the run, also those that a program of it has started, and removes its folder. */
export function endRun(folder: string): void {
  for (const pid of processesOf(folder)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended in the meantime.
    }
  }
  for (const disk of disksOf(folder)) spawnSync('umount', ['-l', disk]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** The small disks of a run that was killed: they are mounted below its folder. */
const disksOf = (folder: string): string[] =>
  readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((disk) => disk.startsWith(`${folder}/`));

/** Processes whose command line or environment names the folder: all of them have their data there. */
function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && pid !== process.ppid)
    .filter((pid) => {
      const isNamedIn = (file: string) => {
        try {
          return readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(`/${basename(folder)}`);
        } catch {
          return false;
        }
      };
      // Jest's own processes have the folder in their environment as well.
      return isNamedIn('cmdline') || (isNamedIn('environ') && !runsJest(pid));
    });
}

function runsJest(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('jest');
  } catch {
    return true;
  }
}

/** Ends the runs that were killed: the process of a run that goes on exists. */
function removeAbandonedFolders(): void {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    const { mtimeMs, uid } = statSync(folder);
    if (uid !== process.geteuid?.() || Date.now() - mtimeMs < MINUTE_MS) continue;
    if (!isOwned(folder)) endRun(folder);
  }
}

function isOwned(folder: string): boolean {
  try {
    process.kill(Number(readFileSync(join(folder, 'owner.pid'), 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}
