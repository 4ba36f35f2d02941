import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ConnectionJson, type Json, unique } from '../../support/actors.js';
import { linesOf } from '../../support/audit.js';
import { beforeTests } from '../../support/before-tests.js';
import { connectTo } from '../../support/database.js';
import { Live } from '../../support/live.js';
import { until } from '../../support/mail-server.js';
import { unknownId } from '../../support/matchers.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

describe('reportRating', () => {
  let admin: string;
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());
  const app = beforeTests(() => service.anApp(ada, 'APPROVED'));
  beforeAll(async () => {
    admin = await service.admin();
  });

  const reporter = () => service.token(unique('reporter'));
  const report = (id: string, token: string, reason = 'It is an advertisement.') =>
    service.client.call<Json>('graphql', 'reportRating', { id, reason }, token);
  const openReports = async (id: string) => {
    const { node } = await service.client.queryData<{
      node: { reports: { totalCount: number; edges: { node: Json }[] } };
    }>(
      'query ($id: ID!) { node(id: $id) { ... on Rating { reports { totalCount edges { node { reason accountUserId } } } } } }',
      { id },
      admin,
    );
    return node.reports;
  };

  it('records a report of any account, that of the developer of the app included (D192)', async () => {
    const { id } = await service.aRating(app);
    const accountUserId = unique('reporter');
    const data = expectSuccess(await report(id, await service.token(accountUserId)));
    expect(data).toEqual({
      accountUserId,
      reason: 'It is an advertisement.',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: data.createdAt,
    });
    expectSuccess(await report(id, ada.token, 'It is about another app.'));
    expect(await openReports(id)).toEqual({
      totalCount: 2,
      edges: [
        { node: { reason: 'It is about another app.', accountUserId: ada.accountUserId } },
        { node: { reason: 'It is an advertisement.', accountUserId } },
      ],
    });
  });

  it('outlives a removal: the rating that its author writes next has it (D192)', async () => {
    const author = await service.token(unique('author'));
    const rate = (rating: number, title: string) =>
      service.client.must<Json>('rateApp', { slug: app.slug, rating, title }, author);
    const figures = () => service.client.must<Json>('app', { slug: app.slug }, null);
    const before = await figures();
    const { id } = await rate(1, 'Buy elsewhere');
    expectSuccess(await report(id, await reporter()));
    await service.client.must('removeRating', { slug: app.slug }, author);
    const { reviewCount, averageRating } = before;
    expect(await figures()).toMatchObject({ reviewCount, averageRating });
    expectError(await service.client.call('graphql', 'myRating', { slug: app.slug }, author), 'NOT_FOUND');
    expectError(await report(id, await reporter()), 'NOT_FOUND');
    type Listed = ConnectionJson;
    const listed = async (name: 'reportedRatings' | 'hiddenRatings') => {
      const { edges } = await service.administer<Listed>(name, { first: 100 });
      return edges.some(({ node }) => node.id === id || node.title === 'Buy elsewhere again');
    };
    expect([await listed('reportedRatings'), await listed('hiddenRatings')]).toEqual([false, false]);

    const again = await rate(2, 'Buy elsewhere again');
    expect(again).toMatchObject({ rating: 2, reply: null });
    expect(again.id).not.toBe(id);
    expect(await openReports(again.id)).toMatchObject({ totalCount: 1 });
    expect(await listed('reportedRatings')).toBe(true);
    expect(await figures()).toMatchObject({ reviewCount: Number(reviewCount) + 1 });

    // Dismissed while it is removed, the next one starts anew.
    await service.client.must('removeRating', { slug: app.slug }, author);
    await service.administer('dismissRatingReports', { id: again.id });
    const last = await rate(3, 'Buy elsewhere again');
    expect(await openReports(last.id)).toMatchObject({ totalCount: 0 });
    expect(await figures()).toMatchObject({ reviewCount: Number(reviewCount) + 1 });
  });

  it('outlives a removal: an administrator can still hide the rating, and unhiding it changes nothing (D192)', async () => {
    const { id, token } = await service.aRating(app, { rating: 1 });
    const figures = () => service.client.must<Json>('app', { slug: app.slug }, null);
    expectSuccess(await report(id, await reporter()));
    await service.client.must('removeRating', { slug: app.slug }, token);
    const { reviewCount, averageRating } = await figures();
    expect(await linesOf(service, () => service.administer('unhideRating', { id }))).toEqual([]);
    expect(await openReports(id)).toMatchObject({ totalCount: 1 });

    await service.administer('hideRating', { id, reason: 'Spam.' });
    expect(await openReports(id)).toMatchObject({ totalCount: 0 });
    await service.client.must('rateApp', { slug: app.slug, rating: 1 }, token);
    expect(await figures()).toMatchObject({ reviewCount, averageRating });
  });

  it('has one report per account: another reason replaces the first, the same one changes nothing (D192)', async () => {
    const { id } = await service.aRating(app);
    const token = await reporter();
    const lines = await linesOf(service, async () => {
      await report(id, token, 'Spam.');
      await report(id, token, 'Spam.');
      await report(id, token, 'Spam and insults.');
    });
    expect(lines).toMatchObject([
      { kind: 'rating.reported', data: { ratingId: id }, before: null, after: { reason: 'Spam.' } },
      { kind: 'rating.reported', before: { reason: 'Spam.' }, after: { reason: 'Spam and insults.' } },
    ]);
    expect(await openReports(id)).toMatchObject({
      totalCount: 1,
      edges: [{ node: { reason: 'Spam and insults.' } }],
    });
  });

  it('refuses to report the own rating, whether it is hidden or not (D77, D192)', async () => {
    const { id, token } = await service.aRating(app);
    expectError(await report(id, token), 'FORBIDDEN');
    await service.administer('hideRating', { id, reason: 'Spam.' });
    expectError(await report(id, token), 'FORBIDDEN');
  });

  it('returns NOT_FOUND for ratings that are not public (D192)', async () => {
    const token = await reporter();
    const hidden = await service.aRating(app);
    await service.administer('hideRating', { id: hidden.id, reason: 'Spam.' });
    const other = await service.anApp(ada, 'APPROVED');
    const { id } = await service.aRating(other);
    await service.administer('suspendApp', { id: other.id, reason: 'Spam.' });
    for (const missing of [hidden.id, id, unknownId, 'not-an-id'])
      expectError(await report(missing, token), 'NOT_FOUND');
  });

  it('refuses a dismissed report again until the rating changes (D192)', async () => {
    const rating = await service.aRating(app);
    const { id } = rating;
    const token = await reporter();
    await report(id, token);
    await service.administer('dismissRatingReports', { id });
    const again = await report(id, token, 'But it is!');
    expectError(again, 'INVALID_TRANSITION');
    expect(again.message).toContain('after it was changed');
    expectSuccess(await report(id, await reporter()));
    await service.client.must('rateApp', { slug: app.slug, rating: 1, text: 'Buy mine.' }, rating.token);
    expectSuccess(await report(id, token, 'Now it says so.'));
    expect((await openReports(id)).edges[0]).toMatchObject({ node: { reason: 'Now it says so.' } });
  });

  it('is told to nobody but administrators: no timeline, no events, no subscription, no field (D192)', async () => {
    const own = await service.anApp(ada, 'APPROVED');
    const { id } = await service.aRating(own);
    const timeline = () =>
      service.client.queryData(
        'query ($id: ID!) { myApp(id: $id) { timeline { totalCount edges { node { kind } } } } events { edges { node { type } } } }',
        { id: own.id },
        ada.token,
      );
    const live = await Live.to(service.url, {
      query: `subscription { appChanged(id: "${own.id}") { app { reviewCount } } }`,
      bearer: ada.token,
    });
    const rated = async (reviewCount: number) => {
      await service.aRating(own);
      await live.expectNext({ data: { appChanged: { app: { reviewCount } } } });
      return live.results.length;
    };
    const events = await rated(2);
    const before = await timeline();
    await report(id, await reporter());
    await service.administer('dismissRatingReports', { id });
    expect(await timeline()).toEqual(before);
    expect(await rated(3)).toBe(events + 1);
    live.close();
    const { appRatings } = await service.client.queryData<{ appRatings: { edges: unknown[] } }>(
      'query ($slug: String!) { appRatings(slug: $slug) { edges { node { id reports { totalCount } } } } }',
      { slug: own.slug },
      ada.token,
    );
    expect(appRatings.edges).toHaveLength(3);
    expect(appRatings.edges).toContainEqual({ node: { id, reports: null } });
  });

  it('leaves cached responses of the catalog as they are (D192)', async () => {
    const { id } = await service.aRating(app);
    const listener = await connectTo(service.databaseUrl);
    const announced: string[] = [];
    listener.on('notification', ({ payload = '' }) => announced.push(payload));
    await listener.query('listen catalog');
    /** Notifications come in the order of the commits, those of heartbeats included. */
    const announcedBy = async (work: () => Promise<unknown>) => {
      announced.length = 0;
      await work();
      await service.sql("select pg_notify('catalog', 'the end')");
      await until(() => announced.includes('the end'), 'there was no notification');
      return announced.filter((payload) => payload === 'listings' || payload === 'counts').length;
    };
    expect(
      await announcedBy(async () => {
        await report(id, await reporter());
        await service.administer('dismissRatingReports', { id });
      }),
    ).toBe(0);
    const hide = () => service.administer('hideRating', { id, reason: 'Spam.' });
    expect(await announcedBy(hide)).toBeGreaterThan(0);
    await listener.end();
  });
});
