import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);

const reinstate = (id: string) => service.callAsAdmin<Json>('reinstateDeveloper', { id });
const suspend = async (id: string) => service.administer<Json>('suspendDeveloper', { id, reason: 'Spam.' });

describe('reinstateDeveloper', () => {
  it('makes a verified developer verified again, since the same day, and their keys work (D16)', async () => {
    const { id, key } = await service.aDeveloper();
    const before = await service.client.must('me', {}, key);
    await suspend(id);
    expect(expectSuccess(await reinstate(id))).toEqual({ ...before, updatedAt: expect.any(String) });
    expectSuccess(await service.client.call('rest', 'me', {}, key));
  });

  it('makes an unverified developer unverified again (D16)', async () => {
    const { id } = await service.anUnverifiedDeveloper();
    await suspend(id);
    expect(expectSuccess(await reinstate(id))).toMatchObject({ status: 'UNVERIFIED', verifiedAt: null });
  });

  it('restores the status from before the last suspension (D16)', async () => {
    const { id } = await service.aDeveloper();
    await suspend(id);
    await reinstate(id);
    await service.administer('unverifyDeveloper', { id, reason: 'Papers.' });
    await suspend(id);
    expect((await reinstate(id)).data).toMatchObject({ status: 'UNVERIFIED', verifiedAt: null });
  });

  it('returns the same record for a developer who is not suspended, and notifies nobody (D16)', async () => {
    const { id, token } = await service.anUnverifiedDeveloper();
    expect(expectSuccess(await reinstate(id))).toEqual(await service.client.must('me', {}, token));
    expect(await notificationsOf(service, id)).toEqual([]);
  });

  it('notifies the developer once (D16)', async () => {
    const { id } = await service.anUnverifiedDeveloper();
    await suspend(id);
    await reinstate(id);
    await reinstate(id);
    expect((await notificationsOf(service, id)).map(({ kind }) => kind)).toEqual([
      'developer.suspended',
      'developer.reinstated',
    ]);
  });
});
