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

  it('needs a reason of 1 to 2,000 characters (D16)', async () => {
    const { id } = await service.anUnverifiedDeveloper();
    expectError(await suspend(id, ''), 'VALIDATION_FAILED', ['reason: too_short']);
    expectError(await suspend(id, 'x'.repeat(2001)), 'VALIDATION_FAILED', ['reason: too_long']);
    expectError(await suspend(id, 'a\u0000b'), 'VALIDATION_FAILED', ['reason: invalid_characters']);
    expect(await notificationsOf(service, id)).toEqual([]);
  });
});
