import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../src/embedded-postgres/embedded.js';

/** Everything as PostgreSQL has it, durable, but for memory that fits the catalog and a log that fits its loading. */
const settings = {
  max_connections: '200',
  shared_buffers: '1GB',
  maintenance_work_mem: '512MB',
  max_wal_size: '8GB',
  fsync: 'on',
  synchronous_commit: 'on',
};

/** The PostgreSQL of a run, and the databases in it. */
export class Cluster {
  private constructor(
    private readonly database: EmbeddedDatabase,
    private readonly temporary: string | null,
  ) {}

  /** In a folder of its own that goes with it, or in one that is kept. */
  static async start(kept: string | null, signal: AbortSignal): Promise<Cluster> {
    const dataDir = kept ?? (await mkdtemp(join(tmpdir(), 'marketplace-gateway-bench-')));
    // Under root the database's own user has to pass through.
    if (kept === null) await chmod(dataDir, 0o711);
    try {
      const database = await startEmbeddedDatabase({ dataDir, settings, signal });
      return new Cluster(database, kept === null ? dataDir : null);
    } catch (error) {
      if (kept === null) await rm(dataDir, { recursive: true, force: true });
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
    // Whoever interrupts the bench ends the connection; the query under way fails and says so.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await use(client);
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    await this.database.stop();
    if (this.temporary) await rm(this.temporary, { recursive: true, force: true });
  }
}
