import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompiledQuery, RawBuilder } from 'kysely';
import type { Logger } from 'pino';
import { inTime } from './in-time.js';
import type { PrimaryPosition } from './primary-position.js';
import type { Statement, StatementReader } from './reader.js';
import { Replica, type ReplicaFigures } from './replica.js';

/** The longest time that a report waits for the position of the primary, and then for a replica that catches up. */
const WAIT_MS = 50;

interface ReplicasOptions {
  /** Connections to each replica for reads of the catalog. */
  max: number;
  log: Logger;
  position: PrimaryPosition;
  /** Returns true if this process certainly knows all changes of the catalog that are older than half a second. */
  isListening(): boolean;
}

/**
 * Sends reads to streaming replicas, as far as these have what the read must show. docs/architecture.md proves that
 * this adds nothing to the age of a response.
 */
export class Replicas {
  private readonly replicas: readonly Replica[];
  private turn = 0;

  /** Connects to the replicas of DATABASE_REPLICA_URLS; returns null if there are none. */
  static open(urls: readonly string[], options: ReplicasOptions): Replicas | null {
    return urls.length > 0 ? new Replicas(urls, options) : null;
  }

  private constructor(
    urls: readonly string[],
    private readonly options: ReplicasOptions,
  ) {
    const { max, log, position } = options;
    this.replicas = urls.map((url) => new Replica({ url, max, log, position }));
  }

  get figures(): ReplicaFigures[] {
    return this.replicas.map(({ figures }) => figures);
  }

  /** Returns a reader of the catalog. Its results have every change that has raised the version of the catalog. */
  catalogReader(primary: StatementReader): StatementReader {
    return {
      rows: async <Row extends object>(statement: Statement) =>
        (await this.catalog<Row>(statement)) ?? primary.rows<Row>(statement),
    };
  }

  /**
   * Executes a statement whose result has everything that was committed before the call, by any process; returns null if
   * no replica can do so soon.
   */
  async report<Row extends object>({ sql, parameters }: CompiledQuery<Row>): Promise<Row[] | null> {
    if (!this.options.isListening()) return null;
    const replica = this.nextOf((candidate) => candidate.mayReachWithin(WAIT_MS));
    const point = replica && (await inTime(this.options.position.now(), WAIT_MS, () => null));
    if (!replica || !point) return null;
    return this.read(replica, () =>
      replica.rows<Row>('report', { text: sql, values: parameters }, point, WAIT_MS),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }

  private async catalog<Row extends object>(statement: Statement): Promise<Row[] | null> {
    const point = this.options.isListening() ? this.options.position.sinceChanges() : null;
    const replica = point && this.nextOf((candidate) => candidate.mayHave(point));
    if (!replica) return null;
    return this.read(replica, () => replica.rows<Row>('catalog', statement, point, 0));
  }

  /** A statement that fails on a replica is tried on the primary, which reports the problem if it has it too. */
  private async read<Row>(replica: Replica, work: () => Promise<Row[] | null>): Promise<Row[] | null> {
    try {
      return await work();
    } catch (error) {
      this.options.log.debug({ err: error, replica: replica.name }, 'a read goes on at the primary');
      return null;
    }
  }

  /** Takes the replicas in turn. */
  private nextOf(isSuitable: (replica: Replica) => boolean): Replica | null {
    const suitable = this.replicas.filter(isSuitable);
    this.turn += 1;
    return suitable[this.turn % suitable.length] ?? null;
  }
}

/** Executes statements of reports, which may read many rows. */
export interface ReportReader {
  rows<Row extends object>(query: RawBuilder<Row>): Promise<Row[]>;
}

/** Reads reports from a replica, or over the connections of the ORM where there is none that has everything. */
export const reportReader = (em: EntityManager, replicas: Replicas | null): ReportReader => ({
  async rows<Row extends object>(query: RawBuilder<Row>) {
    const db = em.getKysely();
    const onReplica = replicas && (await replicas.report(query.compile(db)));
    return onReplica ?? (await query.execute(db)).rows;
  },
});
