import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AppJson, atOnce, unique } from '../support/actors.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { connectTo } from '../support/database.js';
import { until } from '../support/mail-server.js';
import { expectError, expectSuccess } from '../support/outcomes.js';
import {
  expectVisibleWithinASecond,
  graphqlRequest,
  type RawRequest,
  sendRequest,
  trackCacheHit,
} from '../support/send-request.js';
import { secondGateway, startService } from '../support/service.js';

describe("everybody's cached responses survive", () => {
  // Far longer than the test, so that only an immediate effect can invalidate anything.
  const service = duringTests(() => startService({}, undefined, { countsLagMs: 600_000 }));
  const ada = beforeTests(() => service.aDeveloper());
  const app = beforeTests(() => service.anApp(ada, 'APPROVED'));
  const other = duringTests(
    () => connectTo(service.databaseUrl),
    (other) => other.end(),
  );

  const isCached = async (request: RawRequest) =>
    (await trackCacheHit(service.cache, () => sendRequest(service.url, request)))[0];

  /** Waits until the service has received every notification that was sent before. */
  async function untilNotified(): Promise<void> {
    const { current } = service.cache.catalog;
    await other.query("notify catalog, 'listings'");
    await until(() => service.cache.catalog.current > current, 'the notification has not arrived');
  }

  async function survives(act: () => Promise<unknown>): Promise<void> {
    const requests = [
      { path: '/api/apps?limit=50' },
      graphqlRequest('{ browseApps { apps { slug averageRating developer { name } } } }'),
    ];
    await untilNotified();
    for (const request of requests) await until(() => isCached(request), 'the response is not cached');
    const before = service.cache.catalog.current;
    await act();
    for (const request of requests) expect(await isCached(request)).toBe(true);
    expect(service.cache.catalog.current).toBe(before);
    // Of all notifications until then only this one raises the version.
    await untilNotified();
    expect(service.cache.catalog.current).toBe(before + 1);
  }

  it('one account that rates, changes and removes its rating again and again (D350)', () =>
    survives(async () => {
      const token = await service.token(unique('user'));
      for (let time = 0; time < 5; time += 1) {
        await service.must('rateApp', { slug: app.slug, rating: 1 }, token);
        await service.must('rateApp', { slug: app.slug, rating: 5 }, token);
        await service.must('removeRating', { slug: app.slug }, token);
      }
    }));

  it('a developer who changes a reply again and again (D350)', async () => {
    const { id } = await service.aRating(app);
    await survives(async () => {
      for (const text of ['one', 'two', '']) await service.must('replyToRating', { id, text }, ada.token);
    });
  });

  it('a developer who changes the profile again and again, by REST and GraphQL (D350)', () =>
    survives(async () => {
      for (const name of ['One', 'Two', 'Three'])
        for (const door of ['rest', 'graphql'] as const)
          expectSuccess(await service.client.call(door, 'updateMe', { name: `${name} ${door}` }, ada.key));
    }));

  it('accounts that register, and one that fails to register twice (D350)', () =>
    survives(async () => {
      const { email, accountUserId, token } = await service.anUnverifiedDeveloper();
      const again = { name: 'Ada', email, accountUserId };
      expectError(await service.client.call('rest', 'registerDeveloper', again, token), 'DEVELOPER_EXISTS');
    }));

  it('tokens that undo nothing, from anybody (D350)', () =>
    survives(async () => {
      for (let time = 0; time < 5; time += 1) {
        const token = randomBytes(32).toString('base64url');
        expectError(await service.call('undoProfileChange', { token }), 'NOT_FOUND');
        const page = await service.client.request('POST', `/undo?token=${token}`, {
          headers: { 'sec-fetch-site': 'same-origin' },
        });
        expect(page.status).toBe(404);
      }
    }));

  it('ratings that are rejected (D350)', () =>
    survives(async () => {
      const token = await service.token(unique('user'));
      await service.call('removeRating', { slug: app.slug }, token);
      await service.call('rateApp', { slug: 'nothing', rating: 3 }, token);
    }));
});

