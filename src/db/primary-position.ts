import type { Logger } from 'pino';

/** A point in the history of the primary: a row that it contains, and a position in its write-ahead log. */
export interface HistoryPoint {
  /** Id of a row of `replication_marks`. Only servers that share the history of the primary up to this row have it. */
  readonly mark: string;
  /** Every transaction that was visible when the position was read has its commit record before it. */
  readonly position: bigint;
}

interface PrimaryPositionOptions {
  log: Logger;
  /** Executes a statement on the listening connection, which leads to the primary; rejects while there is none. */
  query<Row extends object>(sql: string): Promise<Row[]>;
}

/** Marks are written again after this time, and deleted after twenty-four times as long. */
const REMARK_AFTER_MS = 3_600_000;

/**
 * Reads the position of the primary's write-ahead log over the listening connection. Positions of different connections
 * do not compare, because there may have been a failover in between, so each connection writes a mark of its own.
 */
export class PrimaryPosition {
  private mark: string | null = null;
  private markedAt = Number.NEGATIVE_INFINITY;
  private connections = 0;
  private changes = 0;
  private sinceChange: HistoryPoint | null = null;
  private isLearning = false;
  /** The query that is under way, and the one that will be sent after it for those who have asked meanwhile. */
  private asking: Promise<HistoryPoint | null> | null = null;
  private next: Promise<HistoryPoint | null> | null = null;

  constructor(private readonly options: PrimaryPositionOptions) {}

  /** To be called when the listening connection was established: it may lead to another server than the last one. */
  connected(): void {
    this.connections += 1;
    this.renewMark();
    this.changed();
  }

  /** To be called when a replica was reached again: it may have left the history of the primary since the last mark. */
  renewMark(): void {
    this.mark = null;
    this.sinceChange = null;
  }

  /** To be called for every change that reads must show from now on. */
  changed(): void {
    this.changes += 1;
    this.sinceChange = null;
  }

  /** Returns a point that has all changes which were reported; null until one is known. */
  sinceChanges(): HistoryPoint | null {
    if (!this.sinceChange && !this.isLearning) void this.learn();
    return this.sinceChange;
  }

  /** Returns a point that has everything that was committed before the call; null while the primary cannot be asked. */
  now(): Promise<HistoryPoint | null> {
    this.next ??= this.askAfter(this.asking);
    return this.next;
  }

  private async learn(): Promise<void> {
    this.isLearning = true;
    const { changes } = this;
    const point = await this.now();
    this.isLearning = false;
    // A change that came meanwhile may be missing.
    if (changes === this.changes) this.sinceChange = point;
  }

  private async askAfter(previous: Promise<unknown> | null): Promise<HistoryPoint | null> {
    await previous;
    // From here on the query counts as sent: those who ask later need another one.
    this.asking = this.next;
    this.next = null;
    if (!this.mark || performance.now() - this.markedAt > REMARK_AFTER_MS) await this.writeMark();
    const { mark } = this;
    if (!mark) return null;
    try {
      // Unlike the written or flushed position, this one is also behind a commit that did not wait for the disk.
      const [row] = await this.options.query<{ position: string }>(
        'select pg_current_wal_insert_lsn()::text as position',
      );
      return row && this.mark === mark ? { mark, position: parsePosition(row.position) } : null;
    } catch {
      // The listener reports a lost connection.
      return null;
    }
  }

  private async writeMark(): Promise<void> {
    const { connections } = this;
    const mark = crypto.randomUUID();
    try {
      // Without waiting for synchronous replicas, because the heartbeats of the connection wait behind it.
      await this.options.query(`
        set local synchronous_commit = off;
        insert into replication_marks (id) values ('${mark}')`);
      if (connections !== this.connections) return;
      this.mark = mark;
      this.markedAt = performance.now();
      // Its mark will be deleted.
      this.sinceChange = null;
    } catch (error) {
      this.options.log.debug({ err: error }, 'cannot write a mark for the replicas');
    }
  }
}

/** Parses a position such as `16/B374D848`: two halves of 32 bits in hexadecimal. */
export function parsePosition(text: string): bigint {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** Positions compare only under the same mark. */
export const contains = (known: HistoryPoint | null | undefined, { mark, position }: HistoryPoint): boolean =>
  known?.mark === mark && known.position >= position;
