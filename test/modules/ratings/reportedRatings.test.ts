import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AppJson, type ConnectionJson, unique } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { duringTests } from '../../support/before-tests.js';
import { startService } from '../../support/service.js';

describe('reportedRatings', () => {
  let admin: string;
  let app: AppJson;
  const service = duringTests(startService);
  beforeAll(async () => {
    admin = await service.admin();
    app = await service.anApp(await service.aDeveloper(), 'APPROVED');
  });

  const report = async (id: string, reason = 'Spam.', account = unique('reporter')) =>
    service.client.must('reportRating', { id, reason }, await service.token(account));
  const listed = async (input: Input = {}) => service.administer<ConnectionJson>('reportedRatings', input);
  const idsOf = ({ edges }: ConnectionJson) => edges.map(({ node }) => node.id);

  it('lists the ratings with open reports, the most recently reported first (D192)', async () => {
    const [one, two, three] = [
      await service.aRating(app),
      await service.aRating(app),
      await service.aRating(app),
    ];
    await service.aRating(app);
    const account = unique('reporter');
    await report(one.id, 'Spam.', account);
    await report(two.id);
    await report(three.id);
    // Another report moves a rating up, a changed reason does not.
    await report(two.id);
    await report(one.id, 'Spam and insults.', account);
    expect(idsOf(await listed())).toEqual([two.id, three.id, one.id]);
    expect((await listed()).totalCount).toBe(3);
    await service.administer('hideRating', { id: two.id, reason: 'Spam.' });
    await service.administer('dismissRatingReports', { id: three.id });
    await service.client.must('removeRating', { slug: app.slug }, one.token);
    expect(await listed()).toMatchObject({ totalCount: 0, edges: [] });
  });

  it('shows the app, the author and the first reasons of each in one document (D192)', async () => {
    const { id, accountUserId } = await service.aRating(app, { authorName: 'Grace' });
    await report(id, 'One.');
    await report(id, 'Two.');
    await report(id, 'Three.');
    const { reportedRatings } = await service.client.queryData<{ reportedRatings: { edges: unknown[] } }>(
      `{ reportedRatings(first: 1) { edges { node {
        id authorName accountUserId app { slug }
        reports(first: 2) { totalCount edges { node { reason } } pageInfo { hasNextPage } }
      } } } }`,
      {},
      admin,
    );
    const reports = {
      totalCount: 3,
      edges: [{ node: { reason: 'Three.' } }, { node: { reason: 'Two.' } }],
      pageInfo: { hasNextPage: true },
    };
    expect(reportedRatings.edges).toEqual([
      { node: { id, authorName: 'Grace', accountUserId, app: { slug: app.slug }, reports } },
    ]);
  });

  it('hides the reports from an administrator who wrote the rating or owns the app (D104, D192)', async () => {
    const ada = await service.aDeveloper();
    const own = await service.anApp(ada, 'APPROVED');
    const { id, accountUserId } = await service.aRating(own);
    await report(id);
    const reportsFor = async (token: string) => {
      const { node } = await service.client.queryData<{ node: { reports: { totalCount: number } | null } }>(
        'query ($id: ID!) { node(id: $id) { ... on Rating { reports { totalCount } } } }',
        { id },
        token,
      );
      return node.reports;
    };
    expect(await reportsFor(admin)).toEqual({ totalCount: 1 });
    expect(await reportsFor(await service.asAdministrator(ada))).toBeNull();
    expect(await reportsFor(await service.asAdministrator({ accountUserId }))).toBeNull();
  });

  it('still has a rating of an app that was taken down (D192)', async () => {
    const other = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const { id } = await service.aRating(other);
    await report(id);
    await service.administer('suspendApp', { id: other.id, reason: 'Broken.' });
    expect(idsOf(await listed({ first: 1 }))).toEqual([id]);
  });
});
