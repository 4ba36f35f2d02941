import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import type { DatabaseClient } from './client.js';
import { inTime } from './in-time.js';
import { createClient, openPool } from './pool.js';
import { contains, type HistoryPoint, type PrimaryPosition, parsePosition } from './primary-position.js';
import { maxPrepared, type Statement, sessionSettings } from './reader.js';
import { type LagFigures, ReplicaLag } from './replica-lag.js';
import { readState, type ServerState } from './server-state.js';

const PROBE_INTERVAL_MS = 250;
/** A replica that does not answer for this long is silent: reads that wait for it go on at the primary. */
const PROBE_TIMEOUT_MS = 500;
const CONNECT_TIMEOUT_MS = 2_000;
const RECONNECT_DELAY_MS = 1_000;
/** A replica that lacks a commit which is older than this is not used. */
export const MAX_LAG_MS = 1_000;
/** Pause between two looks at a replica that has not replayed enough yet. */
const POLL_MS = 3;
/** Reports may take long, so they get connections of their own. */
const REPORT_CONNECTIONS = 2;

/** `catalog`: short prepared statements. `report`: statements that are planned for their values. */
export type ReplicaPurpose = 'catalog' | 'report';

/** Without a name, a statement is planned for its values each time. */
type ReplicaStatement = Pick<Statement, 'text' | 'values'> & Partial<Pick<Statement, 'name'>>;

interface ReplicaOptions {
  url: string;
  /** Number of connections for reads of the catalog. */
  max: number;
  log: Logger;
  position: Pick<PrimaryPosition, 'now' | 'renewMark'>;
}

/** Figures of a replica, for the metrics. */
export interface ReplicaFigures extends LagFigures {
  /** Host, port and database. */
  readonly replica: string;
  /** Null: the server is the primary at present, so it is rightly not used. */
  readonly isUsed: boolean | null;
  /** Statements that the replica has answered. */
  readonly reads: number;
}

/** A streaming replica: its connections, what each of them is known to have replayed, and whether it may be used. */
export class Replica {
  readonly name: string;
  private readonly pools: Record<ReplicaPurpose, Pool>;
  private readonly lag = new ReplicaLag();
  /** The position that the server has certainly replayed. By connection: another one may lead to another server, or to one that was restarted. */
  private readonly reached = new WeakMap<object, HistoryPoint>();
  /** The last point that the probe has seen. Only a hint, as the probe has a connection of its own. */
  private probed: HistoryPoint | null = null;
  /** The reason why the replica is not used; null: it is. */
  private problem: string | null = 'it was not reached yet';
  private wasStandby = false;
  private isPrimary = false;
  private readonly busy = new Set<PoolClient>();
  /** Aborted when the server is silent or gone. */
  private session = new AbortController();
  private readonly closing = new AbortController();
  private readonly running: Promise<void>;
  private reads = 0;

  constructor(private readonly options: ReplicaOptions) {
    const { url, max, log } = options;
    const { host, pathname } = new URL(url);
    this.name = `${host}${pathname}`;
    this.pools = {
      catalog: openPool({ url, purpose: 'replica', max, log, sessionSettings, maxPrepared }),
      report: openPool({ url, purpose: 'replica', max: REPORT_CONNECTIONS, log }),
    };
    this.running = this.run();
  }

  get figures(): ReplicaFigures {
    const isUsed = this.isPrimary ? null : this.problem === null;
    return { replica: this.name, isUsed, ...this.lag.figures, reads: this.reads };
  }

  /** Returns true if the replica had replayed a point when it was last probed. */
  mayHave(point: HistoryPoint): boolean {
    return this.problem === null && contains(this.probed, point);
  }

  /** Returns true if the replica is used and will probably have replayed a point within this time. */
  mayReachWithin(ms: number): boolean {
    return this.problem === null && this.lag.probedMs <= ms;
  }

  /**
   * Executes a statement whose result contains all of a point of the primary's history; returns null if the replica does
   * not reach it within the time. Rejects if the server fails, at the latest when the probe finds it silent.
   */
  async rows<Row extends object>(
    purpose: ReplicaPurpose,
    statement: ReplicaStatement,
    point: HistoryPoint,
    withinMs: number,
  ): Promise<Row[] | null> {
    const deadline = performance.now() + withinMs;
    const client = await this.connect(this.pools[purpose]);
    this.busy.add(client);
    let failure: unknown;
    try {
      if (!(await this.reaches(client, point, deadline))) return null;
      const { rows } = await client.query<Row>({ ...statement, values: [...statement.values] });
      this.reads += 1;
      return rows;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      this.busy.delete(client);
      client.release(failure instanceof Error);
    }
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.problem = 'it is closed';
    this.endReads(this.problem);
    await this.running;
    await Promise.all(Object.values(this.pools).map((pool) => pool.end()));
  }

