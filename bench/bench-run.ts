import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BaseBuild } from './base-build.js';
import { ensureBaseline, ensureCatalog, insertKeys, newKeys } from './catalog/catalog.js';
import { Cluster } from './cluster.js';
import { Load } from './load/load.js';
import { Wrk } from './load/wrk.js';
import type { Progress } from './progress.js';
import type { RequestData } from './requests.js';
import { Server, type Variant } from './servers/servers.js';

const SLUGS = 60_000;

/** Everything that a run has started; `close` stops and removes it. */
export class BenchRun {
  private readonly servers: Server[] = [];
  private base: BaseBuild | null = null;

  private constructor(
    readonly cluster: Cluster,
    readonly load: Load,
    /** Null if it is not installed. */
    readonly wrk: Wrk | null,
    readonly progress: Progress,
    private readonly folder: string,
    private readonly profile: string | null,
  ) {}

  static async open(
    options: { data: string | null; profile: string | null },
    progress: Progress,
    signal: AbortSignal,
  ): Promise<BenchRun> {
    progress.log('Starting PostgreSQL');
    const cluster = await Cluster.start(options.data, signal);
    try {
      const load = await Load.start();
      const folder = await mkdtemp(join(tmpdir(), 'marketplace-gateway-bench-logs-'));
      const wrk = await Wrk.find(folder);
      if (!wrk) progress.log('wrk is not installed: the bench measures warm rows with its own generator');
      return new BenchRun(cluster, load, wrk, progress, folder, options.profile);
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** Copies a catalog for a server, and inserts the API keys of this run. */
  async copy(catalog: string, name: string, keys: readonly string[]): Promise<void> {
    await this.cluster.create(name, catalog);
    await insertKeys(this.cluster, name, keys);
  }

  /** Returns the database of the catalog of this size; loads it if it does not exist. */
  catalog(apps: number): Promise<string> {
    return ensureCatalog(this.cluster, apps, this.progress);
  }

  baseline(catalog: string): Promise<string> {
    return ensureBaseline(this.cluster, catalog, this.progress);
  }

  /** Reads the data for the requests from a catalog. */
  async requestData(database: string, keys = newKeys()): Promise<RequestData> {
    return this.cluster.withClient(database, async (client) => {
      const count = await client.query<{ approved: number }>(
        "select count(*)::int as approved from apps where status = 'APPROVED'",
      );
      const some = await client.query<{ slug: string }>(
        "select slug from apps where status = 'APPROVED' order by md5(slug) limit $1",
        [SLUGS],
      );
      return { approved: count.rows[0]!.approved, slugs: some.rows.map(({ slug }) => slug), keys };
    });
  }

  /** Builds another commit, whose server is `base`. */
  async buildBase(commit: string): Promise<BaseBuild> {
    this.base = await BaseBuild.create(commit, this.progress);
    return this.base;
  }

  async start(variant: Variant, database: string): Promise<Server> {
    const nodeArgs =
      variant === 'ours' && this.profile ? ['--cpu-prof', `--cpu-prof-dir=${this.profile}`] : [];
    const server = await Server.start(variant, {
      databaseUrl: this.cluster.url(database),
      logFile: join(this.folder, `${variant}.log`),
      nodeArgs,
      ...(variant === 'base' && this.base && { root: this.base.root }),
    });
    this.servers.push(server);
    return server;
  }

  async close(): Promise<void> {
    this.load.stop();
    await Promise.all(this.servers.map((server) => server.stop()));
    await this.cluster.stop();
    await this.base?.remove();
    await rm(this.folder, { recursive: true, force: true });
  }
}
