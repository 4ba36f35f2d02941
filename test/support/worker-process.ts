import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { until } from './mail-server.js';

const root = resolve(import.meta.dirname, '../..');

/** A worker in a process of its own. */
export interface WorkerProcess {
  readonly process: ChildProcess;
  /** What it has written so far, to both of its streams. */
  output(): string;
  says(words: string): Promise<void>;
  /** Its exit code; null after a kill. */
  readonly ended: Promise<number | null>;
}

/** The worker's program, built for one test file in a folder of its own, so that no other build is in its way. */
export interface WorkerProgram {
  start(settings: Record<string, string>): WorkerProcess;
  remove(): Promise<void>;
}

export async function buildWorker(): Promise<WorkerProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-worker-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['-p', join(root, 'tsconfig.build.json'), '--outDir', join(folder, 'dist')];
  await promisify(execFile)(process.execPath, [compiler, ...options]);
  const running: WorkerProcess[] = [];
  return {
    start(settings) {
      const started = startWorkerProcess(join(folder, 'dist/src/worker-main.js'), settings);
      running.push(started);
      return started;
    },
    async remove() {
      for (const { process: child, ended } of running) {
        child.kill('SIGKILL');
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function startWorkerProcess(program: string, settings: Record<string, string>): WorkerProcess {
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
        20_000,
        () => `it did not say "${words}":\n${text}`,
      ),
    ended: once(child, 'close').then(() => child.exitCode),
  };
}
