import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** A command of the project in its own process. */
export interface RunningCommand {
  readonly process: ChildProcessWithoutNullStreams;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** Starts a command as npm does after the build, with only these settings. */
export function startCommand(
  name: 'doctor' | 'backup' | 'restore' | 'worker-main',
  settings: Record<string, string>,
  ...args: string[]
): RunningCommand {
  const child = spawn(process.execPath, [join(root, `dist/src/process/${name}.js`), ...args], {
    cwd: root,
    env: settings,
  });
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) =>
    stream.setEncoding('utf8').toArray({ signal: AbortSignal.timeout(60_000) }),
  );
  const ended = once(child, 'close').then(async () => ({
    code: child.exitCode,
    stdout: ((await stdout) ?? []).join(''),
    stderr: ((await stderr) ?? []).join(''),
  }));
  return { process: child, ended };
}
