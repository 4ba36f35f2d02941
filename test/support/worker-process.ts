import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { until } from './mail-server.js';

const program = resolve(import.meta.dirname, '../../dist/src/process/worker-main.js');

/** A worker in a process of its own. */
export interface WorkerProcess {
  readonly process: ChildProcess;
  /** Its output so far, on both streams. */
  output(): string;
  says(words: string): Promise<void>;
  /** Its exit code; null after a kill. */
  readonly ended: Promise<number | null>;
}

/** Starts the worker as `npm run worker` does, with nothing but these settings. */
export function startWorkerProcess(settings: Record<string, string>): WorkerProcess {
  const child = spawn(process.execPath, [program], { env: settings });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
  }
  return {
    process: child,
    output: () => text,
    says: (words) =>
      until(
        () => text.includes(words),
        // A start takes two seconds of processor time, of which a busy machine gives it a tenth.
        120_000,
        () => `it did not say "${words}":\n${text}`,
      ),
    ended: once(child, 'close').then(() => child.exitCode),
  };
}
