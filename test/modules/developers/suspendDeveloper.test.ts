import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);

const suspend = (id: string, reason = 'Spam.') =>
  service.callAsAdmin<Json>('suspendDeveloper', { id, reason });

describe('suspendDeveloper', () => {
  it('suspends a verified developer and keeps verifiedAt (D16)', async () => {
    const { id, token } = await service.aDeveloper();
    const before = await service.client.must('me', {}, token);
    expect(expectSuccess(await suspend(id))).toEqual({
      ...before,
      status: 'SUSPENDED',
      updatedAt: expect.any(String),
    });
  });

  it('suspends an unverified developer too (D16)', async () => {
    const { id } = await service.anUnverifiedDeveloper();
    expect(expectSuccess(await suspend(id))).toMatchObject({ status: 'SUSPENDED', verifiedAt: null });
  });

  it('notifies the developer of the reason once: a repeated call returns the same record (D16)', async () => {
    const { id } = await service.anUnverifiedDeveloper();
    const first = await suspend(id, 'Spam.');
    expect(expectSuccess(await suspend(id, 'More spam.'))).toEqual(first.data);
    expect(await notificationsOf(service, id)).toEqual([
      { kind: 'developer.suspended', developerId: id, reason: 'Spam.' },
    ]);
  });
});
