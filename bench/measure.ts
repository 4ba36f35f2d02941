import type { BenchRun } from './bench-run.js';
import { send } from './check.js';
import type { LoadResult } from './load/load.types.js';
import type { Row } from './rows.js';
import type { Server } from './servers/servers.js';

/** The measurements of one window, and the server's memory and processor time. */
export interface Sample extends LoadResult {
  readonly residentMb: number | null;
  /** Processor time of the server per request, without PostgreSQL: it hardly depends on other load on the machine. */
  readonly processorMs: number | null;
}

/** Installs in the database: the counters, the recorded rows, and the counts by day. */
interface Installs {
  readonly counted: number;
  readonly recorded: number;
  /** The baselines do not count by day, so theirs does not change. */
  readonly rolledUp: number;
}

const SETTLED_WITHIN_MS = 2000;

/** Measures rows window by window; a cold row continues in its list where the last window of that server ended. */
export class Measurements {
  private readonly next = new Map<string, number>();
  private window = 0;

  constructor(
    private readonly bench: BenchRun,
    private readonly windowMs: number,
    private readonly databaseOf: (server: Server) => string,
  ) {}

  async measure(row: Row, server: Server, options: { once?: boolean } = {}): Promise<Sample> {
    const key = `${row.name} ${server.variant} ${server.port}`;
    const isStatic = server.variant === 'static';
    const writes = (row.kind === 'install' || row.kind === 'mixed') && !isStatic;
    const before = writes ? await this.installs(server) : null;
    const from = this.next.get(key) ?? 0;
    // The first window of a row has a longer warm-up, because its code is not compiled yet.
    const warmUpMs = from === 0 ? this.windowMs : this.windowMs / 4;
    const lengths = row.warm && !isStatic ? { lengths: await this.lengths(row, server) } : {};
    const usedBefore = await server.processorMs();
    this.window += 1;
    const result = await this.bench.load.run({
      port: server.port,
      connections: row.connections,
      requests: isStatic ? row.requests.map(({ start: _, ...request }) => request) : row.requests,
      ...lengths,
      from,
      warmUpMs: options.once ? 0 : warmUpMs,
      measuredMs: this.windowMs,
      once: options.once ?? false,
      run: `${process.pid}-${this.window}`,
    });
    this.next.set(key, from + result.sent);
    const used = await server.processorMs();
    const processorMs = used === null || usedBefore === null ? null : (used - usedBefore) / result.sent;
    if (before) await this.requireExact(row, server, before, result);
    return { ...result, residentMb: await server.residentMb(), processorMs };
  }

  /** Returns true if a cold row has started to repeat its requests for this server, so that a cache might have helped. */
  repeats(row: Row, server: Server): boolean {
    const sent = this.next.get(`${row.name} ${server.variant} ${server.port}`) ?? 0;
    return !row.warm && row.kind !== 'install' && row.name !== 'authenticated' && sent > row.requests.length;
  }

  private async lengths(row: Row, server: Server): Promise<number[]> {
    return Promise.all(row.requests.map(async (request) => (await send(server, request)).length));
  }

  /** Throws unless exactly the acknowledged installs are recorded and counted. */
  private async requireExact(row: Row, server: Server, before: Installs, result: LoadResult): Promise<void> {
    const acknowledged = result.installed;
    const deadline = Date.now() + SETTLED_WITHIN_MS;
    for (;;) {
      const after = await this.installs(server);
      const counted = after.counted - before.counted;
      const recorded = after.recorded - before.recorded;
      const rolledUp = server.variant === 'ours' ? after.rolledUp - before.rolledUp : acknowledged;
      if ([counted, recorded, rolledUp].every((figure) => figure === acknowledged)) return;
      if (Date.now() > deadline)
        throw new Error(
          `${row.name}: ${server.variant} acknowledged ${acknowledged} installs, recorded ${recorded}, counted ${counted} and rolled up ${rolledUp}`,
        );
    }
  }

  private async installs(server: Server): Promise<Installs> {
    return this.bench.cluster.withClient(this.databaseOf(server), async (client) => {
      const counters = server.variant === 'ours' ? 'app_figures' : 'apps';
      const text = `select (select sum(install_count) from ${counters})::int as counted,
        (select count(*) from installations)::int as recorded,
        (select coalesce(sum(installs), 0) from installs_daily)::int as "rolledUp"`;
      return (await client.query<Installs>(text)).rows[0]!;
    });
  }
}
