import { remainingMs } from '../db/payer.js';
import { ServiceError } from '../errors.js';

/** Bounds of the write transactions of a process. Only tests change them: there is no setting. */
export interface WriteBounds {
  /** Transactions at once. The connections beyond it are left to reads. */
  total: number;
  /** Transactions of one caller at once. More would only wait for each other: events of a developer are written one by one. */
  perCaller: number;
  /** Transactions on one resource at once. One works, and one has already begun when its lock is released. */
  perResource: number;
  /** Transactions that wait for their turn; half of them at most wait for one caller or resource. */
  maxWaiting: number;
  /** Longest wait for a turn. */
  waitMs: number;
}

const defaults: Omit<WriteBounds, 'total'> = {
  perCaller: 4,
  perResource: 2,
  maxWaiting: 1_000,
  waitMs: 10_000,
};

/** A transaction is not begun with less than this left for its request (D329). */
export const minTransactionMs = 250;

/** A quarter of the connections, at least one, is never used by write transactions. */
const readShare = 4;

/** The things that a transaction competes for with others: the same caller writes one thing after another, and a row has one writer. */
export interface Contention {
  caller: string | null;
  resources: readonly string[];
}

interface WaitingWrite {
  keys: readonly string[];
  start(): void;
}

/**
 * Runs write transactions, a bounded number at once. Transactions on a locked row wait here, where they hold no
 * connection, so that one locked row cannot take the connections of all others (D241).
 */
export class WriteQueue {
  private readonly bounds: WriteBounds;
  private total = 0;
  private readonly running = new Map<string, number>();
  /** In the order of their arrival. */
  private readonly waiting = new Set<WaitingWrite>();

  constructor(connections: number, bounds: Partial<WriteBounds> = {}) {
    const total = Math.max(1, connections - Math.ceil(connections / readShare));
    this.bounds = { total, ...defaults, ...bounds };
  }

  /** Number of transactions that run, and that wait for their turn. */
  get figures(): { running: number; waiting: number } {
    return { running: this.total, waiting: this.waiting.size };
  }

  /**
   * Runs a transaction in its turn, and tells it whether it had to wait. Rejects with UNAVAILABLE, without running it, if
   * its turn does not come in time: within `waitMs`, and early enough for the transaction (D329).
   */
  async run<T>(
    { caller, resources }: Contention,
    transaction: (hasWaited: boolean) => Promise<T>,
  ): Promise<T> {
    const keys = [
      ...(caller === null ? [] : [`${callerPrefix}${caller}`]),
      ...resources.map((id) => `${resourcePrefix}${id}`),
    ];
    const hasWaited = !this.hasRoom(keys);
    if (remainingMs() < minTransactionMs) throw busy();
    if (hasWaited) await this.turn(keys);
    else this.enter(keys);
    try {
      return await transaction(hasWaited);
    } finally {
      this.leave(keys);
    }
  }

  private async turn(keys: readonly string[]): Promise<void> {
    const { maxWaiting, waitMs } = this.bounds;
    if (this.waiting.size >= maxWaiting || this.waitingFor(keys) >= maxWaiting / 2) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const write: WaitingWrite = { keys, start: resolve };
    const timer = setTimeout(
      () => {
        this.waiting.delete(write);
        reject(busy());
      },
      Math.min(waitMs, remainingMs() - minTransactionMs),
    );
    this.waiting.add(write);
    await promise.finally(() => clearTimeout(timer));
  }

  /** Returns the longest of the queues that a transaction would join. */
  private waitingFor(keys: readonly string[]): number {
    const counts = keys.map((key) => [...this.waiting].filter((write) => write.keys.includes(key)).length);
    return Math.max(0, ...counts);
  }

  private hasRoom(keys: readonly string[]): boolean {
    const { total } = this.bounds;
    return this.total < total && keys.every((key) => (this.running.get(key) ?? 0) < this.maxOf(key));
  }

  private maxOf(key: string): number {
    return key.startsWith(callerPrefix) ? this.bounds.perCaller : this.bounds.perResource;
  }

  private enter(keys: readonly string[]): void {
    this.total += 1;
    for (const key of keys) this.running.set(key, (this.running.get(key) ?? 0) + 1);
  }

  private leave(keys: readonly string[]): void {
    this.total -= 1;
    for (const key of keys) {
      const count = (this.running.get(key) ?? 0) - 1;
      if (count > 0) this.running.set(key, count);
      else this.running.delete(key);
    }
    for (const write of this.waiting) {
      if (this.total >= this.bounds.total) return;
      if (!this.hasRoom(write.keys)) continue;
      this.waiting.delete(write);
      this.enter(write.keys);
      write.start();
    }
  }
}

const callerPrefix = 'caller ';
const resourcePrefix = 'resource ';

const busy = () =>
  new ServiceError(
    'UNAVAILABLE',
    'Too many changes are waiting for the same resource or caller, so nothing was changed. Try again in a few seconds.',
  );
