import { expect, it, jest } from '@jest/globals';
import { LockedApps } from '../../../src/modules/installs/locked-apps.service.js';

/** Runs synchronous work on a clock that only the work advances. */
function withFakeClock(work: () => void): void {
  jest.useFakeTimers();
  try {
    work();
  } finally {
    jest.useRealTimers();
  }
}

it('an install waits 10 s at most, also behind one that came later (D73)', () =>
  withFakeClock(() => {
    const rejected: string[] = [];
    const anInstall = (name: string) => ({
      install: { slug: 'popular' },
      waitsSince: null as number | null,
      waitsUntil: Infinity,
      reject: () => void rejected.push(name),
    });
    const apps = new LockedApps<ReturnType<typeof anInstall>>({
      // The app stays locked.
      retry: (queued) => apps.add(queued),
      timedOut: () => new Error('too late'),
    });
    apps.add(anInstall('first'));
    jest.advanceTimersByTime(5_000);
    apps.add(anInstall('second'));
    // Such as for the stored response of an Idempotency-Key: both are tried, and find the app locked.
    apps.release('popular');
    jest.advanceTimersByTime(5_500);
    expect(rejected).toEqual(['first']);
    jest.advanceTimersByTime(5_000);
    expect(rejected).toEqual(['first', 'second']);
    expect(apps.size).toBe(0);
  }));
