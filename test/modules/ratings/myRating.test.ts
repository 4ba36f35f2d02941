import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectError } from '../../support/outcomes.js';
import { type Service, sharedService } from '../../support/service.js';

describe('myRating', () => {
  let service: Service;
  beforeAll(async () => {
    service = await sharedService();
  });

  it('is the caller’s own, even while it is hidden, and NOT_FOUND without one (D75)', async () => {
    const { slug } = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const [{ accountUserId: _, token, ...mine }, other] = [
      await service.aRating({ slug }, { rating: 2 }),
      await service.aRating({ slug }),
    ];
    const read = (bearer: string) => service.client.call('graphql', 'myRating', { slug }, bearer);
    expect((await read(token)).data).toEqual(mine);
    await service.client.must('hideRating', { id: mine.id, reason: 'Spam.' }, await service.admin());
    expect((await read(token)).data).toMatchObject({ id: mine.id, rating: 2 });
    expect((await read(other.token)).data).toMatchObject({ id: other.id });
    expectError(await read(await service.admin()), 'NOT_FOUND');
  });
});
