// The lock of prepare.mjs: two npm commands at once must not install or build at the same time.
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const RETRY_MS = 200;
/** The holder writes its pid right after it has created the file. */
const EMPTY_FOR_MS = 10_000;

/** Runs the work while this process holds the lock file; waits while another process holds it. */
export async function withLock(file, report, fail, work) {
  for (let attempt = 0; !lock(file, fail); attempt += 1) {
    if (attempt === 0) report('Waiting for another npm command that is installing or building…');
    removeIfAbandoned(file);
    await delay(RETRY_MS);
  }
  const unlock = () => rmSync(file, { force: true });
  process.once('exit', unlock);
  await work();
  process.off('exit', unlock);
  unlock();
}

function lock(file, fail) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    return fail(`Packages must be installed or built, but the folder cannot be changed (${error.message}).`);
  }
}

/** Removes the lock of a process that was killed. */
function removeIfAbandoned(file) {
  try {
    const holder = readFileSync(file, 'utf8');
    const isEmpty = holder === '';
    if (isEmpty ? Date.now() - statSync(file).mtimeMs < EMPTY_FOR_MS : isRunning(Number(holder))) return;
    const moved = `${file}.${process.pid}`;
    renameSync(file, moved);
    // Another process may have replaced the abandoned lock by its own since it was read.
    if (readFileSync(moved, 'utf8') === holder) rmSync(moved);
    else renameSync(moved, file);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

function isRunning(pid) {
  // A restarted container gives its processes the same pids again.
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
