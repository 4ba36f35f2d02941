import { describe, expect, it } from '@jest/globals';
import { type AppJson, aListing, type Developer, type Json } from '../../support/actors.js';
import { type Api, apis } from '../../support/api-client.js';
import { duringTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { startService } from '../../support/service.js';

const service = duringTests(() =>
  startService({ QUOTA_APPS: '3', QUOTA_APPS_UNVERIFIED: '2', QUOTA_VERSIONS: '2' }),
);

const create = (api: Api, bearer: string, listing = {}) =>
  service.client.call<AppJson>(api, 'createApp', aListing(listing), bearer);

describe.each(apis)('the number of apps of a developer, over %s (D101)', (api) => {
  it('is bounded, whatever state they are in; the refusal names the bound and what to do', async () => {
    const ada = await service.aDeveloper();
    for (const status of ['APPROVED', 'PENDING', 'DRAFT'] as const) await service.anApp(ada, status);
    const refused = await create(api, ada.key);
    expectError(refused, 'QUOTA_EXCEEDED');
    expect(refused.message).toMatch(/at most 3 apps/);
    expect(refused.message).toMatch(/[Dd]elete a draft/);
  });

  it('has room again once a draft is deleted', async () => {
    const ada = await service.aDeveloper();
    const [{ id }] = [await service.anApp(ada), await service.anApp(ada), await service.anApp(ada)];
    expectError(await create(api, ada.key), 'QUOTA_EXCEEDED');
    await service.client.must('deleteApp', { id }, ada.token);
    expectSuccess(await create(api, ada.key), 201);
  });

  it('is counted per developer, not per key', async () => {
    const ada = await service.aDeveloper();
    for (let i = 0; i < 3; i += 1) await service.anApp(ada);
    expectError(await create(api, await service.aKey(ada)), 'QUOTA_EXCEEDED');
    expectSuccess(await create(api, (await service.aDeveloper()).key), 201);
  });

  it('is checked last: after the input (D7)', async () => {
    const ada = await service.aDeveloper();
    for (let i = 0; i < 3; i += 1) await service.anApp(ada);
    expectError(await create(api, ada.key, { name: '' }), 'VALIDATION_FAILED', ['name: too_short']);
  });
});

describe('the number of apps of an unverified developer (D101)', () => {
  it('is smaller until they are verified, and the refusal says so', async () => {
    const ada = await service.anUnverifiedDeveloper();
    for (let i = 0; i < 2; i += 1) await service.anApp(ada);
    const refused = await create('graphql', ada.token);
    expectError(refused, 'QUOTA_EXCEEDED');
    expect(refused.message).toMatch(/at most 2 apps/);
    expect(refused.message).toMatch(/verif/);
    await service.administer('verifyDeveloper', { id: ada.id });
    expectSuccess(await create('graphql', ada.token));
    expectError(await create('graphql', ada.token), 'QUOTA_EXCEEDED');
  });

  it('also applies to a developer who is no longer verified, and deletes nothing', async () => {
    const ada = await service.aDeveloper();
    for (let i = 0; i < 2; i += 1) await service.anApp(ada);
    await service.administer('unverifyDeveloper', { id: ada.id, reason: 'A second look.' });
    expectError(await create('graphql', ada.key), 'QUOTA_EXCEEDED');
    expect(await service.client.must('myApps', {}, ada.key)).toHaveLength(2);
  });
});

describe('a creation that is repeated with its Idempotency-Key (D35, D101)', () => {
  it('returns the first response, although the quota is used up meanwhile', async () => {
    const ada = await service.aDeveloper();
    const post = (key: string) =>
      service.client.request('POST', '/api/dev/apps', {
        bearer: ada.key,
        body: aListing(),
        headers: { 'idempotency-key': key },
      });
    const first = await (await post('one')).json();
    for (let i = 0; i < 2; i += 1) await service.anApp(ada);
    const again = await post('one');
    expect([again.status, await again.json()]).toEqual([201, first]);
    const other = await post('two');
    expect([other.status, ((await other.json()) as { error: Json }).error.code]).toEqual([
      409,
      'QUOTA_EXCEEDED',
    ]);
  });
});

describe('the number of versions of an app (D101)', () => {
  const begin = (ada: Developer, appId: string) =>
    service.client.call<Json>('graphql', 'createAppVersion', { appId, description: 'More.' }, ada.token);

  it('is bounded within 24 hours, those that were discarded included', async () => {
    const ada = await service.aDeveloper();
    const { app } = await service.aVersion(ada, 'DISCARDED');
    const data = expectSuccess(await begin(ada, app.id));
    await service.client.must('discardAppVersion', { id: data.id }, ada.token);
    const refused = await begin(ada, app.id);
    expectError(refused, 'QUOTA_EXCEEDED');
    expect(refused.message).toMatch(/at most 2 versions/);
    await service.sql(
      "update app_versions set created_at = created_at - interval '25 hours' where app_id = $1",
      [app.id],
    );
    expectSuccess(await begin(ada, app.id));
  });

  it('is checked after an open version (D7)', async () => {
    const ada = await service.aDeveloper();
    const { app } = await service.aVersion(ada, 'DISCARDED');
    expectSuccess(await begin(ada, app.id));
    expectError(await begin(ada, app.id), 'INVALID_TRANSITION');
  });
});
