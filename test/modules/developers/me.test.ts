import { describe, expect, it } from '@jest/globals';
import { unique } from '../../support/actors.js';
import { apis } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);

describe.each(apis)('me over %s', (api) => {
  it("reads the caller's profile with exactly its fields (D2, D15)", async () => {
    const developer = await service.aDeveloper({ name: 'Ada', bio: 'Hello' });
    expect(expectSuccess(await service.client.call(api, 'me', {}, developer.key))).toEqual({
      id: developer.id,
      accountUserId: developer.accountUserId,
      name: 'Ada',
      email: developer.email,
      emailProven: false,
      emailLost: false,
      companyName: null,
      websiteUrl: null,
      bio: 'Hello',
      status: 'VERIFIED',
      verifiedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });
});

describe('me by account token', () => {
  it('tells an account that has not registered to do so (D7)', async () => {
    const outcome = await service.client.call('graphql', 'me', {}, await service.token(unique('stranger')));
    expectError(outcome, 'DEVELOPER_NOT_REGISTERED');
    expect(outcome.message).toContain('registerDeveloper');
  });
});
