import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { buildGraphQLSchema } from '../../../src/graphql/schema.js';
import { Actors } from '../../support/actors.js';
import { ApiClient } from '../../support/api-client.js';
import { BackendTimes } from '../../support/backend-times.js';
import { buildOnce, createTestDatabase, type TestDatabase } from '../../support/database.js';
import { aFolder } from '../../support/folder.js';

const root = resolve(import.meta.dirname, '../../..');

/** Processor time, in milliseconds: of all threads of a gateway, and of PostgreSQL for it. */
export interface UsedTime {
  readonly gateway: number;
  readonly postgres: number;
}

/** A gateway in a process of its own, which reports the processor time that it has used. */
export interface MeasuredGateway extends Actors {
  readonly client: ApiClient;
  /** Invalidates everything that the gateway has cached. */
  invalidate(): Promise<void>;
  /** Processor time since it was started. */
  usedMs(): Promise<UsedTime>;
  /** Null while it runs; afterwards its exit code or signal. */
  ended(): string | null;
  /** Ends it at once, whatever it is busy with. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** Starts `dist/src/main.js` as `npm start` does, on a database of its own or on an existing one, without rate limits and jobs. */
export async function startMeasuredGateway(
  profile: string | null = null,
  existing: Pick<TestDatabase, 'url'> | null = null,
): Promise<MeasuredGateway> {
  await buildOnce();
  const database = existing ? { ...existing, drop: async () => undefined } : await createTestDatabase();
  const dataDir = await aFolder();
  const flags = ['--max-semi-space-size=8', '--heap-growing-percent=30'];
  const profiling = profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  const meter = join(import.meta.dirname, 'meter.mjs');
  const child = spawn(
    process.execPath,
    [...flags, ...profiling, '--import', meter, join(root, 'dist/src/main.js')],
    {
      cwd: root,
      env: {
        PORT: '0',
        DATA_DIR: dataDir,
        DATABASE_URL: database.url,
        SEED: 'none',
        WORKER: 'off',
        RATE_LIMITS: 'off',
        ASSET_CHECKS: 'off',
        LOG_LEVEL: 'info',
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  const url = await readUrl(child);
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  pool.on('error', () => undefined);
  const client = new ApiClient(url, await buildGraphQLSchema());
  const sql = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows;
  const backends = new BackendTimes((text) => sql(text));
  const ended = () => (child.exitCode ?? child.signalCode)?.toString() ?? null;
  const end = async (signal: NodeJS.Signals) => {
    if (ended() !== null) return;
    child.kill(signal);
    await once(child, 'close');
  };
  const close = async () => {
    await end('SIGTERM');
    await pool.end();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const kill = () => end('SIGKILL');
  return Object.assign(new Actors(client, sql), {
    client,
    invalidate: async () => void (await sql("select pg_notify('catalog', '')")),
    usedMs: async () => ({ postgres: await backends.totalMs(), gateway: await askMeter(child) }),
    ended,
    kill,
    close,
  });
}

/** Waits for the banner, and lets whatever is written afterwards pass unread. */
async function readUrl(child: ChildProcess): Promise<string> {
  let text = '';
  const { promise, resolve: found, reject } = Promise.withResolvers<string>();
  const read = (piece: Buffer) => {
    text = (text + piece).slice(-10_000);
    const match = /Start here +(http:\S+)\/\n.*Stop +Ctrl-C/s.exec(text);
    if (match) found(match[1]!);
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  child.once('close', () => reject(new Error(`The gateway ended before it was ready:\n${text}`)));
  const url = await promise;
  for (const stream of [child.stdout, child.stderr]) stream?.off('data', read).resume();
  return url;
}

async function askMeter(child: ChildProcess): Promise<number> {
  if (!child.connected) return 0;
  const answered = Promise.race([once(child, 'message'), once(child, 'close').then(() => null)]);
  child.send('used?', () => undefined);
  const answer = await answered;
  const { user, system } = (answer?.[0] ?? { user: 0, system: 0 }) as NodeJS.CpuUsage;
  return (user + system) / 1_000;
}
