import { describe, expect, it } from '@jest/globals';
import { unique } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { figuresOf } from './figures.js';

describe('removeRating', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const remove = (slug: string, token: string) =>
    service.client.call('graphql', 'removeRating', { slug }, token);

  it('returns the removed rating, which no longer counts; the account may rate again (D31)', async () => {
    const { id, slug } = await service.anApp(ada, 'APPROVED');
    const { token, accountUserId: _, ...rating } = await service.aRating({ slug }, { rating: 1 });
    await service.aRating({ slug }, { rating: 5 });
    expect((await remove(slug, token)).data).toEqual(rating);
    expect(await figuresOf(service, id)).toEqual({ reviewCount: 1, averageRating: 5 });
    expectError(await remove(slug, token), 'NOT_FOUND');
    const again = await service.client.must('rateApp', { slug, rating: 3 }, token);
    expect(again.id).not.toBe(rating.id);
    expect(await figuresOf(service, id)).toEqual({ reviewCount: 2, averageRating: 4 });
  });

  it('leaves an average of 0 after the last one, and changes nothing for a hidden one (D31)', async () => {
    const { id, slug } = await service.anApp(ada, 'APPROVED');
    const { id: ratingId, token } = await service.aRating({ slug }, { rating: 3 });
    await service.administer('hideRating', { id: ratingId, reason: 'Spam.' });
    expect((await remove(slug, token)).code).toBeNull();
    expect(await figuresOf(service, id)).toEqual({ reviewCount: 0, averageRating: 0 });
  });

  it('is NOT_FOUND without a rating, and for an app that is not public (D31, D29)', async () => {
    const token = await service.token(unique('user'));
    expectError(await remove((await service.anApp(ada, 'APPROVED')).slug, token), 'NOT_FOUND');
    expectError(await remove('nothing-here', token), 'NOT_FOUND');
  });
});
