import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { defaultLimits } from '../../src/config/formats.js';
import { processTimes, unlessExited } from '../child.js';

/** The servers that ours is compared with, in this order. */
export const baselines = ['static', 'bare', 'plain'] as const;
/** `base` is the gateway as another commit has it; `unlimited` is ours without rate limits and CORS. */
export type Variant = (typeof baselines)[number] | 'base' | 'ours' | 'unlimited';

/** The origin of the pages that send the requests. */
export const PAGE_ORIGIN = 'https://tasks.bench.example';

/** What people set: two origins that may read, and limits, which are higher here than any load reaches. */
const usualSettings = {
  CORS_ORIGINS: `https://other.bench.example,${PAGE_ORIGIN}`,
  RATE_LIMITS: Object.keys(defaultLimits)
    .map((limit) => `${limit}=999999999`)
    .join(),
};

const ownRoot = fileURLToPath(new URL('../../..', import.meta.url));

const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 20_000;

/** Returns the Node options of `npm start`. */
async function startFlags(root: string): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const words = scripts.start.split(' ');
  return words.slice(1, words.indexOf('dist/src/main.js'));
}

/** A server that runs in its own process. */
export class Server {
  private constructor(
    readonly variant: Variant,
    private readonly child: ChildProcess,
    readonly port: number,
    /** Time from the start of the process to its first response. */
    readonly readyMs: number,
  ) {}

  static async start(variant: Variant, options: ServerOptions): Promise<Server> {
    return variant === 'ours' || variant === 'base' || variant === 'unlimited'
      ? Server.startGateway(variant, options)
      : Server.startBaseline(variant, options);
  }

  get isGateway(): boolean {
    return this.variant === 'ours' || this.variant === 'base' || this.variant === 'unlimited';
  }

  /** Starts a baseline; it sends its port when it listens. */
  private static async startBaseline(variant: Variant, { databaseUrl }: ServerOptions): Promise<Server> {
    const startedAt = performance.now();
    const path = fileURLToPath(new URL(`${variant}.js`, import.meta.url));
    const child = fork(path, [databaseUrl], {
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [{ port }] = (await unlessExited(child, variant, once(child, 'message'))) as [{ port: number }];
    return new Server(variant, child, port, performance.now() - startedAt);
  }

  /** Starts the gateway as in production, with the log in a file. */
  private static async startGateway(variant: Variant, options: ServerOptions): Promise<Server> {
    const { databaseUrl, logFile, root = ownRoot, nodeArgs = [] } = options;
    const port = await freePort();
    const flags = await startFlags(root);
    const log = openSync(logFile, 'a');
    const startedAt = performance.now();
    const main = join(root, 'dist', 'src', 'main.js');
    const child = spawn(process.execPath, [...flags, ...nodeArgs, main, '--stop-with-parent'], {
      env: {
        PATH: process.env.PATH,
        // As the image and the unit for systemd have them.
        NODE_ENV: 'production',
        MALLOC_ARENA_MAX: '1',
        HOST: '127.0.0.1',
        PORT: String(port),
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        DATABASE_URL: databaseUrl,
        OIDC_ISSUER: 'https://identity.bench.example',
        ...(variant === 'unlimited' ? { RATE_LIMITS: 'off' } : usualSettings),
      },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    await unlessExited(child, `${variant} (its log is ${logFile})`, ready(port));
    return new Server(variant, child, port, performance.now() - startedAt);
  }

  /** Sets the length of the responses of `static`. */
  async serve(length: number): Promise<void> {
    this.child.send({ length });
    await once(this.child, 'message');
  }

  /** Returns the resident memory in megabytes; null without /proc. */
  async residentMb(): Promise<number | null> {
    const status = await readFile(`/proc/${this.child.pid}/status`, 'utf8').catch(() => '');
    const kilobytes = /VmRSS:\s+(\d+)/.exec(status)?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  }

  /** Returns the processor time used so far in milliseconds; null without /proc. */
  async processorMs(): Promise<number | null> {
    return (await processTimes(this.child.pid!))?.ownMs ?? null;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const late = setTimeout(() => this.child.kill('SIGKILL'), STOP_WITHIN_MS);
    await ended;
    clearTimeout(late);
  }
}

export interface ServerOptions {
  readonly databaseUrl: string;
  /** Log file of a gateway. */
  readonly logFile: string;
  /** Folder of the gateway's project, if it is not this one. */
  readonly root?: string;
  readonly nodeArgs?: readonly string[];
}

export async function ready(port: number, withinMs = READY_WITHIN_MS): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    await response?.arrayBuffer();
    if (response?.ok) return;
    if (Date.now() > deadline) throw new Error(`The gateway was not ready within ${withinMs / 1000} s`);
    await delay(10);
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
