import { describe, expect, it } from '@jest/globals';
import type { Developer, Json } from '../../support/actors.js';
import { type Api, apis } from '../../support/api-client.js';
import { duringTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { startService } from '../../support/service.js';

const service = duringTests(() => startService({ QUOTA_KEYS: '3' }));

type Key = Json & { status: string; expiresAt: string; revokedAt: string | null };
const create = (api: Api, bearer: string, scopes = ['APP_READ']) =>
  service.client.call<Key>(api, 'createApiKey', { name: 'One more', scopes }, bearer);
const rotate = (ada: Developer, id: string, graceHours: number) =>
  service.client.call<Key>('graphql', 'rotateApiKey', { id, graceHours }, ada.token);

describe.each(apis)('the number of live keys of a developer, over %s (D101)', (api) => {
  it('is bounded; the refusal names the bound and what to do', async () => {
    const ada = await service.aDeveloper();
    for (let i = 0; i < 2; i += 1) await service.aKey(ada);
    const refused = await create(api, ada.token);
    expectError(refused, 'QUOTA_EXCEEDED');
    expect(refused.message).toMatch(/at most 3 live API keys/);
    expect(refused.message).toMatch(/[Rr]evoke/);
  });

  it('does not count keys that are revoked or expired', async () => {
    const ada = await service.aDeveloper();
    for (let i = 0; i < 2; i += 1) {
      await service.aRevokedKey(ada);
      await service.anExpiredKey(ada);
    }
    for (let i = 0; i < 2; i += 1) expectSuccess(await create(api, ada.token), 201);
    expectError(await create(api, ada.token), 'QUOTA_EXCEEDED');
  });

  it('is checked last: after scopes that the creating key does not hold (D7, D9)', async () => {
    const ada = await service.aDeveloper();
    const narrow = await service.aKey(ada, ['APP_READ' as never]);
    await service.aKey(ada);
    expectError(await create(api, narrow, ['APP_DELETE']), 'INSUFFICIENT_SCOPE');
    expectError(await create(api, narrow), 'QUOTA_EXCEEDED');
  });
});

describe('a rotation when the quota of keys is used up (D101)', () => {
  const full = async () => {
    const ada = await service.aDeveloper();
    await service.aKey(ada);
    return { ada, id: (await service.anIssuedKey(ada)).id };
  };

  it('needs room for both keys while the old one goes on working', async () => {
    const { ada, id } = await full();
    const refused = await rotate(ada, id, 1);
    expectError(refused, 'QUOTA_EXCEEDED');
    expect(refused.message).toMatch(/graceHours: 0/);
  });

  it('needs none where the old one ends at once', async () => {
    const { ada, id } = await full();
    expectSuccess(await rotate(ada, id, 0));
    expectError(await create('graphql', ada.token), 'QUOTA_EXCEEDED');
  });

  it('is checked after the conditions of the rotation (D7)', async () => {
    const { ada, id } = await full();
    expectSuccess(await rotate(ada, id, 0));
    expectError(await rotate(ada, id, 1), 'INVALID_TRANSITION');
    expectError(await rotate(ada, crypto.randomUUID(), 1), 'NOT_FOUND');
  });
});

describe.each(apis)('the list of keys, over %s (D114)', (api) => {
  it('holds every live key and the hundred that ended last, newest first', async () => {
    const ada = await service.aDeveloper();
    const live = await service.anIssuedKey(ada);
    await service.sql(
      `insert into api_keys (id, developer_id, name, scopes, hash, masked_key, expires_at, revoked_at, created_at)
       select gen_random_uuid(), $1::uuid, 'Old ' || n, '{APP_READ}', sha256(('old' || n || $1::text)::bytea), 'mkt_…',
         now() + interval '1 day', now() - n * interval '1 minute', now() - interval '2 days' + n * interval '1 minute'
       from generate_series(1, 150) n`,
      [ada.id],
    );
    const { data } = await service.client.call<(Key & { name: string; createdAt: string })[]>(
      api,
      'myApiKeys',
      {},
      ada.key,
    );
    expect(data).toHaveLength(102);
    expect(data.filter(({ status }) => status === 'ACTIVE')).toHaveLength(2);
    expect(data.map(({ id }) => id)).toContain(live.id);
    // Old 1 ended last, Old 150 first.
    const ended = data.filter(({ status }) => status === 'REVOKED').map(({ name }) => name);
    expect(new Set(ended)).toEqual(new Set(Array.from({ length: 100 }, (_, i) => `Old ${i + 1}`)));
    const times = data.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
  });
});