describe('a rating', () => {
  it('is in the catalog within a second, at another gateway too (D350)', async () => {
    await using one = await startService({}, undefined, { countsLagMs: 400 });
    await using two = await secondGateway(one);
    const app = await one.anApp(await one.aDeveloper(), 'APPROVED');
    const reviews = async ({ client }: typeof two | typeof one) =>
      (await client.must<{ reviewCount: number }>('app', { slug: app.slug })).reviewCount;
    for (const gateway of [one, two]) for (let time = 0; time < 3; time += 1) await reviews(gateway);
    await one.aRating(app);
    await Promise.all(
      [one, two].map((gateway) => expectVisibleWithinASecond(async () => (await reviews(gateway)) === 1)),
    );
  });
});

describe('an account that churns ratings', () => {
  let apps: AppJson[];
  const limited = duringTests(() => startService({ RATE_LIMITS: 'on' }));
  beforeAll(async () => {
    const bob = await limited.aDeveloper();
    apps = await Promise.all([0, 1, 2, 3, 4].map(() => limited.anApp(bob, 'APPROVED')));
  });

  const rate = (token: string, app: AppJson, rating: number) =>
    limited.call('rateApp', { slug: app.slug, rating }, token);
  const remove = (token: string, app: AppJson) => limited.call('removeRating', { slug: app.slug }, token);
  const changesBy = async (user: string) => {
    const [row] = await limited.sql<{ count: number }>(
      `select count(*)::int as count from audit_events
       where actor_account = $1 and kind in ('rating.updated', 'rating.removed')`,
      [user],
    );
    return row?.count;
  };

  it('changes and removes 60 ratings of all apps in an hour, then gets 429 with Retry-After (D351)', async () => {
    const user = unique('user');
    const token = await limited.token(user);
    let changes = 0;
    for (const app of apps) {
      expectSuccess(await rate(token, app, 5));
      for (let time = 0; time < 4; time += 1) {
        expectSuccess(await rate(token, app, 1));
        expectSuccess(await remove(token, app));
        expectSuccess(await rate(token, app, 5));
        changes += 3;
      }
    }
    expect(changes).toBe(60);
    for (const attempt of [() => rate(token, apps[0]!, 2), () => remove(token, apps[0]!)]) {
      const rejected = await attempt();
      expectError(rejected, 'RATE_LIMITED');
      expect(rejected.message).toMatch(/60 ratings within an hour\. Try again in \d+ minutes/);
      const seconds = Number(rejected.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(3_000);
      expect(seconds).toBeLessThanOrEqual(3_600);
    }
    // It can still rate apps for the first time.
    const fresh = await limited.anApp(await limited.aDeveloper(), 'APPROVED');
    expectSuccess(await rate(token, fresh, 4));
    expectSuccess(await rate(await limited.token(unique('user')), apps[0]!, 4));
    expect(await changesBy(user)).toBe(60);
  });

  it('gets no more by sending its changes at the same time, to two gateways (D351)', async () => {
    const other = await secondGateway(limited, { RATE_LIMITS: 'on' });
    const user = unique('user');
    const token = await limited.token(user);
    const otherToken = await other.token(user);
    for (const app of apps) expectSuccess(await rate(token, app, 3));
    const sent = await atOnce(80, (at) => {
      const input = { slug: apps[at % apps.length]!.slug, rating: 4, title: `Title ${at}` };
      return at % 2 ? limited.call('rateApp', input, token) : other.call('rateApp', input, otherToken);
    });
    await other.close();
    expect(sent.filter(({ code }) => code === 'RATE_LIMITED').length).toBeGreaterThanOrEqual(20);
    expect(await changesBy(user)).toBeLessThanOrEqual(60);
  });
});
