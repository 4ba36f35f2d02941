import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { followDatabaseClock } from '../../src/db/clock.js';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('the clock of the database (D265)', () => {
  it('is not asked again after the end, also when that comes in the middle of a measurement', async () => {
    let queries = 0;
    const leave = await followDatabaseClock(async () => {
      queries += 1;
      return [{ ms: Date.now() }];
    });
    const first = queries;
    jest.advanceTimersByTime(10_000);
    expect(queries).toBe(first + 1);
    leave();
    await new Promise(setImmediate);
    expect(queries).toBe(first + 1);
  });
});
