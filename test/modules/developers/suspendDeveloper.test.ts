import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/actors.js';
import { doors } from '../../support/doors.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectRefusal, expectSuccess } from '../../support/refusals.js';
import { type Service, sharedService } from '../../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await sharedService();
});

const suspend = async (id: string, reason = 'Spam.', bearer?: string | null) =>
  service.doors.call<Json>(
    'graphql',
    'suspendDeveloper',
    { id, reason },
    bearer === undefined ? await service.admin() : bearer,
  );

describe('suspendDeveloper', () => {
  it('suspends a verified developer and keeps verifiedAt (D16)', async () => {
    const { id, token } = await service.aDeveloper();
    const before = await service.doors.must('me', {}, token);
    const outcome = await suspend(id);
    expectSuccess(outcome);
    expect(outcome.data).toEqual({ ...before, status: 'SUSPENDED', updatedAt: expect.any(String) });
  });

  it('suspends an unverified developer too (D16)', async () => {
    const { id } = await service.anUnverifiedDeveloper();
    const outcome = await suspend(id);
    expectSuccess(outcome);
    expect(outcome.data).toMatchObject({ status: 'SUSPENDED', verifiedAt: null });
  });

  it.each(doors)('stops every key of the developer over %s (D13)', async (door) => {
    const developer = await service.aDeveloper();
    const app = await service.anApp(developer);
    await suspend(developer.id);
    const { key } = developer;
    expectRefusal(await service.doors.call(door, 'myApps', {}, key), 'DEVELOPER_SUSPENDED');
    expectRefusal(await service.doors.call(door, 'myApp', { id: app.id }, key), 'DEVELOPER_SUSPENDED');
    expectRefusal(await service.doors.call(door, 'myApiKeys', {}, key), 'DEVELOPER_SUSPENDED');
    expectRefusal(
      await service.doors.call(door, 'createApiKey', { name: 'x', scopes: ['APP_READ'] }, key),
      'DEVELOPER_SUSPENDED',
    );
  });

  it('removes their apps from the catalog at once (D29)', async () => {
    const developer = await service.aDeveloper();
    const { slug } = await service.anApp(developer, 'APPROVED');
    expectSuccess(await service.doors.call('rest', 'app', { slug }));
    await suspend(developer.id);
    expectRefusal(await service.doors.call('rest', 'app', { slug }), 'NOT_FOUND');
  });

  it('notifies the developer of the reason once: a repeated call returns the same record (D16)', async () => {
    const { id } = await service.anUnverifiedDeveloper();
    const first = await suspend(id, 'Spam.');
    const second = await suspend(id, 'More spam.');
    expectSuccess(second);
    expect(second.data).toEqual(first.data);
    expect(await notificationsOf(service, id)).toEqual([
      { kind: 'developer.suspended', developerId: id, reason: 'Spam.' },
    ]);
  });

  it('needs a reason of 1 to 2,000 characters (D16)', async () => {
    const { id } = await service.anUnverifiedDeveloper();
    expectRefusal(await suspend(id, ''), 'VALIDATION_FAILED', ['reason: too_short']);
    expectRefusal(await suspend(id, 'x'.repeat(2001)), 'VALIDATION_FAILED', ['reason: too_long']);
    expectRefusal(await suspend(id, 'a\u0000b'), 'VALIDATION_FAILED', ['reason: invalid_characters']);
    expect(await notificationsOf(service, id)).toEqual([]);
  });

  it('returns NOT_FOUND for a developer that does not exist (D7)', async () => {
    expectRefusal(await suspend('0198c5b0-7a60-7c1e-8f5e-9d491f8f6a1f'), 'NOT_FOUND');
    expectRefusal(await suspend('nobody'), 'NOT_FOUND');
  });

  it('is for administrators only (D8)', async () => {
    const { id, token, key } = await service.aDeveloper();
    expectRefusal(await suspend(id, 'x', null), 'UNAUTHENTICATED');
    expectRefusal(await suspend(id, 'x', token), 'FORBIDDEN');
    expectRefusal(await suspend(id, 'x', key), 'FORBIDDEN');
  });
});
