import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Developer } from '../../support/actors.js';
import { nobody } from '../../support/answers.js';
import { linesOf } from '../../support/audit.js';
import { expectRefusal } from '../../support/refusals.js';
import { type Service, startService } from '../../support/service.js';
import { figuresOf } from './figures.js';

describe('hideRating', () => {
  let service: Service;
  let ada: Developer;
  let admin: string;
  beforeAll(async () => {
    service = await startService();
    ada = await service.aDeveloper();
    admin = await service.admin();
  });
  afterAll(() => service.close());

  const hide = (id: string, reason = 'It insults people.') =>
    service.doors.call('graphql', 'hideRating', { id, reason }, admin);

  it('takes a rating out of sight and out of the figures, once, with a reason in the log (D31, D77)', async () => {
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

  it('holds when its author changes it, which does not count either (D77)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    const { id, token } = await service.aRating(app, { rating: 1 });
    await hide(id);
    await service.doors.must('rateApp', { slug: app.slug, rating: 5 }, token);
    expect(await figuresOf(service, app.id)).toEqual({ reviewCount: 0, averageRating: 0 });
    const page = await service.doors.must('appRatings', { slug: app.slug });
    expect(page).toMatchObject({ edges: [], totalCount: 0 });
  });

  it('shows in the owner’s timeline beside the reply; the ratings themselves do not (D38, D77)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    const { id } = await service.aRating(app);
    await service.doors.must('replyToRating', { id, text: 'Why?' }, ada.token);
    await hide(id);
    const { myApp } = await service.doors.ask<{
      myApp: { timeline: { edges: { node: { kind: string; by: string; message: string | null } }[] } };
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

  it.each([nobody, 'x'])('is NOT_FOUND for the id "%s", and wants a reason (D7)', async (id) => {
    expectRefusal(await hide(id), 'NOT_FOUND');
    expectRefusal(await hide(id, ' '), 'VALIDATION_FAILED', ['reason: too_short']);
  });
});
