import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { type Account, runsAsRoot, unprivilegedAccount } from '../../../src/embedded-postgres/account.js';
import { atOnce } from '../../support/actors.js';
import { runFolder } from './run-folder.js';

/** A program in its own process. */
export interface RunningProgram {
  readonly pid: number;
  readonly process: ChildProcess;
  /** Output so far, of stdout and stderr. */
  output(): string;
  /** Waits until it has written something that matches. */
  says(pattern: RegExp): Promise<RegExpMatchArray>;
  isRunning(): boolean;
  /** Its exit code; null after a kill. */
  readonly ended: Promise<number | null>;
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

interface StartOptions {
  readonly env?: Record<string, string>;
  /** The user that it runs as; null: our own. */
  readonly account?: Account | null;
}

const MAX_OUTPUT = 200_000;
const running = new Set<RunningProgram>();

// Ends what a failed test has left behind.
afterAll(() => Promise.all([...running].map((program) => program.end('SIGKILL'))));

/** Starts a program that the kernel ends together with this process. Its output is also written to the logs of the run. */
export function startProgram(
  name: string,
  command: string,
  args: readonly string[],
  { env = {}, account = null }: StartOptions = {},
): RunningProgram {
  const as = account ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'] : [];
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...as, '--', command, ...args], {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const program = watch(name, child);
  running.add(program);
  program.ended.finally(() => running.delete(program));
  return program;
}

function watch(name: string, child: ChildProcess): RunningProgram {
  let text = '';
  const listeners = new Set<() => void>();
  const log = createWriteStream(join(runFolder(), 'logs', `${name}.log`), { flags: 'a' });
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text = (text + piece).slice(-MAX_OUTPUT);
      log.write(piece);
      for (const listener of listeners) listener();
    });
  }
  const ended = once(child, 'close').then(() => {
    log.end();
    return child.exitCode;
  });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid ?? 0,
    process: child,
    output: () => text,
    says: (pattern) =>
      new Promise((found, failed) => {
        const look = () => {
          const match = text.match(pattern);
          if (!match) return;
          listeners.delete(look);
          found(match);
        };
        listeners.add(look);
        look();
        ended.then((code) => failed(new Error(`${name} ended with ${code} before ${pattern}:\n${text}`)));
      }),
    isRunning,
    ended,
    async end(signal = 'SIGTERM') {
      if (isRunning()) child.kill(signal);
      // A stopped process cannot react to anything but this.
      if (isRunning() && signal === 'SIGTERM') child.kill('SIGCONT');
      await ended;
    },
  };
}

/** The user that PostgreSQL and its companions run as: another one if we are root. */
export async function serverAccount(): Promise<Account | null> {
  return runsAsRoot() ? unprivilegedAccount() : null;
}

/** Creates a folder in the folder of the run that belongs to the user. */
export async function makeFolder(name: string, account: Account | null, mode = 0o700): Promise<string> {
  const folder = join(runFolder(), name);
  await mkdir(folder, { recursive: true });
  await chmod(folder, mode);
  if (account) await chown(folder, account.uid, account.gid);
  return folder;
}

/** Returns ports that are free now. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await atOnce(count, async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  });
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}

/** Writes a line of progress to the terminal. */
export function say(message: string): void {
  process.stderr.write(`  ${new Date().toISOString().slice(11, 19)} ${message}\n`);
}

/** True for the form that takes at most five minutes. */
export const isShort = (): boolean => process.env.CLUSTER_TESTS === 'short';
