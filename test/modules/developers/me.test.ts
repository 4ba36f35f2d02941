import { describe, expect, it } from '@jest/globals';
import { unique } from '../../support/actors.js';
import { apis } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess, type statusOfCode } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);

const withTypo = (key: string) => key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));

describe.each(apis)('me over %s', (api) => {
  it("reads the caller's profile with exactly its fields (D2, D15)", async () => {
    const developer = await service.aDeveloper({ name: 'Ada', bio: 'Hello' });
    const outcome = await service.client.call(api, 'me', {}, developer.key);
    expectSuccess(outcome);
    expect(outcome.data).toEqual({
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

  it('works for a developer whose verification was withdrawn (D13)', async () => {
    const { id, key } = await service.aDeveloper();
    await service.administer('unverifyDeveloper', { id, reason: 'Papers expired.' });
    const outcome = await service.client.call(api, 'me', {}, key);
    expectSuccess(outcome);
    expect(outcome.data).toMatchObject({ status: 'UNVERIFIED', verifiedAt: null });
  });

  const credentials: [string, () => Promise<string | null>, keyof typeof statusOfCode][] = [
    ['no credential', async () => null, 'UNAUTHENTICATED'],
    ['what is neither key nor token', async () => 'hello', 'INVALID_TOKEN'],
    ['an expired key', async () => service.anExpiredKey(await service.aDeveloper()), 'API_KEY_EXPIRED'],
    ['a revoked key', async () => service.aRevokedKey(await service.aDeveloper()), 'API_KEY_REVOKED'],
    ['a key with a typo', async () => withTypo((await service.aDeveloper()).key), 'INVALID_API_KEY'],
  ];
});

describe('me by account token', () => {
  it('tells an account that has not registered to do so (D7)', async () => {
    const outcome = await service.client.call('graphql', 'me', {}, await service.token(unique('stranger')));
    expectError(outcome, 'DEVELOPER_NOT_REGISTERED');
    expect(outcome.message).toContain('registerDeveloper');
  });
});
