import { describe, expect, it } from '@jest/globals';
import type { VersionJson } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { anId, aTime } from '../../support/matchers.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

describe('createAppVersion over graphql', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const create = (appId: string, input: Input = {}, bearer = ada.key) =>
    service.client.call<VersionJson>('graphql', 'createAppVersion', { appId, ...input }, bearer);

  it('starts a draft from the live listing, with the changes that are sent (D26)', async () => {
    const app = await service.anApp(ada, 'APPROVED', { logoUrl: 'https://pictures.example/logo.png' });
    const data = expectSuccess(
      await create(app.id, { name: ' Two ', logoUrl: null, websiteUrl: 'https://two.example' }),
    );
    const { name, description, longDescription, category, bannerUrl, oauthClientId, screenshots } = app;
    expect(data).toMatchObject({
      id: anId,
      ...{ description, longDescription, category, bannerUrl, oauthClientId, screenshots },
      name: 'Two',
      logoUrl: null,
      websiteUrl: 'https://two.example',
      status: 'DRAFT',
      revision: 1,
      submittedAt: null,
      decidedAt: null,
      rejection: null,
      review: null,
      createdAt: aTime,
      updatedAt: aTime,
    });
    expect(data.changes).toEqual([
      { field: 'name', before: name, after: 'Two' },
      { field: 'logoUrl', before: 'https://pictures.example/logo.png', after: null },
      { field: 'websiteUrl', before: null, after: 'https://two.example' },
    ]);
  });

  it('changes nothing of the app, neither for its owner nor for the public (D26)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    const { data: live } = await service.client.call('rest', 'app', { slug: app.slug });
    await create(app.id, { name: 'Other', description: 'Other.', category: 'FINANCE', screenshots: [] });
    expect((await service.client.call('rest', 'app', { slug: app.slug })).data).toEqual(live);
    expect(await service.client.must('myApp', { id: app.id }, ada.token)).toEqual(app);
  });

  it('shows as the app’s open version, until it is decided or discarded', async () => {
    const { id: appId } = await service.anApp(ada, 'APPROVED');
    const openVersion = async () => {
      const query = 'query ($id: ID!) { myApp(id: $id) { openVersion { id } } }';
      type Answer = { myApp: { openVersion: { id: string } | null } };
      return (await service.client.queryData<Answer>(query, { id: appId }, ada.token)).myApp.openVersion;
    };
    expect(await openVersion()).toBeNull();
    const { data } = await create(appId);
    expect(await openVersion()).toEqual({ id: data.id });
    await service.client.must('discardAppVersion', { id: data.id }, ada.token);
    expect(await openVersion()).toBeNull();
  });

  it.each(['DRAFT', 'PENDING', 'REJECTED'] as const)(
    'refuses a second version while one is %s (D26)',
    async (status) => {
      const { app } = await service.aVersion(ada, status);
      expectError(await create(app.id), 'INVALID_TRANSITION');
    },
  );

  it.each(['APPROVED', 'DISCARDED'] as const)(
    'starts the next version when the last is %s',
    async (status) => {
      const { app } = await service.aVersion(ada, status);
      expectSuccess(await create(app.id));
    },
  );
});
