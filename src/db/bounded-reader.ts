import { ServiceError } from '../errors.js';
import { remainingMs } from './payer.js';
import type { Statement, StatementReader } from './reader.js';

/** Statements that wait for their turn, for each that may run. */
const WAITING_PER_CONNECTION = 32;
/** Longest wait for a turn. A client that has waited longer has often gone. */
const WAIT_MS = 2_000;

interface WaitingStatement {
  start(): void;
}

/**
 * Executes a bounded number of statements at once. Searches and counts share one, so that however many of them are
 * requested, a part of the connections is left to lists, slugs, credentials and `/readyz` (D360).
 */
export class BoundedReader implements StatementReader {
  private running = 0;
  /** In the order of their arrival. */
  private readonly waiting = new Set<WaitingStatement>();
  private readonly maxRunning: number;

  /** Half of the connections of `reader`, and one at least, may be used. */
  constructor(
    private readonly reader: StatementReader,
    connections: number,
  ) {
    this.maxRunning = Math.max(1, Math.floor(connections / 2));
  }

  /** Number of statements that run, and that wait for their turn. */
  get figures(): { running: number; waiting: number } {
    return { running: this.running, waiting: this.waiting.size };
  }

  /** Rejects with UNAVAILABLE, without executing the statement, if too many wait or if its turn does not come in time. */
  async rows<Row extends object>(statement: Statement): Promise<Row[]> {
    if (this.running < this.maxRunning) this.running += 1;
    else await this.turn();
    try {
      return await this.reader.rows<Row>(statement);
    } finally {
      const [next] = this.waiting;
      // The next one takes over the place of this one.
      if (next) next.start();
      else this.running -= 1;
    }
  }

  private turn(): Promise<void> {
    if (this.waiting.size >= this.maxRunning * WAITING_PER_CONNECTION) throw tooBusy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (settle: () => void) => {
      clearTimeout(timer);
      this.waiting.delete(entry);
      settle();
    };
    const entry = { start: () => leave(resolve) };
    const timer = setTimeout(() => leave(() => reject(tooBusy())), Math.min(WAIT_MS, remainingMs()));
    this.waiting.add(entry);
    return promise;
  }
}

const tooBusy = () =>
  new ServiceError(
    'UNAVAILABLE',
    'Too many searches and counts are being computed right now. Try again in a few seconds.',
  );
