import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { BatchQueue } from '../../../src/modules/installs/install-queue.service.js';

/** A queue whose batches end when the test says so. */
function aQueue() {
  const sent: { size: number; end: () => void }[] = [];
  const queue = new BatchQueue<number>(
    ({ length: size }) => new Promise<void>((end) => sent.push({ size, end })),
  );
  const add = (count: number) => {
    for (let item = 0; item < count; item += 1) queue.add(item);
  };
  const end = async (index: number) => {
    sent[index]!.end();
    for (let turn = 0; turn < 5; turn += 1) await eventLoopTurn();
  };
  return { add, end, sizes: () => sent.map(({ size }) => size) };
}

describe('the queue of installs', () => {
  it('sends a single install at once (D73)', () => {
    const { add, sizes } = aQueue();
    add(1);
    expect(sizes()).toEqual([1]);
  });

  it('collects what comes during a batch, and sends it when the batch has ended (D73)', async () => {
    const { add, end, sizes } = aQueue();
    add(30);
    add(50);
    expect(sizes()).toEqual([1]);
    await end(0);
    expect(sizes()).toEqual([1, 79]);
    add(4);
    await end(1);
    expect(sizes()).toEqual([1, 79, 4]);
  });

  it('sends at most 1,000 installs at once', async () => {
    const { add, end, sizes } = aQueue();
    add(1_501);
    await end(0);
    await end(1);
    expect(sizes()).toEqual([1, 1_000, 500]);
  });
});
