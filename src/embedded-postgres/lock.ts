import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { types } from 'node:util';
import { StartupError } from '../errors.js';

/** Another process holds the lock of a DATA_DIR. */
export class DataDirInUse extends StartupError {}

const SQLITE_BUSY = 5;
const ATTEMPTS = 8;

/**
 * Locks a folder for this process, and returns the function that unlocks it. Node has no file locks, but SQLite uses
 * those of the operating system: of two simultaneous starts one wins, and the lock of a killed process is released at
 * once, even if its pid is reused.
 */
export async function lockFolder(folder: string, dataDir: string): Promise<() => Promise<void>> {
  const holderFile = join(folder, 'gateway.pid');
  for (let attempt = 1; ; attempt += 1) {
    const lock = tryLock(join(folder, 'gateway.lock'), dataDir);
    if (lock) {
      await writeFile(holderFile, `${process.pid}\n`);
      return async () => {
        await rm(holderFile, { force: true });
        lock.close();
      };
    }
    // The process that holds the lock may not have written its pid yet.
    const holder = await readFile(holderFile, 'utf8').catch(() => '');
    if (attempt === ATTEMPTS || (attempt > 1 && isRunning(Number(holder)))) {
      throw new DataDirInUse(
        `Another server (pid ${holder.trim() || 'unknown'}) is already using DATA_DIR ${dataDir}: stop that one, or give this one a DATA_DIR of its own.`,
      );
    }
    await delay(100);
  }
}

function tryLock(path: string, dataDir: string): DatabaseSync | null {
  let lock: DatabaseSync | null = null;
  try {
    lock = new DatabaseSync(path);
    // Nothing is written; without a journal a killed process leaves nothing to roll back.
    lock.exec('PRAGMA journal_mode = OFF');
    lock.exec('BEGIN IMMEDIATE');
    return lock;
  } catch (error) {
    lock?.close();
    if (types.isNativeError(error) && 'errcode' in error && error.errcode === SQLITE_BUSY) return null;
    // Some network file systems have no locks.
    throw new StartupError(
      `DATA_DIR ${dataDir} cannot be locked (${types.isNativeError(error) ? error.message : error}): choose a DATA_DIR on a local disk.`,
      { cause: error },
    );
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
