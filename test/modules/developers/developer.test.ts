import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);

describe('developer', () => {
  it('reads any developer, as they see themselves (D15)', async () => {
    const { id, key } = await service.aDeveloper({ companyName: 'Engines Ltd' });
    const outcome = await service.client.call('graphql', 'developer', { id }, await service.admin());
    expectSuccess(outcome);
    expect(outcome.data).toEqual(await service.client.must('me', {}, key));
  });

  it('accepts an id in upper or lower case (D2)', async () => {
    const { id } = await service.anUnverifiedDeveloper();
    const input = { id: id.toUpperCase() };
    const outcome = await service.client.call('graphql', 'developer', input, await service.admin());
    expect(outcome.data).toMatchObject({ id });
  });

  it.each(['0198c5b0-7a60-7c1e-8f5e-9d491f8f6a1f', '00000000-0000-0000-0000-000000000000', 'nobody', ''])(
    'returns NOT_FOUND for the developer %j (D7)',
    async (id) => {
      expectError(
        await service.client.call('graphql', 'developer', { id }, await service.admin()),
        'NOT_FOUND',
      );
    },
  );
});
