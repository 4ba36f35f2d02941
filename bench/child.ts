import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Waits for something of a child, and fails if the child ends instead. */
export async function unlessEnded<T>(child: ChildProcess, name: string, wanted: Promise<T>): Promise<T> {
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

/** A child leaves with its parent. A Ctrl-C is the parent's business, who ends everything in order. */
export function obeyParent(): void {
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => process.exit());
}
