import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import { runForNoRequest } from '../../db/payer.js';

const maxBatchSize = 1_000;

/** A queue that is sent batch by batch: while one batch is being recorded, the next one fills. */
export class BatchQueue<Item> {
  private readonly items: Item[] = [];
  private running: Promise<void> | null = null;
  private wasShared = false;

  constructor(private readonly send: (batch: readonly Item[]) => Promise<void>) {}

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
   * already arrived join it.
   */
  private async run(): Promise<void> {
    while (this.items.length > 0) {
      if (this.wasShared && this.items.length < maxBatchSize) await eventLoopTurn();
      const batch = this.items.splice(0, maxBatchSize);
      this.wasShared = batch.length > 1;
      await this.send(batch);
    }
    // Runs in the same tick as the length check, so no item can be added in between.
    this.running = null;
  }
}
