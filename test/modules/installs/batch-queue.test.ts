import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { BatchQueue } from '../../../src/modules/installs/install-queue.service.js';

/** Two queues whose batches end when the test says so. */
function twoQueues() {
  const sent: { queue: number; size: number; end: () => void }[] = [];
  const queues: BatchQueue<number>[] = [0, 1].map(
    (queue) =>
      new BatchQueue<number>(
        ({ length: size }) => new Promise<void>((end) => sent.push({ queue, size, end })),
        () => queues,
      ),
  );
  const add = (queue: number, count: number) => {
    for (let item = 0; item < count; item += 1) queues[queue]!.add(item);
  };
  const end = async (index: number) => {
    sent[index]!.end();
    for (let turn = 0; turn < 5; turn += 1) await eventLoopTurn();
  };
  return { sent, add, end, sizes: () => sent.map(({ queue, size }) => [queue, size]) };
}

describe('two queues of installs', () => {
  it('send a single install at once, beside one of the other queue too (D73)', () => {
    const { add, sizes } = twoQueues();
    add(0, 1);
    add(1, 1);
    expect(sizes()).toEqual([
      [0, 1],
      [1, 1],
    ]);
  });

  it('collect what comes during a batch, and send a large batch beside one of the other queue (D73)', async () => {
    const { add, end, sizes } = twoQueues();
    add(0, 80);
    add(1, 80);
    await end(0);
    await end(1);
    expect(sizes()).toEqual([
      [0, 1],
      [1, 1],
      [0, 79],
      [1, 79],
    ]);
  });

  it('do not send a small batch beside one of the other queue before that has ended', async () => {
    const { sent, add, end, sizes } = twoQueues();
    add(0, 30);
    await end(0);
    add(1, 3);
    expect(sizes().slice(1)).toEqual([[0, 29]]);
    add(1, 4);
    await end(1);
    expect(sizes().slice(2)).toEqual([[1, 7]]);
    expect(sent).toHaveLength(3);
  });

  it('send their small batches together', async () => {
    const { add, end, sizes } = twoQueues();
    add(0, 30);
    await end(0);
    add(1, 3);
    add(0, 4);
    await end(1);
    expect(sizes().slice(2)).toEqual([[1, 7]]);
    add(1, 2);
    await end(2);
    expect(sizes().slice(3)).toEqual([[1, 2]]);
  });

  it('do not wait for long: the other batch may hang', async () => {
    const { sent, add, end, sizes } = twoQueues();
    add(0, 30);
    await end(0);
    add(1, 3);
    while (sent.length < 3) await eventLoopTurn();
    expect(sizes().slice(2)).toEqual([[1, 3]]);
  });
});
