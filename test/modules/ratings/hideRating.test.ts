import { describe, expect, it } from '@jest/globals';
import type { ConnectionJson } from '../../support/actors.js';
import { linesOf } from '../../support/audit.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { figuresOf } from './figures.js';

describe('hideRating', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const hide = (id: string, reason = 'It insults people.') =>
    service.callAsAdmin('hideRating', { id, reason });

  it('removes a rating from the lists and the figures, once, with a reason in the audit log (D31, D77)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    const bad = await service.aRating(app, { rating: 1 });
    await service.aRating(app, { rating: 4 });
    const lines = await linesOf(service, async () => {
      expect((await hide(bad.id)).data).toMatchObject({ id: bad.id, rating: 1 });
      expect((await hide(bad.id, 'Again.')).code).toBeNull();
    });
    expect(lines).toMatchObject([
      { kind: 'rating.hidden', data: { ratingId: bad.id, reason: 'It insults people.' } },
    ]);
    expect(await figuresOf(service, app.id)).toEqual({ reviewCount: 1, averageRating: 4 });
  });

  it('stays in effect when the author changes the rating (D77)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    const { id, token } = await service.aRating(app, { rating: 1 });
    await hide(id);
    await service.client.must('rateApp', { slug: app.slug, rating: 5 }, token);
    expect(await figuresOf(service, app.id)).toEqual({ reviewCount: 0, averageRating: 0 });
    const page = await service.client.must('appRatings', { slug: app.slug });
    expect(page).toMatchObject({ edges: [], totalCount: 0 });
  });

  it('stays in effect when the author removes it and rates again, and the author is not notified (D77, D122)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    const { token, ...first } = await service.aRating(app, { rating: 1, text: 'Awful.' });
    await hide(first.id);
    const seen = new Set([first.id]);
    for (const rating of [2, 3, 4]) {
      const data = expectSuccess(
        await service.client.call('graphql', 'removeRating', { slug: app.slug }, token),
      );
      expect(seen).toContain(data.id);
      for (const act of ['myRating', 'removeRating'] as const)
        expectError(await service.client.call('graphql', act, { slug: app.slug }, token), 'NOT_FOUND');
      const again = await service.client.must('rateApp', { slug: app.slug, rating }, token);
      expect(again).toMatchObject({ rating, text: null, reply: null });
      expect(seen).not.toContain(again.id);
      seen.add(String(again.id));
      expect(await service.client.must('myRating', { slug: app.slug }, token)).toEqual(again);
      expect(await figuresOf(service, app.id)).toEqual({ reviewCount: 0, averageRating: 0 });
      expect(await service.client.must('appRatings', { slug: app.slug })).toMatchObject({ edges: [] });
    }
  });

  it('concerns one account and one app: others stay visible (D122)', async () => {
    const [app, other] = [await service.anApp(ada, 'APPROVED'), await service.anApp(ada, 'APPROVED')];
    const { id, token } = await service.aRating(app, { rating: 1 });
    await hide(id);
    await service.client.must('removeRating', { slug: app.slug }, token);
    await service.client.must('rateApp', { slug: other.slug, rating: 2 }, token);
    await service.aRating(app, { rating: 5 });
    expect(await figuresOf(service, app.id)).toEqual({ reviewCount: 1, averageRating: 5 });
    expect(await figuresOf(service, other.id)).toEqual({ reviewCount: 1, averageRating: 2 });
  });

  it('leaves updatedAt, which says when the rating was written (D77)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    const { id, updatedAt, token } = await service.aRating(app);
    expect((await hide(id)).data).toMatchObject({ id, updatedAt });
    expect(await service.client.must('myRating', { slug: app.slug }, token)).toMatchObject({ updatedAt });
    expect(await service.administer('unhideRating', { id })).toMatchObject({ id, updatedAt });
    expect(await service.client.must('myRating', { slug: app.slug }, token)).toMatchObject({ updatedAt });
    const replied = await service.client.must('replyToRating', { id, text: 'Why?' }, ada.token);
    expect(Date.parse(String(replied.updatedAt))).toBeGreaterThan(Date.parse(String(updatedAt)));
  });

  it('shows in the owner’s timeline beside the reply; the ratings themselves do not (D38, D77)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    const { id } = await service.aRating(app);
    await service.client.must('replyToRating', { id, text: 'Why?' }, ada.token);
    await hide(id);
    const { myApp } = await service.client.queryData<{
      myApp: { timeline: ConnectionJson<{ kind: string; by: string; message: string | null }> };
    }>(
      'query ($id: ID!) { myApp(id: $id) { timeline { edges { node { kind by message } } } } }',
      { id: app.id },
      ada.token,
    );
    expect(
      myApp.timeline.edges.map(({ node }) => node).filter(({ kind }) => kind.startsWith('rating.')),
    ).toEqual([
      { kind: 'rating.replied', by: 'DEVELOPER', message: null },
      { kind: 'rating.hidden', by: 'ADMINISTRATOR', message: 'It insults people.' },
    ]);
  });
});
