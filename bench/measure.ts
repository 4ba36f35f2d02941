import type { BenchRun } from './bench-run.js';
import { send } from './check.js';
import type { LoadResult } from './load/load.types.js';
import type { Row } from './rows.js';
import type { Server } from './servers/servers.js';

/** The load of a window: wrk, or the bench's own generator in a closed or an open loop. */
export type LoadKind = 'wrk' | 'closed' | 'open';

/** The measurements of one window, and the server's memory and processor time. */
export interface Sample extends LoadResult {
  readonly load: LoadKind;
  readonly residentMb: number | null;
  /** Processor time of the server per request, without PostgreSQL: it hardly depends on other load on the machine. */
  readonly processorMs: number | null;
  /** Processor time of PostgreSQL per request. */
  readonly databaseMs: number | null;
}

/** Installs in the database: the counters, the recorded rows, and the counts by day. */
interface Installs {
  readonly counted: number;
  readonly recorded: number;
  /** The baselines do not count by day, so theirs does not change. */
  readonly rolledUp: number;
}

const SETTLED_WITHIN_MS = 2000;
/** An open loop is measured this many windows long, so that a stall of a second shows. */
const OPEN_WINDOWS = 5;
const SHORTEST_INTERVAL_MS = 100;

/** wrk repeats requests without effort; the bench's own generator checks every response and can send others each time. */
function loadOf(row: Row, { wrk }: BenchRun): LoadKind {
  if (row.perSecond !== undefined) return 'open';
  return row.warm && wrk ? 'wrk' : 'closed';
}

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
    const writes = row.kind === 'install' || row.kind === 'mixed';
    const before = writes ? await this.installs(server) : null;
    const from = this.next.get(key) ?? 0;
    // The first window of a row has a longer warm-up, because its code is not compiled yet.
    const warmUpMs = from === 0 ? this.windowMs : this.windowMs / 4;
    const load = loadOf(row, this.bench);
    const usedBefore = await this.processorTimes(server);
    const result =
      load === 'wrk'
        ? await this.wrk(row, server, warmUpMs)
        : await this.own(row, server, from, options.once ? { once: true, warmUpMs: 0 } : { warmUpMs });
    this.next.set(key, from + result.sent);
    const used = await this.processorTimes(server);
    const [processorMs, databaseMs] = used.map((ms, index) => {
      const beforeMs = usedBefore[index] ?? null;
      return ms === null || beforeMs === null ? null : (ms - beforeMs) / result.sent;
    }) as [number | null, number | null];
    if (before) await this.requireExact(row, server, before, result);
    return { ...result, load, residentMb: await server.residentMb(), processorMs, databaseMs };
  }

  private processorTimes(server: Server): Promise<[number | null, number | null]> {
    return Promise.all([server.processorMs(), this.bench.cluster.processorMs()]);
  }

  private async own(
    row: Row,
    server: Server,
    from: number,
    options: { once?: boolean; warmUpMs: number },
  ): Promise<LoadResult> {
    const isStatic = server.variant === 'static';
    const { perSecond } = row;
    this.window += 1;
    return this.bench.load.run({
      port: server.port,
      connections: row.connections,
      requests: isStatic ? row.requests.map(({ start: _, ...request }) => request) : row.requests,
      ...(await this.lengths(row, server)),
      from,
      measuredMs: perSecond === undefined ? this.windowMs : OPEN_WINDOWS * this.windowMs,
      run: `${process.pid}-${this.window}`,
      ...options,
      ...(perSecond !== undefined && { perSecond }),
      ...(row.kind === 'mixed' && { intervalMs: Math.max(SHORTEST_INTERVAL_MS, this.windowMs / 10) }),
    });
  }

  private async wrk(row: Row, server: Server, warmUpMs: number): Promise<LoadResult> {
    const { port } = server;
    const { connections, requests } = row;
    const order = { port, connections, requests, ...(await this.lengths(row, server)) };
    const warmUp = await this.bench.wrk!.run({ ...order, seconds: warmUpMs / 1000 });
    const result = await this.bench.wrk!.run({ ...order, seconds: this.windowMs / 1000 });
    return { ...result, sent: warmUp.sent + result.sent };
  }

  /** Returns true if a cold row has started to repeat its requests for this server, so that a cache might have helped. */
  repeats(row: Row, server: Server): boolean {
    const sent = this.next.get(`${row.name} ${server.variant} ${server.port}`) ?? 0;
    return !row.warm && row.kind !== 'install' && row.name !== 'authenticated' && sent > row.requests.length;
  }

  /** Returns the lengths that the responses of a warm row must have. */
  private async lengths(row: Row, server: Server): Promise<{ lengths?: number[] }> {
    if (!row.warm || server.variant === 'static') return {};
    const responses = row.requests.map(async (request) => (await send(server, request)).length);
    return { lengths: await Promise.all(responses) };
  }

  /** Throws unless exactly the acknowledged installs are recorded and counted; those without a response may be. */
  private async requireExact(row: Row, server: Server, before: Installs, result: LoadResult): Promise<void> {
    const acknowledged = result.installed;
    const most = acknowledged + (result.open?.unansweredInstalls ?? 0);
    const deadline = Date.now() + SETTLED_WITHIN_MS;
    for (;;) {
      const after = await this.installs(server);
      const counted = after.counted - before.counted;
      const recorded = after.recorded - before.recorded;
      const rolledUp = server.isGateway ? after.rolledUp - before.rolledUp : recorded;
      const isSame = counted === recorded && rolledUp === recorded;
      if (isSame && recorded >= acknowledged && recorded <= most) return;
      if (Date.now() > deadline)
        throw new Error(
          `${row.name}: ${server.variant} acknowledged ${acknowledged} installs, recorded ${recorded}, counted ${counted} and rolled up ${rolledUp}`,
        );
    }
  }

  private async installs(server: Server): Promise<Installs> {
    return this.bench.cluster.withClient(this.databaseOf(server), async (client) => {
      const counters = server.isGateway ? 'app_figures' : 'apps';
      const text = `select (select sum(install_count) from ${counters})::int as counted,
        (select count(*) from installations)::int as recorded,
        (select coalesce(sum(installs), 0) from installs_daily)::int as "rolledUp"`;
      return (await client.query<Installs>(text)).rows[0]!;
    });
  }
}
