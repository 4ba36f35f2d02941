import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/actors.js';
import { nobody } from '../../support/answers.js';
import { linesOf } from '../../support/audit.js';
import { expectRefusal } from '../../support/refusals.js';
import { type Service, sharedService } from '../../support/service.js';
import { figuresOf } from './figures.js';

describe('unhideRating', () => {
  let service: Service;
  beforeAll(async () => {
    service = await sharedService();
  });

  it('shows a rating again in its current form, and counts it once (D31, D77)', async () => {
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

  it('of a rating that was removed and given again shows the new one and later ones (D122)', async () => {
    const admin = await service.admin();
    const app = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const { id, token } = await service.aRating(app, { rating: 1 });
    const { slug } = app;
    await service.doors.must('hideRating', { id, reason: 'Spam.' }, admin);
    await service.doors.must('removeRating', { slug }, token);
    const again = await service.doors.must<Json>('rateApp', { slug, rating: 4 }, token);
    await service.doors.must('unhideRating', { id: again.id }, admin);
    expect(await figuresOf(service, app.id)).toEqual({ reviewCount: 1, averageRating: 4 });
    await service.doors.must('removeRating', { slug }, token);
    await service.doors.must('rateApp', { slug, rating: 5 }, token);
    expect(await figuresOf(service, app.id)).toEqual({ reviewCount: 1, averageRating: 5 });
  });

  it('of a removed rating returns it a last time: the next rating is visible (D122)', async () => {
    const admin = await service.admin();
    const app = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const { slug } = app;
    const { id, token } = await service.aRating(app, { rating: 1, text: 'Awful.' });
    await service.doors.must('hideRating', { id, reason: 'Spam.' }, admin);
    await service.doors.must('removeRating', { slug }, token);
    const lines = await linesOf(service, async () => {
      expect(await service.doors.must('unhideRating', { id }, admin)).toMatchObject({ id, text: 'Awful.' });
      expectRefusal(await service.doors.call('graphql', 'unhideRating', { id }, admin), 'NOT_FOUND');
    });
    expect(lines).toMatchObject([{ kind: 'rating.unhidden', data: { ratingId: id } }]);
    expect(await figuresOf(service, app.id)).toEqual({ reviewCount: 0, averageRating: 0 });
    await service.doors.must('rateApp', { slug, rating: 5 }, token);
    expect(await figuresOf(service, app.id)).toEqual({ reviewCount: 1, averageRating: 5 });
  });
});
