import { describe, expect, it } from '@jest/globals';
import { ReplicaLag } from '../../src/db/replica-lag.js';

describe('the lag of a replica (D249)', () => {
  const secondsAgo = (seconds: number) => performance.now() - seconds * 1_000;

  it('is the age of the oldest position of the primary that it has not replayed', () => {
    const lag = new ReplicaLag();
    lag.note(100n, secondsAgo(30), 100n, true);
    expect(lag.figures).toEqual({ lagBytes: 0, lagSeconds: 0 });
    lag.note(200n, secondsAgo(20), 150n, true);
    lag.noteSilence(300n, secondsAgo(10));
    expect(lag.figures).toEqual({ lagBytes: 150, lagSeconds: expect.closeTo(20, 0) });
    lag.note(300n, secondsAgo(0), 200n, true);
    expect(lag.figures).toEqual({ lagBytes: 100, lagSeconds: expect.closeTo(10, 0) });
  });

  it('does not contain positions that were lost in a failover while it was stopped', () => {
    const lag = new ReplicaLag();
    lag.note(100n, secondsAgo(30), 100n, true);
    lag.noteSilence(900n, secondsAgo(20));
    // The new primary goes on from 100.
    lag.note(200n, secondsAgo(0), 200n, true);
    expect(lag.figures).toEqual({ lagBytes: 0, lagSeconds: 0 });
    expect(lag.probedMs).toBe(0);
  });
});
