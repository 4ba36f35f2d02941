import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);

const unverify = (id: string, reason = 'Papers expired.') =>
  service.callAsAdmin<Json>('unverifyDeveloper', { id, reason });

describe('unverifyDeveloper', () => {
  it('withdraws the verification: verifiedAt is null again (D16)', async () => {
    const { id, token } = await service.aDeveloper();
    const before = await service.client.must('me', {}, token);
    expect(expectSuccess(await unverify(id))).toEqual({
      ...before,
      status: 'UNVERIFIED',
      verifiedAt: null,
      updatedAt: expect.any(String),
    });
  });

  it('gives a new verifiedAt when the developer is verified again (D16)', async () => {
    const { id } = await service.aDeveloper();
    const first = await service.administer('developer', { id });
    await unverify(id);
    const again = await service.administer('verifyDeveloper', { id });
    expect(String(again.verifiedAt) > String(first.verifiedAt)).toBe(true);
  });

  it('notifies the developer of the reason once: a repeated call returns the same record (D16)', async () => {
    const { id } = await service.aDeveloper();
    const first = await unverify(id, '  Papers\nexpired.  ');
    expect(expectSuccess(await unverify(id, 'Another reason.'))).toEqual(first.data);
    const told = (await notificationsOf(service, id)).filter(({ kind }) => kind === 'developer.unverified');
    expect(told).toEqual([{ kind: 'developer.unverified', developerId: id, reason: 'Papers\nexpired.' }]);
  });

  it('returns the same record for a developer who was never verified (D16)', async () => {
    const { id, token } = await service.anUnverifiedDeveloper();
    expect(expectSuccess(await unverify(id))).toEqual(await service.client.must('me', {}, token));
    expect(await notificationsOf(service, id)).toEqual([]);
  });

  it('refuses while the developer is suspended (D42)', async () => {
    const { id } = await service.aDeveloper();
    await service.administer('suspendDeveloper', { id, reason: 'Spam.' });
    expectError(await unverify(id), 'INVALID_TRANSITION');
  });
});
