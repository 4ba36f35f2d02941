import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Account } from '../../../src/embedded-postgres/account.js';
import { DatabaseLine } from '../../support/database-line.js';
import { freePorts, makeFolder, type RunningProgram, startProgram } from './processes.js';
import { pathOf, postgresFolder } from './programs.js';
import { runFolder } from './run-folder.js';

/** The password of every role. */
export const PASSWORD = 'for-tests';

/** A node: Patroni and its PostgreSQL. All of its connections with others go through lines that can be cut. */
export interface PatroniNode {
  readonly name: string;
  /** The port of Patroni's REST API, through a line. */
  readonly apiPort: number;
  /** The port of PostgreSQL, through a line. */
  readonly port: number;
  /** Starts Patroni, which starts PostgreSQL. */
  start(): void;
  /** Sends a signal to Patroni and to every process of its PostgreSQL at once, as if it was sent to the machine. */
  signal(signal: 'SIGKILL' | 'SIGSTOP'): Promise<void>;
  /** Drops every packet between this node and all others, etcd and the clients. */
  isolate(): void;
  /** Ends the isolation. */
  rejoin(): Promise<void>;
  /** Ends all processes and lines. */
  close(): Promise<void>;
  /** Runs SQL on this node as the superuser, not through the line. */
  sql<Row extends pg.QueryResultRow>(text: string, database?: string): Promise<Row[]>;
}

/** Prepares a node, which is started later. */
export async function makeNode(
  name: string,
  account: Account | null,
  etcdPort: number,
): Promise<PatroniNode> {
  const [port = 0, apiPort = 0] = await freePorts(2);
  const folder = await makeFolder(name, account);
  const direct = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
  const line = await DatabaseLine.to(direct, { records: false });
  const etcdLine = await DatabaseLine.to(`http://127.0.0.1:${etcdPort}`, { records: false });
  const apiLine = await DatabaseLine.to(`http://127.0.0.1:${apiPort}`, { records: false });
  const lines = [line, etcdLine, apiLine];
  const env = {
    PATRONI_NAME: name,
    PATRONI_ETCD3_HOSTS: `127.0.0.1:${etcdLine.port}`,
    // Otherwise it asks etcd for its address and goes around the line.
    PATRONI_ETCD3_USE_PROXIES: 'true',
    PATRONI_RESTAPI_LISTEN: `127.0.0.1:${apiPort}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${apiLine.port}`,
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${line.port}`,
    PATRONI_POSTGRESQL_DATA_DIR: join(folder, 'data'),
    PATRONI_POSTGRESQL_BIN_DIR: postgresFolder(),
    PATRONI_POSTGRESQL_PGPASS: join(folder, 'pgpass'),
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: PASSWORD,
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: PASSWORD,
    MARKETPLACE_PASSWORD: PASSWORD,
    OPS_FOLDER: join(runFolder(), 'ops'),
    LANG: 'C.UTF-8',
  };
  const configuration = join(runFolder(), 'ops', 'patroni.yml');
  let patroni: RunningProgram | null = null;
  const start = () => {
    patroni = startProgram(name, pathOf('patroni'), [configuration], { env, account });
  };
  const signal = async (name: NodeJS.Signals) => {
    const pids = [patroni?.pid ?? 0, ...(await serverProcesses(join(folder, 'data')))];
    for (const pid of pids) tryToSignal(pid, name);
    if (name === 'SIGKILL') await patroni?.ended;
  };
  const sql = <Row extends pg.QueryResultRow>(text: string, database = 'postgres') =>
    queryOnce<Row>(direct.replace(/postgres$/, database), text);
  const isolate = () => {
    for (const each of lines) each.isolate();
  };
  const rejoin = async () => {
    for (const each of lines) await each.mend();
  };
  const close = async () => {
    await signal('SIGKILL');
    for (const each of lines) await each.cut();
  };
  return { name, apiPort: apiLine.port, port: line.port, start, signal, sql, isolate, rejoin, close };
}

/** The pids of a PostgreSQL server and all of its processes. */
async function serverProcesses(dataDir: string): Promise<number[]> {
  const file = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const postmaster = Number(file.split('\n')[0]);
  if (!postmaster) return [];
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(postmaster)]).catch(
    () => ({ stdout: '' }),
  );
  return [postmaster, ...stdout.trim().split(/\s+/).map(Number)].filter((pid) => pid > 1);
}

function tryToSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    if (pid > 1) process.kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}

/** Runs one statement on a connection of its own. */
export async function queryOnce<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
