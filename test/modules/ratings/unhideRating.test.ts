import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nobody } from '../../support/answers.js';
import { expectRefusal } from '../../support/refusals.js';
import { type Service, startService } from '../../support/service.js';
import { figuresOf } from './figures.js';

describe('unhideRating', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  it('shows a rating again, as it is by then, and counts it once (D31, D77)', async () => {
    const admin = await service.admin();
    const app = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const { id, token } = await service.aRating(app, { rating: 1 });
    await service.doors.must('hideRating', { id, reason: 'Spam.' }, admin);
    await service.doors.must('rateApp', { slug: app.slug, rating: 5 }, token);
    const unhide = () => service.doors.call('graphql', 'unhideRating', { id }, admin);
    expect((await unhide()).data).toMatchObject({ id, rating: 5 });
    expect((await unhide()).data).toMatchObject({ id, rating: 5 });
    expect(await figuresOf(service, app.id)).toEqual({ reviewCount: 1, averageRating: 5 });
    expect(await service.doors.must('appRatings', { slug: app.slug })).toMatchObject({
      edges: [{ node: { id } }],
    });
    expectRefusal(await service.doors.call('graphql', 'unhideRating', { id: nobody }, admin), 'NOT_FOUND');
  });
});
