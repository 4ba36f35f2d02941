import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { atOnce } from '../support/actors.js';
import { duringTests } from '../support/before-tests.js';
import { CachedService } from './cached-service.js';

const cached = duringTests(() => CachedService.start());

/** Heartbeats stop five seconds after the last request. */
const restMs = 5_500;
/** On a busy machine a heartbeat may take longer than requests wait for it. */
const attempts = 4;

describe('after a rest', () => {
  it('serves the first requests from the cache', async () => {
    const requests = ['/api/apps', `/api/apps/${cached.app.slug}`].map((path) => ({ path }));
    const hits = async () => {
      for (const request of requests) await cached.sendUntilCached(request);
      await delay(restMs);
      const before = cached.service.cache.responses.figures.hits;
      await atOnce(20, (index) => cached.send(requests[index % 2]!));
      return cached.service.cache.responses.figures.hits - before;
    };
    let most = 0;
    for (let attempt = 0; attempt < attempts && most < 20; attempt += 1) most = await hits();
    expect(most).toBe(20);
  });
});
