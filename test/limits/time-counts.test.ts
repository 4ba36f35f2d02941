import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { rateLimits } from '../../src/config/formats.js';
import { DatabaseTime } from '../../src/limits/database-time.js';
import { Limiter } from '../../src/limits/limiter.js';
import { PointCounts } from '../../src/limits/point-counts.js';

const quota = 20_000;
const quotas = rateLimits.parse(`database=${quota}`)!;
const inMemory = (): DatabaseTime => {
  const limiter = Limiter.inMemory('database', quota);
  return new DatabaseTime(quota, async (subject, ms) => limiter.charge(subject, ms));
};
/** A process of a gateway whose primary process counts. */
const oneOfSeveral = (counts: PointCounts): DatabaseTime => {
  const limiter = Limiter.reported('database', quota, async (...input) => counts.take(...input));
  return new DatabaseTime(quota, async (subject, ms) => limiter.charge(subject, ms));
};

describe('database time in one process (D321)', () => {
  it('is counted at once, in parts of a millisecond', () => {
    const time = inMemory();
    for (let statement = 0; statement < 1_000; statement += 1) time.charge('ada', 0.25);
    expect(time.stateOf('ada')).toMatchObject({ remaining: quota - 250, isExceeded: false });
    expect(time.stateOf('eve')).toMatchObject({ remaining: quota, isExceeded: false });
  });

  it('is used up by one statement that takes too long, and by many at the same time', async () => {
    const time = inMemory();
    time.charge('ada', quota - 1);
    expect(time.stateOf('ada').isExceeded).toBe(false);
    for (let statement = 0; statement < 50; statement += 1) time.charge('ada', 400);
    expect(time.stateOf('ada')).toMatchObject({ remaining: 0, isExceeded: true });
    await setImmediate();
    expect(time.stateOf('ada')).toMatchObject({ remaining: 0, isExceeded: true });
    expect(time.stateOf('ada').resetSeconds).toBeLessThanOrEqual(60);
  });

  it.each([-5_000, Number.NaN, Number.NEGATIVE_INFINITY, 0])('is not given back by %d ms', async (ms) => {
    const time = inMemory();
    time.charge('ada', quota);
    time.charge('ada', ms);
    await setImmediate();
    expect(time.stateOf('ada').isExceeded).toBe(true);
  });

  it.each([Number.POSITIVE_INFINITY, Number.MAX_VALUE, 2 ** 53])(
    'is used up by %d ms, and counted on',
    async (ms) => {
      const time = inMemory();
      time.charge('ada', ms);
      time.charge('ada', ms);
      await setImmediate();
      time.charge('ada', 1);
      await setImmediate();
      expect(time.stateOf('ada')).toMatchObject({ remaining: 0, isExceeded: true });
    },
  );
});

describe('database time in several processes (D321)', () => {
  it('is counted together after each half percent of the limit', async () => {
    const counts = new PointCounts(quotas);
    const [first, second] = [oneOfSeveral(counts), oneOfSeveral(counts)];
    first.charge('ada', 99);
    await setImmediate();
    expect(counts.take('database', 'ada', 0).remaining).toBe(quota);
    first.charge('ada', 12_000);
    second.charge('ada', 12_000);
    await setImmediate();
    expect(counts.take('database', 'ada', 0).remaining).toBeLessThan(0);
    expect(second.stateOf('ada').isExceeded).toBe(true);
    // The first has counted before the second, and learns with its next statement.
    first.charge('ada', 100);
    await setImmediate();
    expect(first.stateOf('ada').isExceeded).toBe(true);
  });

  it('waits for a primary process that cannot be asked', async () => {
    const counts = new PointCounts(quotas);
    let isGone = true;
    const limiter = Limiter.reported('database', quota, async (...input) => {
      if (isGone) throw new Error('the primary process is gone');
      return counts.take(...input);
    });
    const time = new DatabaseTime(quota, async (subject, ms) => limiter.charge(subject, ms));
    time.charge('ada', 15_000);
    await setImmediate();
    expect(time.stateOf('ada').remaining).toBe(5_000);
    isGone = false;
    time.charge('ada', 1_000);
    await setImmediate();
    expect(counts.take('database', 'ada', 0).remaining).toBe(4_000);
  });
});
