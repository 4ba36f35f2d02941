import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../errors.js';
import type { Account } from './account.js';
import type { Binaries } from './binaries.js';
import { postmasterFile, stopPostmaster } from './postmaster.js';

/** Options of a server on a cluster. */
export interface ServerOptions {
  readonly binaries: Binaries;
  readonly directory: string;
  readonly account: Account | null;
  readonly logFile: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

/** A running PostgreSQL. */
export interface Server {
  readonly port: number;
  /** Resolves with the reason if the server ends without a call of `stop`. */
  readonly died: Promise<string>;
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 120_000;
const LEFTOVERS_TIMEOUT_MS = 10_000;
const PORT_TAKEN = /could not bind|could not create any TCP\/IP sockets/;
const LEFTOVERS = /shared memory block|lock file "postmaster.pid" already exists/;

/** Environment of PostgreSQL's processes: the user's PG* and locale variables must not change the database. */
export const childEnvironment = process.platform === 'win32' ? {} : { env: { LC_ALL: 'C', TZ: 'UTC' } };

/** Starts PostgreSQL on a free port of the loopback interface and waits until it accepts connections. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const leftoversDeadline = Date.now() + LEFTOVERS_TIMEOUT_MS;
  for (let lostPorts = 0; ; ) {
    options.signal?.throwIfAborted();
    const port = await freePort();
    const child = await spawnServer(options, port);
    if (await isReady(child, options)) return serverOf(child, port, options);
    const log = await logTail(options.logFile);
    if (PORT_TAKEN.test(log) && lostPorts < 10) {
      lostPorts += 1;
    } else if (LEFTOVERS.test(log) && Date.now() < leftoversDeadline) {
      // The last processes of a killed server are still ending.
      await delay(250);
    } else {
      throw new StartupError(
        `The embedded PostgreSQL did not start. The end of its log (${options.logFile}):\n${log}\nFix the reported problem, or set DATABASE_URL to use another PostgreSQL.`,
      );
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('The loopback interface gave no port');
  return address.port;
}

async function spawnServer(options: ServerOptions, port: number): Promise<ChildProcess> {
  const settings = {
    ...options.settings,
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    // The service handles failed statements; the log is for problems of the server itself.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    // Updates of counters leave many dead rows (D267).
    autovacuum_naptime: '10s',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  await rename(options.logFile, `${options.logFile}.1`).catch(() => undefined);
  const log = await open(options.logFile, 'w', 0o600);
  try {
    // Detached, so that a Ctrl-C in the terminal reaches only us: the database must stop last.
    const child = spawn(options.binaries.postgres, ['-D', options.directory, ...args], {
      ...childEnvironment,
      ...options.account,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await once(child, 'spawn');
    return child;
  } finally {
    await log.close();
  }
}

/** Waits until the server is ready; returns false if it ended. */
async function isReady(child: ChildProcess, options: ServerOptions): Promise<boolean> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!hasEnded(child)) {
    const { pid, status } = await postmasterFile(options.directory);
    if (pid === child.pid && status === 'ready') return true;
    if (options.signal?.aborted || Date.now() > deadline) {
      await stopChild(child, options.binaries);
      options.signal?.throwIfAborted();
      return false;
    }
    await delay(20);
  }
  return false;
}

function serverOf(child: ChildProcess, port: number, { binaries, logFile }: ServerOptions): Server {
  let stopped: Promise<void> | null = null;
  const died = new Promise<string>((resolve) => {
    child.once('exit', async (code, signal) => {
      if (stopped) return;
      resolve(`PostgreSQL ended by itself (${signal ?? `code ${code}`}): ${await logTail(logFile)}`);
    });
  });
  return {
    port,
    died,
    stop: () => {
      stopped ??= stopChild(child, binaries);
      return stopped;
    },
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

async function stopChild(child: ChildProcess, binaries: Binaries): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return;
  const ended = once(child, 'exit');
  await stopPostmaster(child.pid, binaries, () => hasEnded(child));
  await ended;
}

async function logTail(logFile: string): Promise<string> {
  const log = await readFile(logFile, 'utf8').catch(() => '');
  return log.trim().split('\n').slice(-15).join('\n');
}
