import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectRefusal, expectSuccess } from '../../support/refusals.js';
import { type Service, startService } from '../../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('developer', () => {
  it('reads any developer, as they see themselves (D15)', async () => {
    const { id, key } = await service.aDeveloper({ companyName: 'Engines Ltd' });
    const outcome = await service.doors.call('graphql', 'developer', { id }, await service.admin());
    expectSuccess(outcome);
    expect(outcome.data).toEqual(await service.doors.must('me', {}, key));
  });

  it('takes an id in either case (D2)', async () => {
    const { id } = await service.anUnverifiedDeveloper();
    const input = { id: id.toUpperCase() };
    const outcome = await service.doors.call('graphql', 'developer', input, await service.admin());
    expect(outcome.data).toMatchObject({ id });
  });

  it.each(['0198c5b0-7a60-7c1e-8f5e-9d491f8f6a1f', '00000000-0000-0000-0000-000000000000', 'nobody', ''])(
    'knows no developer %j (D7)',
    async (id) => {
      expectRefusal(
        await service.doors.call('graphql', 'developer', { id }, await service.admin()),
        'NOT_FOUND',
      );
    },
  );

  it('is for administrators alone, not even for the developer (D8)', async () => {
    const { id, token, key } = await service.aDeveloper();
    expectRefusal(await service.doors.call('graphql', 'developer', { id }), 'UNAUTHENTICATED');
    expectRefusal(await service.doors.call('graphql', 'developer', { id }, token), 'FORBIDDEN');
    expectRefusal(await service.doors.call('graphql', 'developer', { id }, key), 'FORBIDDEN');
  });
});
