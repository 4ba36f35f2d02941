import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { Account } from '../../../src/embedded-postgres/account.js';
import { freePorts, makeFolder, type RunningProgram, serverAccount, startProgram } from './processes.js';
import { postgresFolder } from './programs.js';

const run = promisify(execFile);
/** Nothing has to survive a crash of the machine. */
const settings = {
  fsync: 'off',
  max_connections: '200',
  unix_socket_directories: '',
  wal_keep_size: '256MB',
};

/** A PostgreSQL server of a test: a primary or a standby. */
export class PostgresServer {
  private program: RunningProgram | null = null;

  private constructor(
    readonly name: string,
    readonly port: number,
    private readonly directory: string,
    private readonly account: Account | null,
  ) {}

  /** Creates a primary and starts it. */
  static async primary(name: string): Promise<PostgresServer> {
    const server = await PostgresServer.create(name);
    await server.tool('initdb', [
      `--pgdata=${server.directory}`,
      '--username=postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ]);
    await server.start();
    return server;
  }

  /** Copies this server and starts the copy as a standby that streams from it. */
  async standby(name: string): Promise<PostgresServer> {
    const server = await PostgresServer.create(name);
    await server.tool('pg_basebackup', [
      `--dbname=${this.url}`,
      `--pgdata=${server.directory}`,
      '--write-recovery-conf',
      '--checkpoint=fast',
      '--no-sync',
    ]);
    await server.start();
    return server;
  }

  get url(): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/postgres`;
  }

  async start(others: Record<string, string> = {}): Promise<void> {
    const given = { ...settings, ...others, port: String(this.port), listen_addresses: '127.0.0.1' };
    const args = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.program = startProgram(
      this.name,
      join(postgresFolder(), 'postgres'),
      ['-D', this.directory, ...args],
      { account: this.account, env: { LC_ALL: 'C', TZ: 'UTC' } },
    );
    for (;;) {
      const isReady = await this.sql('select').then(
        () => true,
        () => false,
      );
      if (isReady) return;
      if (!this.program.isRunning()) throw new Error(`PostgreSQL has ended:\n${this.program.output()}`);
      await delay(50);
    }
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    const children = this.processes().slice(1);
    await this.program?.end('SIGKILL');
    // Its other processes notice that, but not at once.
    for (const pid of children) signal(pid, 'SIGKILL');
    await rm(join(this.directory, 'postmaster.pid'), { force: true });
  }

  async stop(): Promise<void> {
    await this.program?.end('SIGINT');
  }

  /** Stops all its processes without ending them: connections stay open, and nothing is answered. */
  freeze(): void {
    for (const pid of this.processes()) signal(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of this.processes()) signal(pid, 'SIGCONT');
  }

  /** Makes a server that was promoted a standby again, of nobody. */
  async makeStandbyOfNobody(): Promise<void> {
    await this.sql("alter system set primary_conninfo = ''");
    await this.stop();
    const file = join(this.directory, 'standby.signal');
    await writeFile(file, '');
    await chmod(file, 0o644);
    await this.start();
  }

  /** Becomes a standby of another server at its next start. */
  async follow({ port }: PostgresServer): Promise<void> {
    await this.sql(`alter system set primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'`);
  }

  /** The position that it has written, or replayed as a standby, in bytes. */
  async position(): Promise<number> {
    const [row] = await this.sql<{ position: string }>(
      `select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end
        - '0/0'::pg_lsn)::text as position`,
    );
    return Number(row!.position);
  }

  async sql<Row extends object>(text: string): Promise<Row[]> {
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  private static async create(name: string): Promise<PostgresServer> {
    const account = await serverAccount();
    const [port = 0] = await freePorts(1);
    return new PostgresServer(name, port, await makeFolder(name, account), account);
  }

  /** The main process first, then its children. */
  private processes(): number[] {
    const pid = this.program?.pid ?? 0;
    if (!this.program?.isRunning()) return [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return [pid, ...children.split(' ').filter(Boolean).map(Number)];
  }

  private async tool(program: string, args: readonly string[]): Promise<void> {
    await run(join(postgresFolder(), program), [...args], {
      ...this.account,
      cwd: '/',
      env: { LC_ALL: 'C' },
    });
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended in the meantime.
  }
}
