import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { unlessExited } from './child.js';
import { median } from './figures.js';
import type { Progress } from './progress.js';
import { freePort, ready } from './servers/servers.js';
import { FIRST_START_UP_TO } from './targets.js';

const ownRoot = fileURLToPath(new URL('../..', import.meta.url));
const FIRST_START_WITHIN_MS = 15 * 60_000;

/**
 * Times the first `npm start` in a fresh clone until its first response, and beside it `npm ci` of the same lockfile.
 * Each has an empty cache of npm, so that both download everything.
 */
export async function firstStart(rounds: number, progress: Progress, signal: AbortSignal): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-gateway-first-'));
  // Under root PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o711);
  const installs: number[] = [];
  const starts: number[] = [];
  try {
    for (let round = 1; round <= rounds; round += 1) {
      installs.push(await inClone(join(folder, `ci-${round}`), signal, timeInstall));
      starts.push(await inClone(join(folder, `start-${round}`), signal, timeStart));
      progress.log(
        `Round ${round}: npm ci ${installs.at(-1)?.toFixed(1)} s, npm start ${starts.at(-1)?.toFixed(1)} s`,
      );
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const [install, start] = [median(installs), median(starts)];
  const verdict = start / install <= FIRST_START_UP_TO ? 'met' : 'MISSED';
  process.stdout.write(
    `First npm start in a fresh clone ${start.toFixed(1)} s, npm ci of the same lockfile ${install.toFixed(1)} s: ${(start / install).toFixed(2)} times, ${verdict} (≤ ${FIRST_START_UP_TO})\n`,
  );
}

interface Clone {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

async function inClone(
  folder: string,
  signal: AbortSignal,
  time: (clone: Clone) => Promise<number>,
): Promise<number> {
  const root = join(folder, 'clone');
  await mkdir(folder);
  await promisify(execFile)('git', ['clone', '--quiet', ownRoot, root]);
  try {
    return await time({ root, env: freshEnvironment(join(folder, 'cache')), signal });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the environment of a new terminal: without what `npm run bench` adds, the project's own Node among it. */
function freshEnvironment(cache: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_') && name !== 'NODE_ENV');
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !/node_modules|node-gyp/.test(entry));
  return { ...Object.fromEntries(own), PATH: path.join(delimiter), npm_config_cache: cache };
}

async function timeInstall(clone: Clone): Promise<number> {
  const startedAt = performance.now();
  const [code] = await once(npm(clone, ['ci', '--no-audit', '--no-fund']), 'exit');
  if (code !== 0) throw new Error(`npm ci failed (${code})`);
  return (performance.now() - startedAt) / 1000;
}

async function timeStart(clone: Clone): Promise<number> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = npm({ ...clone, env: { ...clone.env, HOST: '127.0.0.1', PORT: String(port) } }, ['start']);
  try {
    await unlessExited(child, 'npm start', ready(port, FIRST_START_WITHIN_MS));
    return (performance.now() - startedAt) / 1000;
  } finally {
    await stop(child);
  }
}

/** Starts npm in a process group of its own, so that everything that it starts can be stopped. */
function npm({ root, env, signal }: Clone, args: readonly string[]): ChildProcess {
  const child = spawn('npm', args, {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  signal.addEventListener('abort', () => stop(child), { once: true });
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid!, 'SIGTERM');
  await ended;
}
