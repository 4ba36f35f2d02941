import { setTimeout as delay, setImmediate as eventLoopTurn } from 'node:timers/promises';
import { runForNoRequest } from '../../db/payer.js';

const maxBatchSize = 500;
/** Smaller batches wait for another queue, so that both are sent as one statement. */
const worthwhileSize = 64;
/** Longest time that a small batch waits for the batch of another queue. */
const maxPauseMs = 20;

/**
 * A queue that is sent batch by batch: while one batch is being recorded, the next one fills. Queues that share a
 * database send small batches together: see `run`.
 */
export class BatchQueue<Item> {
  private readonly items: Item[] = [];
  private running: Promise<void> | null = null;
  /** The batch that is being recorded. */
  private sending: Promise<void> | null = null;
  private wasShared = false;

  constructor(
    /** Sends a batch with the items of the given queues. */
    private readonly send: (batch: readonly Item[], from: readonly BatchQueue<Item>[]) => Promise<void>,
    /** All queues that share the database, this one included. */
    private readonly queues: () => readonly BatchQueue<Item>[] = () => [],
  ) {}

  get size(): number {
    return this.items.length;
  }

  add(item: Item): void {
    this.items.push(item);
    this.running ??= runForNoRequest(() => this.run());
  }

  /** Removes and returns the items that have not been sent yet. */
  takeAll(): Item[] {
    return this.items.splice(0);
  }

  async drained(): Promise<void> {
    await this.running;
  }

  /**
   * Sends a single item at once. Under load it waits one event loop turn before each batch, so that requests that have
   * already arrived join it. A small batch also waits for the batch that another queue is sending, and is then sent
   * together with the small batches of all queues, so that there are fewer statements.
   */
  private async run(): Promise<void> {
    let hasWaited = false;
    while (this.items.length > 0) {
      if (this.wasShared && this.items.length < maxBatchSize) await eventLoopTurn();
      const other = this.isSmall ? this.otherBatch() : null;
      if (other && !hasWaited) {
        await Promise.race([other, delay(maxPauseMs)]);
        hasWaited = true;
        continue;
      }
      hasWaited = false;
      const from = this.isSmall && !other ? this.sentTogether() : [this];
      const batch = from.flatMap(({ items }) => items.splice(0, maxBatchSize));
      if (batch.length === 0) break;
      for (const queue of from) queue.wasShared = batch.length > 1;
      this.sending = this.send(batch, from);
      await this.sending;
      this.sending = null;
    }
    // Runs in the same tick as the length check, so no item can be added in between.
    this.running = null;
  }

  private get isSmall(): boolean {
    return this.items.length < worthwhileSize;
  }

  /** Returns this queue and the others that have a small batch and are not sending. */
  private sentTogether(): readonly BatchQueue<Item>[] {
    return this.queues().filter(
      (queue) => queue === this || (queue.isSmall && queue.size > 0 && !queue.sending),
    );
  }

  /** Returns the batch that another queue is sending, if there is load; a single install never waits for a single one. */
  private otherBatch(): Promise<void> | null {
    const isShared = (queue: BatchQueue<Item>) => queue.wasShared || this.wasShared;
    return this.queues().find((queue) => queue.sending && isShared(queue))?.sending ?? null;
  }
}
