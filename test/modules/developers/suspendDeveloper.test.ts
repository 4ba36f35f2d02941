import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
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

  it('removes their apps from the catalog at once (D29)', async () => {
    const developer = await service.aDeveloper();
    const { slug } = await service.anApp(developer, 'APPROVED');
    expectSuccess(await service.client.call('rest', 'app', { slug }));
    await suspend(developer.id);
    expectError(await service.client.call('rest', 'app', { slug }), 'NOT_FOUND');
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
