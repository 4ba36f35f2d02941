import { describe, expect, it } from '@jest/globals';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { connectTo } from '../../support/database.js';
import { until } from '../../support/mail-server.js';
import { graphqlRequest, type RawRequest, sendRequest, trackCacheHit } from '../../support/send-request.js';
import { startService } from '../../support/service.js';

// Far longer than the test, so that only an immediate effect of an install can invalidate anything.
const service = duringTests(() => startService({}, undefined, { countsLagMs: 600_000 }));
const app = beforeTests(async () => service.anApp(await service.aDeveloper(), 'APPROVED'));
const otherClient = duringTests(
  () => connectTo(service.databaseUrl),
  (otherClient) => otherClient.end(),
);

const isCached = async (request: RawRequest) =>
  (await trackCacheHit(service.cache, () => sendRequest(service.url, request)))[0];

/** Waits until the service has received every notification that was sent before. */
async function untilNotified(): Promise<void> {
  const { current } = service.cache.catalog;
  await otherClient.query("notify catalog, 'listings'");
  await until(() => service.cache.catalog.current > current, 'the notification has not arrived');
}

describe('an install', () => {
  it.each([
    ['REST list', { path: '/api/apps?limit=50' }],
    ['REST app', () => ({ path: `/api/apps/${app.slug}` })],
    ['GraphQL list', graphqlRequest('{ browseApps { apps { slug installCount } } }')],
  ])('leaves a cached %s in the cache (D30)', async (name, read) => {
    const request = typeof read === 'function' ? read() : read;
    // Those of the app's approval may still be on their way.
    await untilNotified();
    await until(() => isCached(request), 'the response is not cached');
    const before = service.cache.catalog.current;
    for (const door of ['rest', 'graphql'] as const)
      await service.client.call(door, 'recordInstall', { slug: app.slug, installationId: `${name} ${door}` });
    expect([await isCached(request), service.cache.catalog.current]).toEqual([true, before]);
    // Of all notifications until then, those of the installs among them, only the last one raises the version.
    await untilNotified();
    expect(service.cache.catalog.current).toBe(before + 1);
  });
});
