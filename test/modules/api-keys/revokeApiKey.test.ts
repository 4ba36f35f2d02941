import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/actors.js';
import { type Api, apis } from '../../support/api-client.js';
import { linesOf } from '../../support/audit.js';
import { beforeTests } from '../../support/before-tests.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { aKeyBy, working } from './family.js';

const service = beforeTests(sharedService);

const revoke = (api: Api, id: string, bearer: string | null) =>
  service.client.call<Json>(api, 'revokeApiKey', { id }, bearer);

describe.each(apis)('revokeApiKey over %s', (api) => {
  it('returns the masked record of the revoked key, which no longer works (D3, D11)', async () => {
    const developer = await service.aDeveloper();
    const { key, ...record } = await service.anIssuedKey(developer);
    expect(expectSuccess(await revoke(api, record.id, developer.key))).toEqual({
      ...record,
      status: 'REVOKED',
      revokedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expectError(await service.client.call(api, 'me', {}, key), 'API_KEY_REVOKED');
    expectSuccess(await service.client.call(api, 'me', {}, developer.key));
  });

  it('lets any key revoke any key of its developer, a wider one and itself too (D10)', async () => {
    const developer = await service.aDeveloper();
    const wide = await service.anIssuedKey(developer);
    const { id, key } = await service.anIssuedKey(developer, ['ANALYTICS_READ' as never]);
    expectSuccess(await revoke(api, wide.id, key));
    expectSuccess(await revoke(api, id, key));
    expectError(await revoke(api, id, key), 'API_KEY_REVOKED');
  });

  it('leaves the keys that it created, and names them in the mail (D103)', async () => {
    const developer = await service.aDeveloper();
    const parent = await service.anIssuedKey(developer);
    const child = await aKeyBy(service, parent.key, 'The next one');
    const grandchild = await aKeyBy(service, child.key, 'Its own');
    const dead = await aKeyBy(service, parent.key);
    await revoke(api, dead.id, developer.key);
    expectSuccess(await revoke(api, parent.id, child.key));
    expect(await working(service, [child, grandchild])).toEqual([child.id, grandchild.id]);
    expect((await notificationsOf(service, developer.id)).at(-1)).toEqual({
      kind: 'key.revoked',
      developerId: developer.id,
      keyId: parent.id,
      livingDescendants: {
        count: 2,
        first: [
          { name: 'The next one', maskedKey: child.maskedKey },
          { name: 'Its own', maskedKey: grandchild.maskedKey },
        ],
      },
    });
  });

  it('responds 200 with the same record for a key that is revoked already (D10)', async () => {
    const developer = await service.aDeveloper();
    const { id } = await service.anIssuedKey(developer);
    const first = await revoke(api, id, developer.key);
    expect(expectSuccess(await revoke(api, id, developer.key))).toEqual(first.data);
  });

  it('revokes an expired key too (D10)', async () => {
    const developer = await service.aDeveloper();
    await service.anExpiredKey(developer);
    const [expired] = await service.client.must<Json[]>('myApiKeys', {}, developer.key);
    expect(expectSuccess(await revoke(api, expired!.id, developer.key))).toMatchObject({ status: 'REVOKED' });
  });

  it('notifies the developer once (D10)', async () => {
    const developer = await service.aDeveloper();
    const { id } = await service.anIssuedKey(developer);
    await revoke(api, id, developer.key);
    await revoke(api, id, developer.key);
    const told = (await notificationsOf(service, developer.id)).filter(({ kind }) => kind === 'key.revoked');
    expect(told).toEqual([{ kind: 'key.revoked', developerId: developer.id, keyId: id }]);
  });
});

describe('revokeApiKey with descendants', () => {
  const withDescendants = (id: string, bearer: string, descendants: boolean | null = true) =>
    service.client.call<Json>('graphql', 'revokeApiKey', { id, descendants }, bearer);

  it('revokes them too, with one mail for all (D103)', async () => {
    const developer = await service.aDeveloper();
    const parent = await service.anIssuedKey(developer);
    const child = await aKeyBy(service, parent.key, 'One');
    const grandchild = await aKeyBy(service, child.key, 'Two');
    expect(expectSuccess(await withDescendants(parent.id, grandchild.key))).toMatchObject({
      id: parent.id,
      status: 'REVOKED',
    });
    expect(await working(service, [child, grandchild])).toEqual([]);
    const told = (await notificationsOf(service, developer.id)).filter(({ kind }) => kind === 'key.revoked');
    expect(told).toEqual([
      {
        kind: 'key.revoked',
        developerId: developer.id,
        keyId: parent.id,
        revokedDescendants: {
          count: 2,
          first: [child, grandchild].map(({ name, maskedKey }) => ({ name, maskedKey })),
        },
      },
    ]);
  });

  it('of a revoked key revokes the descendants that are left, once (D10, D103)', async () => {
    const developer = await service.aDeveloper();
    const parent = await service.anIssuedKey(developer);
    const child = await aKeyBy(service, parent.key);
    const first = await revoke('graphql', parent.id, developer.token);
    const lines = await linesOf(service, async () => {
      for (let times = 0; times < 2; times += 1)
        expect((await withDescendants(parent.id, developer.token)).data).toEqual(first.data);
    });
    expect(lines).toMatchObject([
      { kind: 'key.revoked', data: { keyId: parent.id } },
      { kind: 'key.revoked', data: { keyId: child.id, ancestorKeyId: parent.id } },
    ]);
    expect(await working(service, [child])).toEqual([]);
  });

  it('happens only on request: null means no, and REST has no such option (D103)', async () => {
    const developer = await service.aDeveloper();
    const [one, two, three] = [
      await service.anIssuedKey(developer),
      await service.anIssuedKey(developer),
      await service.anIssuedKey(developer),
    ];
    const children = [
      await aKeyBy(service, one.key),
      await aKeyBy(service, two.key),
      await aKeyBy(service, three.key),
    ];
    expectSuccess(await withDescendants(one.id, developer.token, false));
    expectSuccess(await withDescendants(two.id, developer.token, null));
    const response = await service.client.request(
      'DELETE',
      `/api/dev/api-keys/${three.id}?descendants=true`,
      {
        bearer: developer.key,
        body: { descendants: true },
      },
    );
    expect(response.status).toBe(200);
    expect(Object.keys((await response.json()) as object)).not.toContain('createdByKeyId');
    expect(await working(service, children)).toHaveLength(3);
  });

  it("is NOT_FOUND for someone else's key, whose descendants still work (D7)", async () => {
    const [developer, other] = [await service.aDeveloper(), await service.aDeveloper()];
    const theirs = await service.anIssuedKey(other);
    const child = await aKeyBy(service, theirs.key);
    expectError(await withDescendants(theirs.id, developer.token), 'NOT_FOUND');
    expect(await working(service, [child])).toEqual([child.id]);
  });
});