  /** Checks on the connection itself, before the statement takes its snapshot. The result stays true for this connection. */
  private async reaches(client: PoolClient, point: HistoryPoint, deadline: number): Promise<boolean> {
    for (let known = this.reached.get(client); !contains(known, point); ) {
      const state = await readState(client, point.mark);
      if (!state.isStandby || !state.isMarked || state.replayed === null) return false;
      known = { mark: point.mark, position: parsePosition(state.replayed) };
      this.reached.set(client, known);
      if (contains(known, point)) break;
      if (performance.now() >= deadline) return false;
      await delay(POLL_MS);
    }
    return true;
  }

  /** Waits for a connection, but not longer than the server responds. */
  private async connect(pool: Pool): Promise<PoolClient> {
    const { signal } = this.session;
    const connecting = pool.connect();
    const lost = Promise.withResolvers<never>();
    const onLost = () => lost.reject(new Error('the replica is silent'));
    signal.addEventListener('abort', onLost, { once: true });
    try {
      signal.throwIfAborted();
      return await Promise.race([connecting, lost.promise]);
    } catch (error) {
      connecting.then(
        (client) => client.release(true),
        () => undefined,
      );
      throw error;
    } finally {
      signal.removeEventListener('abort', onLost);
    }
  }

  /** Probes the replica for as long as it responds, and connects again and again otherwise. */
  private async run(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      try {
        await this.probeUntilLost();
      } catch (error) {
        if (signal.aborted) break;
        const problem = error instanceof Error ? error.message : String(error);
        this.leaveOut(problem);
        this.endReads(problem);
        await this.noteSilence();
      }
      await delay(RECONNECT_DELAY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async probeUntilLost(): Promise<void> {
    const { url, position } = this.options;
    const { signal } = this.closing;
    const client = createClient({ url, purpose: 'replica', connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    const end = () => client.abandon('the replica is closed');
    signal.addEventListener('abort', end, { once: true });
    try {
      await client.connect();
      position.renewMark();
      this.session = new AbortController();
      while (!signal.aborted) {
        const askedAt = performance.now();
        const point = await position.now();
        if (point) this.note(point, askedAt, await this.ask(client, point.mark));
        await delay(PROBE_INTERVAL_MS, undefined, { signal, ref: false });
      }
    } finally {
      signal.removeEventListener('abort', end);
      client.abandon('the probe has ended');
    }
  }

  private ask(client: DatabaseClient, mark: string): Promise<ServerState> {
    return inTime(readState(client, mark), PROBE_TIMEOUT_MS, () =>
      Promise.reject(new Error(`it was silent for ${PROBE_TIMEOUT_MS} ms`)),
    );
  }

  private note(point: HistoryPoint, askedAt: number, state: ServerState): void {
    if (!state.isStandby) {
      this.noteNoStandby(state.isMarked);
      return;
    }
    this.wasStandby = true;
    const position = state.replayed === null ? 0n : parsePosition(state.replayed);
    this.lag.note(point.position, askedAt, position, state.isMarked);
    this.probed = state.isMarked ? { mark: point.mark, position } : null;
    if (this.lag.probedMs > MAX_LAG_MS)
      this.leaveOut(
        state.isMarked
          ? 'it lags too far behind the primary'
          : 'it has not replayed what this process wrote to the primary',
      );
    // A mark that was just written takes a moment to arrive, which is no reason for a warning.
    else if (state.isMarked) this.use();
  }

  private noteNoStandby(isMarked: boolean): void {
    this.lag.clear();
    this.probed = null;
    // A server that was promoted beside the primary has its old marks, but none that is written from now on.
    if (this.wasStandby) this.options.position.renewMark();
    const isPrimary = isMarked && !this.wasStandby;
    this.wasStandby = false;
    if (isPrimary) this.leaveOut('it is the primary', 'info');
    else this.leaveOut('it is no standby: it was promoted, or belongs to another database');
    this.isPrimary = isPrimary;
  }

  private async noteSilence(): Promise<void> {
    const askedAt = performance.now();
    const point = await this.options.position.now();
    if (point) this.lag.noteSilence(point.position, askedAt);
  }

  private use(): void {
    if (this.problem !== null) this.options.log.info({ replica: this.name }, 'the replica is used for reads');
    this.problem = null;
    this.isPrimary = false;
  }

  private leaveOut(problem: string, level: 'info' | 'warn' = 'warn'): void {
    if (this.problem !== problem)
      this.options.log[level]({ replica: this.name, problem }, 'the replica is not used for reads');
    this.problem = problem;
    this.isPrimary = false;
  }

  /** Ends everything that waits for the server. */
  private endReads(reason: string): void {
    this.probed = null;
    this.session.abort();
    for (const client of this.busy) (client as unknown as DatabaseClient).abandon(reason);
  }
}
