import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);

describe('developer', () => {
  it('reads any developer, as they see themselves (D15)', async () => {
    const { id, key } = await service.aDeveloper({ companyName: 'Engines Ltd' });
    expect(expectSuccess(await service.callAsAdmin('developer', { id }))).toEqual(
      await service.client.must('me', {}, key),
    );
  });
});
