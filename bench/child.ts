import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

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
