import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);

const verify = (id: string, input: Input = {}) =>
  service.callAsAdmin<Json>('verifyDeveloper', { id, ...input });

describe('verifyDeveloper', () => {
  it('verifies a developer and records the time (D15, D16)', async () => {
    const { id, token } = await service.anUnverifiedDeveloper();
    const before = await service.client.must('me', {}, token);
    const data = expectSuccess(await verify(id));
    expect(data).toEqual({
      ...before,
      status: 'VERIFIED',
      verifiedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      updatedAt: expect.any(String),
    });
    expect(await service.client.must('me', {}, token)).toEqual(data);
  });

  it('notifies the developer once: a repeated call returns the same record (D16, D33)', async () => {
    const { id } = await service.anUnverifiedDeveloper();
    const first = await verify(id);
    expect(expectSuccess(await verify(id))).toEqual(first.data);
    expect(await notificationsOf(service, id)).toEqual([{ kind: 'developer.verified', developerId: id }]);
  });

  it('refuses while the developer is suspended, and notifies nobody (D42)', async () => {
    const { id } = await service.anUnverifiedDeveloper();
    await service.administer('suspendDeveloper', { id, reason: 'Spam.' });
    const before = await notificationsOf(service, id);
    expectError(await verify(id), 'INVALID_TRANSITION');
    expect(await notificationsOf(service, id)).toEqual(before);
  });

  it.each(['yesterday', '2026-03-02', ''])(
    'refuses %j as the time that was seen (D343)',
    async (updatedAt) => {
      const { id } = await service.anUnverifiedDeveloper();
      expectError(await verify(id, { updatedAt }), 'VALIDATION_FAILED', ['updatedAt: invalid_time']);
    },
  );

  it('accepts the time that was seen in any offset, and null as no check (D343)', async () => {
    const [one, other] = [await service.anUnverifiedDeveloper(), await service.anUnverifiedDeveloper()];
    const { updatedAt } = await service.client.must<Json>('me', {}, one.token);
    const inIndia = new Date(Date.parse(String(updatedAt)) + 5.5 * 3_600_000);
    const seen = inIndia.toISOString().replace('Z', '+05:30');
    expectSuccess(await verify(one.id, { updatedAt: seen }));
    expectSuccess(await verify(other.id, { updatedAt: null }));
  });
});
