import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';

/** Waits for a result of a child process; throws if the child exits first. */
export async function unlessExited<T>(child: ChildProcess, name: string, wanted: Promise<T>): Promise<T> {
  const over = new AbortController();
  const ended = once(child, 'exit', { signal: over.signal }).then(([code, signal]) => {
    throw new Error(`${name} ended (${signal ?? `code ${code}`})`);
  });
  ended.catch(() => undefined);
  wanted.catch(() => undefined);
  try {
    return await Promise.race([wanted, ended as Promise<never>]);
  } finally {
    over.abort();
  }
}

/** Ends this child process with its parent. Ignores Ctrl-C, because the parent handles it and stops all children. */
export function exitWithParent(): void {
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => process.exit());
}

/** Returns the processor time of a process and of its ended children so far, and its parent; null without /proc. */
export async function processTimes(
  pid: number | string,
): Promise<{ parent: number; ownMs: number; endedChildrenMs: number } | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  if (stat === '') return null;
  // The fields after the name of the program; times are in hundredths of a second.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const ms = (user: number, system: number) => (fields[user]! + fields[system]!) * 10;
  return { parent: fields[1]!, ownMs: ms(11, 12), endedChildrenMs: ms(13, 14) };
}
