import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/actors.js';
import { type Door, doors } from '../../support/doors.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectRefusal, expectSuccess } from '../../support/refusals.js';
import { type Service, startService } from '../../support/service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const revoke = (door: Door, id: string, bearer: string | null) =>
  service.doors.call<Json>(door, 'revokeApiKey', { id }, bearer);

describe.each(doors)('revokeApiKey over %s', (door) => {
  it("answers the revoked key's masked record, and the key is dead (D3, D11)", async () => {
    const developer = await service.aDeveloper();
    const { key, ...record } = await service.anIssuedKey(developer);
    const outcome = await revoke(door, record.id, developer.key);
    expectSuccess(outcome);
    expect(outcome.data).toEqual({
      ...record,
      status: 'REVOKED',
      revokedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expectRefusal(await service.doors.call(door, 'me', {}, key), 'API_KEY_REVOKED');
    expectSuccess(await service.doors.call(door, 'me', {}, developer.key));
  });

  it('lets any key revoke any key of its developer, a wider one and itself too (D10)', async () => {
    const developer = await service.aDeveloper();
    const wide = await service.anIssuedKey(developer);
    const { id, key } = await service.anIssuedKey(developer, ['ANALYTICS_READ' as never]);
    expectSuccess(await revoke(door, wide.id, key));
    expectSuccess(await revoke(door, id, key));
    expectRefusal(await revoke(door, id, key), 'API_KEY_REVOKED');
  });

  it('answers 200 with the same record for a key that is revoked already (D10)', async () => {
    const developer = await service.aDeveloper();
    const { id } = await service.anIssuedKey(developer);
    const first = await revoke(door, id, developer.key);
    const second = await revoke(door, id, developer.key);
    expectSuccess(second);
    expect(second.data).toEqual(first.data);
  });

  it('revokes an expired key too (D10)', async () => {
    const developer = await service.aDeveloper();
    await service.anExpiredKey(developer);
    const [expired] = await service.doors.must<Json[]>('myApiKeys', {}, developer.key);
    const outcome = await revoke(door, expired!.id, developer.key);
    expectSuccess(outcome);
    expect(outcome.data).toMatchObject({ status: 'REVOKED' });
  });

  it('has the developer told, once (D10)', async () => {
    const developer = await service.aDeveloper();
    const { id } = await service.anIssuedKey(developer);
    await revoke(door, id, developer.key);
    await revoke(door, id, developer.key);
    const told = (await notificationsOf(service, developer.id)).filter(({ kind }) => kind === 'key.revoked');
    expect(told).toEqual([{ kind: 'key.revoked', developerId: developer.id, keyId: id }]);
  });

  it("answers the very same for someone else's key as for one that is not there (D7)", async () => {
    const developer = await service.aDeveloper();
    const other = await service.aDeveloper();
    const theirs = await service.anIssuedKey(other);
    const missing = await revoke(door, '0198c5b0-7a60-7c1e-8f5e-9d491f8f6a1f', developer.key);
    const foreign = await revoke(door, theirs.id, developer.key);
    expectRefusal(missing, 'NOT_FOUND');
    expectRefusal(foreign, 'NOT_FOUND');
    expect(foreign.message).toBe(missing.message);
    expectRefusal(await revoke(door, 'no-uuid', developer.key), 'NOT_FOUND');
    expectSuccess(await service.doors.call(door, 'me', {}, theirs.key));
  });

  it('works for a developer whose verification was withdrawn: a leak can be stopped (D10, D13)', async () => {
    const developer = await service.aDeveloper();
    const { id } = await service.anIssuedKey(developer);
    const act = { id: developer.id, reason: 'Papers expired.' };
    await service.doors.must('unverifyDeveloper', act, await service.admin());
    expectSuccess(await revoke(door, id, developer.key));
  });

  it('refuses nobody in particular, and a suspended developer (D9, D13)', async () => {
    const developer = await service.aDeveloper();
    const { id } = await service.anIssuedKey(developer);
    expectRefusal(await revoke(door, id, null), 'UNAUTHENTICATED');
    const act = { id: developer.id, reason: 'Spam.' };
    await service.doors.must('suspendDeveloper', act, await service.admin());
    expectRefusal(await revoke(door, id, developer.key), 'DEVELOPER_SUSPENDED');
  });
});

describe('revokeApiKey by account token', () => {
  it('works in GraphQL, where a person is signed in, and not over REST (D9)', async () => {
    const developer = await service.aDeveloper();
    const { id } = await service.anIssuedKey(developer);
    expectRefusal(await revoke('rest', id, developer.token), 'UNAUTHENTICATED');
    expectSuccess(await revoke('graphql', id, developer.token));
  });
});
