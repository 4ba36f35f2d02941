import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/actors.js';
import { linesOf } from '../../support/audit.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { figuresOf } from './figures.js';

describe('unhideRating', () => {
  const service = beforeTests(sharedService);

  it('shows a rating again in its current form, and counts it once (D31, D77)', async () => {
    const app = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const { id, token } = await service.aRating(app, { rating: 1 });
    await service.administer('hideRating', { id, reason: 'Spam.' });
    await service.client.must('rateApp', { slug: app.slug, rating: 5 }, token);
    const unhide = () => service.callAsAdmin('unhideRating', { id });
    expect((await unhide()).data).toMatchObject({ id, rating: 5 });
    expect((await unhide()).data).toMatchObject({ id, rating: 5 });
    expect(await figuresOf(service, app.id)).toEqual({ reviewCount: 1, averageRating: 5 });
    expect(await service.client.must('appRatings', { slug: app.slug })).toMatchObject({
      edges: [{ node: { id } }],
    });
  });

  it('of a rating that was removed and given again shows the new one and later ones (D122)', async () => {
    const app = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const { id, token } = await service.aRating(app, { rating: 1 });
    const { slug } = app;
    await service.administer('hideRating', { id, reason: 'Spam.' });
    await service.client.must('removeRating', { slug }, token);
    const again = await service.client.must<Json>('rateApp', { slug, rating: 4 }, token);
    await service.administer('unhideRating', { id: again.id });
    expect(await figuresOf(service, app.id)).toEqual({ reviewCount: 1, averageRating: 4 });
    await service.client.must('removeRating', { slug }, token);
    await service.client.must('rateApp', { slug, rating: 5 }, token);
    expect(await figuresOf(service, app.id)).toEqual({ reviewCount: 1, averageRating: 5 });
  });

  it('of a removed rating returns it a last time: the next rating is visible (D122)', async () => {
    const app = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const { slug } = app;
    const { id, token } = await service.aRating(app, { rating: 1, text: 'Awful.' });
    await service.administer('hideRating', { id, reason: 'Spam.' });
    await service.client.must('removeRating', { slug }, token);
    const lines = await linesOf(service, async () => {
      expect(await service.administer('unhideRating', { id })).toMatchObject({ id, text: 'Awful.' });
      expectError(await service.callAsAdmin('unhideRating', { id }), 'NOT_FOUND');
    });
    expect(lines).toMatchObject([{ kind: 'rating.unhidden', data: { ratingId: id } }]);
    expect(await figuresOf(service, app.id)).toEqual({ reviewCount: 0, averageRating: 0 });
    await service.client.must('rateApp', { slug, rating: 5 }, token);
    expect(await figuresOf(service, app.id)).toEqual({ reviewCount: 1, averageRating: 5 });
  });
});
