import { describe, expect, it } from '@jest/globals';
import type { VersionJson } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

describe('updateAppVersion over graphql', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const update = (id: string, input: Input, bearer = ada.key) =>
    service.client.call<VersionJson>('graphql', 'updateAppVersion', { id, ...input }, bearer);

  it.each(['DRAFT', 'PENDING', 'REJECTED'] as const)(
    'changes what is sent of a version that is %s, raises its revision, and leaves its status and the app unchanged (D19, D26)',
    async (status) => {
      const { app, version } = await service.aVersion(ada, status);
      expect(
        expectSuccess(
          await update(version.id, {
            description: 'Even better.',
            websiteUrl: 'https://b.example',
          }),
        ),
      ).toMatchObject({
        id: version.id,
        name: version.name,
        description: 'Even better.',
        websiteUrl: 'https://b.example',
        status,
        revision: 2,
        submittedAt: version.submittedAt,
      });
      expect(await service.client.must('myApp', { id: app.id }, ada.token)).toEqual(app);
    },
  );

  it('shows nothing of it to the public', async () => {
    const { app, version } = await service.aVersion(ada);
    const { data: live } = await service.client.call('rest', 'app', { slug: app.slug });
    await update(version.id, { name: 'Hidden' });
    expect((await service.client.call('rest', 'app', { slug: app.slug })).data).toEqual(live);
  });

  it('leaves revision and time when nothing changes (D19)', async () => {
    const { version } = await service.aVersion(ada);
    expect((await update(version.id, { description: version.description })).data).toEqual(version);
    expect((await update(version.id, {})).data).toEqual(version);
  });

  it('clears an optional field by null, and empties the screenshots of a draft (D20)', async () => {
    const { version } = await service.aVersion(ada, 'DRAFT', { websiteUrl: 'https://a.example' });
    expect((await update(version.id, { websiteUrl: null, screenshots: null })).data).toMatchObject({
      websiteUrl: null,
      screenshots: [],
    });
  });

  it('keeps what a submission requires while it is PENDING (D19)', async () => {
    const { version } = await service.aVersion(ada, 'PENDING');
    const one = [{ url: 'https://pictures.example/one.png' }];
    for (const screenshots of [null, [], one])
      expectError(await update(version.id, { screenshots }), 'VALIDATION_FAILED', ['screenshots: too_few']);
    expect((await update(version.id, {})).data.revision).toBe(1);
  });

  it('refuses with REVISION_CONFLICT unless it is at the revision that was read, after its state (D19)', async () => {
    const { version } = await service.aVersion(ada);
    expectError(await update(version.id, { revision: 2, name: 'A' }), 'REVISION_CONFLICT');
    expect((await update(version.id, { revision: 1, name: 'A' })).data.revision).toBe(2);
    expectError(await update(version.id, { revision: 1, name: 'B' }), 'REVISION_CONFLICT');
    const { version: late } = await service.aVersion(ada, 'APPROVED');
    expectError(await update(late.id, { revision: 9, name: 'A' }), 'INVALID_TRANSITION');
  });

  it('returns NOT_FOUND for the id of the app (D7)', async () => {
    const { app } = await service.aVersion(ada);
    expectError(await update(app.id, {}), 'NOT_FOUND');
  });
});
