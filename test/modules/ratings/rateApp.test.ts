import { describe, expect, it } from '@jest/globals';
import {
  type AppJson,
  type ConnectionJson,
  type Developer,
  type Json,
  unique,
} from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { linesOf } from '../../support/audit.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService, startService } from '../../support/service.js';
import { figuresOf } from './figures.js';

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());
const app = beforeTests(() => service.anApp(ada, 'APPROVED'));

const rate = (slug: string, input: Input, token: string) =>
  service.client.call<Json>('graphql', 'rateApp', { slug, ...input }, token);

describe('rateApp', () => {
  it('stores a rating and returns it without its author (D31)', async () => {
    const data = expectSuccess(
      await rate(
        app.slug,
        { rating: 5, title: ' Good ', text: 'It\nworks.' },
        await service.token(unique('user')),
      ),
    );
    expect(data).toEqual({
      id: expect.any(String),
      rating: 5,
      authorName: null,
      title: 'Good',
      text: 'It\nworks.',
      reply: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(data.updatedAt).toBe(data.createdAt);
  });

  it('shows the name that the author chose, or none (D149)', async () => {
    const token = await service.token(unique('user'));
    const shown = async (authorName: unknown) =>
      (await rate(app.slug, { rating: 5, authorName }, token)).data.authorName;
    expect(await shown(' Grace H. ')).toBe('Grace H.');
    expect(await shown('é'.repeat(100))).toHaveLength(100);
    expect(await shown('')).toBeNull();
    expect(await shown('Grace')).toBe('Grace');
    // A rating replaces the earlier one as a whole.
    expect((await rate(app.slug, { rating: 5 }, token)).data.authorName).toBeNull();
  });

  it('counts at once, everywhere: the mean to two decimals, and the order by rating (D31, D28)', async () => {
    const [loved, liked] = [await service.anApp(ada, 'APPROVED'), await service.anApp(ada, 'APPROVED')];
    for (const rating of [5, 5, 4]) await service.aRating(loved, { rating });
    await service.aRating(liked, { rating: 4 });
    for (const api of ['rest', 'graphql'] as const) {
      expect((await service.client.call(api, 'app', { slug: loved.slug })).data).toMatchObject({
        reviewCount: 3,
        averageRating: 4.67,
      });
    }
    const analytics = await service.client.must('appAnalytics', { id: loved.id }, ada.token);
    expect(analytics).toMatchObject({ reviewCount: 3, averageRating: 4.67 });
    const { apps } = await service.client.must<{ apps: AppJson[] }>('browseApps', { sort: 'rating' });
    const places = [loved, liked].map(({ slug }) => apps.findIndex((each) => each.slug === slug));
    expect(places[0]).toBeLessThan(places[1]!);
    expect(await service.client.must('myApp', { id: loved.id }, ada.token)).toEqual({
      ...loved,
      reviewCount: 3,
      averageRating: 4.67,
    });
  });

  it('replaces the earlier rating: one per account and app (D31)', async () => {
    const { slug, id } = await service.anApp(ada, 'APPROVED');
    const first = await service.aRating({ slug }, { rating: 1, title: 'Bad', text: 'It fails.' });
    const { data } = await rate(slug, { rating: 4, text: null }, first.token);
    expect(data).toMatchObject({ id: first.id, rating: 4, title: null, text: null });
    expect(data.createdAt).toBe(first.createdAt);
    expect(Date.parse(String(data.updatedAt))).toBeGreaterThan(Date.parse(String(first.updatedAt)));
    expect(await figuresOf(service, id)).toEqual({ reviewCount: 1, averageRating: 4 });
    expect((await rate(slug, { rating: 4 }, first.token)).data).toEqual(data);
  });

  it('is refused for one’s own app, whatever else the account may do (D31)', async () => {
    expectError(await rate(app.slug, { rating: 5 }, ada.token), 'FORBIDDEN');
    expectError(await rate(app.slug, { rating: 5 }, await service.asAdministrator(ada)), 'FORBIDDEN');
    expectSuccess(await rate(app.slug, { rating: 5 }, (await service.aDeveloper()).token));
  });

  it.each(['DRAFT', 'PENDING', 'REJECTED', 'SUSPENDED'] as const)(
    'returns NOT_FOUND for an app that is %s, to its own developer too (D29)',
    async (status) => {
      const { slug } = await service.anApp(ada, status);
      expectError(await rate(slug, { rating: 5 }, await service.token(unique('user'))), 'NOT_FOUND');
      expectError(await rate(slug, { rating: 5 }, ada.token), 'NOT_FOUND');
    },
  );

  it("returns NOT_FOUND for a suspended developer's app (D29)", async () => {
    const eve = await service.aDeveloper();
    const { slug } = await service.anApp(eve, 'APPROVED');
    await service.administer('suspendDeveloper', { id: eve.id, reason: 'Fraud.' });
    expectError(await rate(slug, { rating: 5 }, await service.token(unique('user'))), 'NOT_FOUND');
  });

  it('notifies the developer by event and webhook, not by mail, and never names the author (D33, D37)', async () => {
    const grace = await service.aDeveloper();
    const mine = await service.anApp(grace, 'APPROVED');
    const mails = () => service.sql("select from pgboss.job where name = 'notifications'");
    const before = await mails();
    const { id, accountUserId } = await service.aRating(mine, { rating: 2, text: 'Slow.' });
    expect(await mails()).toHaveLength(before.length);
    const { edges } = await service.client.must<ConnectionJson<Json & { type: string }>>(
      'events',
      { first: 100 },
      grace.token,
    );
    const told = edges.map(({ node }) => node).filter(({ type }) => type === 'rating.created');
    expect(told).toMatchObject([
      {
        data: {
          app: { id: mine.id, slug: mine.slug },
          ratingId: id,
          rating: 2,
          authorName: null,
          title: null,
          text: 'Slow.',
        },
      },
    ]);
    expect(JSON.stringify(edges)).not.toContain(accountUserId);
  });
});

describe('a rating that is removed and given again', () => {
  const churn = async (slug: string, token: string, times: number) => {
    for (let time = 0; time < times; time += 1) {
      await service.client.must('removeRating', { slug }, token);
      await service.client.must('rateApp', { slug, rating: (time % 5) + 1, text: `No. ${time}` }, token);
    }
  };
  const told = async (developer: Developer) => {
    const { edges } = await service.client.must<ConnectionJson<Json & { type: string }>>(
      'events',
      { first: 100 },
      developer.token,
    );
    return edges.filter(({ node }) => node.type === 'rating.created');
  };

  it('notifies the developer once in 24 hours, by event and webhook (D122)', async () => {
    const grace = await service.aDeveloper();
    const mine = await service.anApp(grace, 'APPROVED');
    const { token } = await service.aRating(mine);
    const jobs = () =>
      service.sql("select from pgboss.job where name in ('webhook-events', 'notifications')");
    const before = (await jobs()).length;
    const lines = await linesOf(service, () => churn(mine.slug, token, 12));
    expect(await told(grace)).toHaveLength(1);
    expect(await jobs()).toHaveLength(before);
    expect(new Set(lines.map(({ kind }) => kind))).toEqual(new Set(['rating.removed', 'rating.updated']));
    expect(lines.at(-1)).toMatchObject({ before: null, after: { rating: 2, text: 'No. 11' } });
    await aDayPasses(mine.id);
    await churn(mine.slug, token, 3);
    expect(await told(grace)).toHaveLength(2);
  });

  it('does not notify the developer while it is hidden (D122)', async () => {
    const grace = await service.aDeveloper();
    const mine = await service.anApp(grace, 'APPROVED');
    const { id, token } = await service.aRating(mine);
    await service.administer('hideRating', { id, reason: 'Spam.' });
    await aDayPasses(mine.id);
    const lines = await linesOf(service, () => churn(mine.slug, token, 1));
    expect(await told(grace)).toHaveLength(1);
    expect(lines.at(-1)).toMatchObject({ kind: 'rating.updated', after: { rating: 1, hidden: true } });
  });
});

/** Lets what happened to an app have happened a day earlier; only here may the log be changed. */
const aDayPasses = (appId: string, where = service) =>
  where.sql(`
    alter table audit_events disable trigger audit_events_append_only;
    update audit_events set created_at = created_at - interval '25 hours' where app_id = '${appId}';
    alter table audit_events enable trigger audit_events_append_only`);

describe('rateApp with rate limits', () => {
  const limited = duringTests(() => startService({ RATE_LIMITS: 'on' }));

  it('accepts 20 changes per account and app in 24 hours; removing is always possible (D122)', async () => {
    const bob = await limited.aDeveloper();
    const [one, other] = [await limited.anApp(bob, 'APPROVED'), await limited.anApp(bob, 'APPROVED')];
    const token = await limited.token(unique('user'));
    const rateOne = (rating: number) =>
      limited.client.call('graphql', 'rateApp', { slug: one.slug, rating }, token);
    const lines = await linesOf(limited, async () => {
      for (let time = 0; time < 10; time += 1) {
        expectSuccess(await rateOne(1));
        expectSuccess(await rateOne(5));
        expectSuccess(await rateOne(5));
        await limited.client.must('removeRating', { slug: one.slug }, token);
      }
      const refused = await rateOne(3);
      expectError(refused, 'RATE_LIMITED');
      expect(refused.message).toMatch(/20 times within 24 hours\. Try again in 1\d\d\d minutes/);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 3600);
    });
    expect(lines).toHaveLength(30);
    expectSuccess(await limited.client.call('graphql', 'rateApp', { slug: other.slug, rating: 3 }, token));
    await limited.aRating(one);
    await aDayPasses(one.id, limited);
    expectSuccess(await rateOne(3));
  });
});
