import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../src/embedded-postgres/embedded.js';
import { processTimes } from './child.js';

/** PostgreSQL's defaults with full durability, more memory for the catalog, and more WAL for loading it. */
const settings = {
  max_connections: '200',
  shared_buffers: '1GB',
  maintenance_work_mem: '512MB',
  max_wal_size: '8GB',
  fsync: 'on',
  synchronous_commit: 'on',
};

/** The PostgreSQL server of a run, with its databases. */
export class Cluster {
  private constructor(
    private readonly database: EmbeddedDatabase,
    private readonly temporary: string | null,
  ) {}

  /** Starts PostgreSQL in the given folder, or in a temporary one that `stop` removes. */
  static async start(folder: string | null, signal: AbortSignal): Promise<Cluster> {
    const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'marketplace-gateway-bench-')));
    // Under root PostgreSQL runs as another user, who must be able to enter the folder.
    if (folder === null) await chmod(dataDir, 0o711);
    try {
      const database = await startEmbeddedDatabase({ dataDir, settings, signal });
      return new Cluster(database, folder === null ? dataDir : null);
    } catch (error) {
      if (folder === null) await rm(dataDir, { recursive: true, force: true });
      throw error;
    }
  }

  url(name: string): string {
    const url = new URL(this.database.url);
    url.pathname = `/${name}`;
    return url.href;
  }

  async has(name: string): Promise<boolean> {
    const text = 'select from pg_database where datname = $1';
    return this.withClient('postgres', async (client) => (await client.query(text, [name])).rowCount === 1);
  }

  async create(name: string, template?: string): Promise<void> {
    await this.withClient('postgres', async (client) => {
      await client.query(`drop database if exists ${name} with (force)`);
      await client.query(
        template
          ? `create database ${name} template ${template} strategy file_copy`
          : `create database ${name}`,
      );
    });
  }

  async rename(from: string, to: string): Promise<void> {
    await this.withClient('postgres', (client) => client.query(`alter database ${from} rename to ${to}`));
  }

  async withClient<T>(name: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.url(name) });
    // An interruption closes the connection; the running query then reports the error.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await use(client);
    } finally {
      await client.end();
    }
  }

  /** Returns the processor time of all its processes so far in milliseconds; null without /proc. */
  async processorMs(): Promise<number | null> {
    const [pid = ''] = (await readFile(join(this.database.directory, 'postmaster.pid'), 'utf8')).split('\n');
    const postmaster = await processTimes(pid);
    if (!postmaster) return null;
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const all = await Promise.all(pids.map(processTimes));
    const children = all.filter((times) => times?.parent === Number(pid));
    return children.reduce(
      (sum, times) => sum + (times?.ownMs ?? 0),
      postmaster.ownMs + postmaster.endedChildrenMs,
    );
  }

  async stop(): Promise<void> {
    await this.database.stop();
    if (this.temporary) await rm(this.temporary, { recursive: true, force: true });
  }
}
