import { describe, expect, it } from '@jest/globals';
import { unique } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

describe('myRating', () => {
  const service = beforeTests(sharedService);

  it('is the caller’s own, even while it is hidden, and NOT_FOUND without one (D75)', async () => {
    const { slug } = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const [{ accountUserId: _, token, ...mine }, other] = [
      await service.aRating({ slug }, { rating: 2 }),
      await service.aRating({ slug }),
    ];
    const read = (bearer: string) => service.client.call('graphql', 'myRating', { slug }, bearer);
    expect((await read(token)).data).toEqual(mine);
    await service.administer('hideRating', { id: mine.id, reason: 'Spam.' });
    expect((await read(token)).data).toMatchObject({ id: mine.id, rating: 2 });
    expect((await read(other.token)).data).toMatchObject({ id: other.id });
    expectError(await read(await service.admin()), 'NOT_FOUND');
  });
});

describe('PublicApp.myRating', () => {
  it('is the rating of the caller, and null without an error where there is none (D194)', async () => {
    const service = await sharedService();
    const app = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const { id, token } = await service.aRating(app, { rating: 2 });
    const read = (bearer: string | null) =>
      service.client.graphql(
        'query ($slug: String!) { app(slug: $slug) { slug myRating { id rating } } }',
        { slug: app.slug },
        bearer,
      );
    const own = { data: { app: { slug: app.slug, myRating: { id, rating: 2 } } } };
    const none = { data: { app: { slug: app.slug, myRating: null } } };
    for (let time = 0; time < 3; time += 1) {
      expect(await read(token)).toMatchObject(own);
      for (const bearer of [null, await service.token(unique('reader'))]) {
        const answer = await read(bearer);
        expect(answer).toMatchObject(none);
        expect(answer.errors).toBeUndefined();
      }
    }
    await service.administer('hideRating', { id, reason: 'Spam.' });
    expect(await read(token)).toMatchObject(own);
    await service.client.must('removeRating', { slug: app.slug }, token);
    expect(await read(token)).toMatchObject(none);
    const { errors } = await read('garbage');
    expect(errors).toMatchObject([{ path: ['app', 'myRating'], extensions: { code: 'INVALID_TOKEN' } }]);
  });
});
