import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../errors.js';

const SQLITE_BUSY = 5;
const ATTEMPTS = 8;

/**
 * Makes this process the only one that works on a folder, and returns how to let go of it.
 * Node has no file locks of its own, SQLite's are the operating system's: of two simultaneous starts
 * one wins, and the lock of a killed process is free at once, whatever became of its pid.
 */
export async function lockFolder(folder: string, dataDir: string): Promise<() => Promise<void>> {
  const holderFile = join(folder, 'gateway.pid');
  for (let attempt = 1; ; attempt += 1) {
    const lock = tryLock(join(folder, 'gateway.lock'));
    if (lock) {
      await writeFile(holderFile, `${process.pid}\n`);
      return async () => {
        await rm(holderFile, { force: true });
        lock.close();
      };
    }
    // The winner of a race has the lock a moment before it has written its pid.
    const holder = await readFile(holderFile, 'utf8').catch(() => '');
    if (attempt === ATTEMPTS || (attempt > 1 && isRunning(Number(holder)))) {
      throw new StartupError(
        `Another server (pid ${holder.trim() || 'unknown'}) is already using DATA_DIR ${dataDir}: stop that one, or give this one a DATA_DIR of its own.`,
      );
    }
    await delay(100);
  }
}

function tryLock(path: string): DatabaseSync | null {
  const lock = new DatabaseSync(path);
  try {
    // Nothing is ever written, and without a journal a killed process leaves nothing to roll back.
    lock.exec('PRAGMA journal_mode = OFF');
    lock.exec('BEGIN IMMEDIATE');
    return lock;
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return null;
    throw error;
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
