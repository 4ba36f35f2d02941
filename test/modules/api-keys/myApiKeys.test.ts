import { describe, expect, it } from '@jest/globals';
import { Scope } from '../../../src/auth/scope.js';
import type { Json } from '../../support/actors.js';
import { allowedActions, expectForetold, type Foretold, setStatus } from '../../support/allowed-actions.js';
import { type Api, apis } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { aKeyBy, rotatedBy } from './family.js';

const service = beforeTests(sharedService);

const list = (api: Api, bearer: string | null) => service.client.call<Json[]>(api, 'myApiKeys', {}, bearer);

describe.each(apis)('myApiKeys over %s', (api) => {
  it("lists the caller's keys, newest first, masked, with exactly the record's fields (D1, D11)", async () => {
    const developer = await service.aDeveloper();
    const { key, ...second } = await service.anIssuedKey(developer);
    await service.aDeveloper();
    const data = expectSuccess(await list(api, developer.key));
    expect(data).toHaveLength(2);
    expect(data[0]).toEqual(second);
    expect(Object.keys(data[1]!).sort()).toEqual(
      [
        'id',
        'name',
        'scopes',
        'maskedKey',
        'status',
        'expiresAt',
        'lastUsedAt',
        'revokedAt',
        'createdAt',
      ].sort(),
    );
    const everything = JSON.stringify(data);
    expect(everything).not.toContain(key.slice(8, -4));
    expect(everything).not.toContain(developer.key.slice(8, -4));
  });

  it('shows which keys are active, expired and revoked (D11)', async () => {
    const developer = await service.aDeveloper();
    await service.anExpiredKey(developer);
    await service.aRevokedKey(developer);
    const { data } = await list(api, developer.key);
    expect(data.map(({ status }) => status)).toEqual(['REVOKED', 'EXPIRED', 'ACTIVE']);
    expect(data.map(({ revokedAt }) => revokedAt)).toEqual([expect.any(String), null, null]);
  });

  it('shows a key that was revoked and has expired since as revoked (D11)', async () => {
    const developer = await service.aDeveloper();
    await service.aRevokedKey(developer);
    await service.sql(
      "update api_keys set expires_at = now() - interval '1 day' where revoked_at is not null",
    );
    expect((await list(api, developer.key)).data[0]).toMatchObject({ status: 'REVOKED' });
  });

  it('shows when a key was last used (D11)', async () => {
    const developer = await service.aDeveloper();
    const begun = Date.now();
    const used = async () => (await list(api, developer.key)).data[0]!.lastUsedAt;
    await until(async () => Boolean(await used()), 'the use was not recorded');
    expect(Math.abs(Date.parse(String(await used())) - begun)).toBeLessThan(60_000);
  });
});

describe('myApiKeys over GraphQL only', () => {
  it('shows in GraphQL which key created or rotated each key; null where a person did (D103)', async () => {
    const developer = await service.aDeveloper();
    const first = await service.anIssuedKey(developer);
    const child = await aKeyBy(service, first.key);
    const byKey = await rotatedBy(service, child.id, first.key);
    const byPerson = await rotatedBy(service, byKey.id, developer.token);
    const { myApiKeys } = await service.client.queryData<{
      myApiKeys: { id: string; createdByKeyId: string | null }[];
    }>('{ myApiKeys { id createdByKeyId } }', {}, developer.token);
    expect(myApiKeys.slice(0, 4)).toEqual([
      { id: byPerson.id, createdByKeyId: null },
      { id: byKey.id, createdByKeyId: first.id },
      { id: child.id, createdByKeyId: first.id },
      { id: first.id, createdByKeyId: null },
    ]);
  });

  it('shows in GraphQL the allowed actions of each key, as the call would respond: any key revokes any (D10)', async () => {
    const developer = await service.aDeveloper();
    await service.aRevokedKey(developer);
    const one = await service.aKey(developer, [Scope.ANALYTICS_READ]);
    await setStatus(service, developer, 'UNVERIFIED');
    for (const bearer of [developer.token, one]) {
      const { myApiKeys } = await service.client.queryData<{
        myApiKeys: { id: string; allowedActions: Foretold[] }[];
      }>(`{ myApiKeys { id ${allowedActions} } }`, {}, bearer);
      expect(myApiKeys).toHaveLength(3);
      for (const { id, allowedActions: foretold } of myApiKeys.slice(1)) {
        expect(foretold.map(({ action }) => action)).toEqual(['revokeApiKey', 'rotateApiKey']);
        await expectForetold(service, foretold, { bearer, subject: id, another: async () => id });
      }
    }
  });

  it('shows no allowed action to a key that has just revoked itself', async () => {
    const { id, key } = await service.anIssuedKey(await service.aDeveloper());
    const query = `mutation ($id: ID!) { revokeApiKey(id: $id) { status ${allowedActions} } }`;
    const { revokeApiKey } = await service.client.queryData<{
      revokeApiKey: { status: string; allowedActions: Foretold[] };
    }>(query, { id }, key);
    expect(revokeApiKey.status).toBe('REVOKED');
    expect(revokeApiKey.allowedActions.map(({ code }) => code)).toEqual([
      'API_KEY_REVOKED',
      'API_KEY_REVOKED',
    ]);
    await expectForetold(service, revokeApiKey.allowedActions, {
      bearer: key,
      subject: id,
      another: async () => id,
    });
  });
});

describe('Developer.apiKeys', () => {
  const read = (id: string, bearer: string) =>
    service.client.queryData(
      `query ($id: ID!) { node(id: $id) { ... on Developer {
        apiKeys(first: 2) { edges { node { id status } } totalCount } } } }`,
      { id },
      bearer,
    );

  it('lists all keys of the caller, revoked ones included, newest first (D151)', async () => {
    const developer = await service.aDeveloper();
    const second = await service.anIssuedKey(developer);
    const third = await service.anIssuedKey(developer);
    await service.client.must('revokeApiKey', { id: second.id }, developer.token);
    const edges = [
      { node: { id: third.id, status: 'ACTIVE' } },
      { node: { id: second.id, status: 'REVOKED' } },
    ];
    expect(await read(developer.id, developer.token)).toEqual({
      node: { apiKeys: { edges, totalCount: 3 } },
    });
  });

  it('is null for administrators: keys are the business of their developer (D151)', async () => {
    const { id, key } = await service.aDeveloper();
    expect(await read(id, await service.admin())).toEqual({ node: { apiKeys: null } });
    expect(await read(id, key)).toMatchObject({ node: { apiKeys: { totalCount: 1 } } });
  });
});
