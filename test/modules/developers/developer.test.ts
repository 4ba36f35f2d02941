import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);

describe('developer', () => {
  it('reads any developer, as they see themselves (D15)', async () => {
    const { id, key } = await service.aDeveloper({ companyName: 'Engines Ltd' });
    expect(
      expectSuccess(await service.client.call('graphql', 'developer', { id }, await service.admin())),
    ).toEqual(await service.client.must('me', {}, key));
  });

  it('accepts an id in upper or lower case (D2)', async () => {
    const { id } = await service.anUnverifiedDeveloper();
    const input = { id: id.toUpperCase() };
    const outcome = await service.client.call('graphql', 'developer', input, await service.admin());
    expect(outcome.data).toMatchObject({ id });
  });
});
