import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, unique } from '../../support/actors.js';
import { linesOf } from '../../support/audit.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { figuresOf } from './figures.js';

describe('dismissRatingReports', () => {
  let admin: string;
  const service = beforeTests(sharedService);
  const app = beforeTests(async () => service.anApp(await service.aDeveloper(), 'APPROVED'));
  beforeAll(async () => {
    admin = await service.admin();
  });

  const dismiss = (id: string) => service.callAsAdmin<Json>('dismissRatingReports', { id });

  it('closes all reports at once and leaves the rating as it is; again it changes nothing (D40, D192)', async () => {
    const { id } = await service.aRating(app, { rating: 5 });
    const figures = await figuresOf(service, app.id);
    for (const account of [unique('one'), unique('two')])
      await service.client.must('reportRating', { id, reason: 'Spam.' }, await service.token(account));
    const lines = await linesOf(service, async () => {
      expect((await dismiss(id)).data).toMatchObject({ id, rating: 5 });
      expect((await dismiss(id)).data).toMatchObject({ id, rating: 5 });
    });
    expect(lines).toMatchObject([
      {
        kind: 'rating.reports_dismissed',
        data: { ratingId: id },
        before: { reports: 2 },
        after: { reports: 0 },
      },
    ]);
    expect(await figuresOf(service, app.id)).toEqual(figures);
    const { node } = await service.client.queryData<{ node: unknown }>(
      'query ($id: ID!) { node(id: $id) { ... on Rating { reports { totalCount edges { node { reason } } } } } }',
      { id },
      admin,
    );
    expect(node).toEqual({ reports: { totalCount: 0, edges: [] } });
  });

  it('stands until the author changes the rating: a reply does not count (D192)', async () => {
    const ada = await service.aDeveloper();
    const own = await service.anApp(ada, 'APPROVED');
    const rating = await service.aRating(own, { rating: 1 });
    const token = await service.token(unique('reporter'));
    const report = () =>
      service.client.call('graphql', 'reportRating', { id: rating.id, reason: 'Spam.' }, token);
    expectSuccess(await report());
    await dismiss(rating.id);
    await service.client.must('replyToRating', { id: rating.id, text: 'Thanks.' }, ada.key);
    expectError(await report(), 'INVALID_TRANSITION');
    await service.client.must('rateApp', { slug: own.slug, rating: 2 }, rating.token);
    expectSuccess(await report());
  });
});
