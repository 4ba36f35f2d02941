import { describe, expect, it } from '@jest/globals';
import type { AppJson, VersionJson } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { aTime } from '../../support/matchers.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

describe('approveAppVersion over graphql', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const approve = async (id: string, revision = 1) =>
    service.callAsAdmin<VersionJson>('approveAppVersion', { id, revision });
  const publicly = async (slug: string) => (await service.client.call('rest', 'app', { slug })).data;
  const read = (id: string) => service.client.must<AppJson>('myApp', { id }, ada.token);

  it('makes the version the live listing at once, and nothing before (D26)', async () => {
    const changes = {
      name: 'Version two',
      description: 'All new.',
      longDescription: '# New',
      category: 'FINANCE',
      logoUrl: 'https://pictures.example/new.png',
      websiteUrl: 'https://new.example',
      screenshots: [
        { url: 'https://pictures.example/a.png', caption: 'A', order: 0 },
        { url: 'https://pictures.example/b.png', caption: null, order: 1 },
      ],
    };
    const { app, version } = await service.aVersion(ada, 'PENDING', changes);
    const before = await publicly(app.slug);
    expect(before).toMatchObject({ name: app.name, description: app.description });
    const data = expectSuccess(await approve(version.id));
    expect(data).toMatchObject({ ...changes, status: 'APPROVED', decidedAt: aTime, rejection: null });
    expect(data.changes).toEqual([]);
    expect(await publicly(app.slug)).toEqual({ ...before, ...changes, updatedAt: aTime });
  });

  it('raises the app’s revision, and keeps slug, figures, state and times (D19, D21, D26)', async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING', { name: 'Another name' });
    await service.client.must('recordInstall', { slug: app.slug });
    await service.administer('featureApp', { id: app.id, featured: true });
    await approve(version.id);
    expect(await read(app.id)).toEqual({
      ...app,
      name: 'Another name',
      featured: true,
      installCount: 1,
      revision: 2,
      updatedAt: aTime,
    });
  });

  it('takes a note to the developer, who gets it by mail and in the timeline', async () => {
    const developer = await service.aDeveloper();
    const { app, version } = await service.aVersion(developer, 'PENDING');
    const input = { id: version.id, revision: 1, note: 'Clearer than before.' };
    await service.administer('approveAppVersion', input);
    expect(await notificationsOf(service, developer.id)).toContainEqual(
      expect.objectContaining({ kind: 'version.approved', note: input.note }),
    );
    const { myApp } = await service.client.queryData<{ myApp: { timeline: { edges: unknown[] } } }>(
      'query ($id: ID!) { myApp(id: $id) { timeline(last: 1) { edges { node { kind message } } } } }',
      { id: app.id },
      developer.token,
    );
    expect(myApp.timeline.edges).toEqual([{ node: { kind: 'version.approved', message: input.note } }]);
  });

  it('approves only the revision that the reviewer saw: REVISION_CONFLICT (D19)', async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING');
    await service.client.must('updateAppVersion', { id: version.id, name: 'Swapped' }, ada.token);
    for (const revision of [1, 3]) expectError(await approve(version.id, revision), 'REVISION_CONFLICT');
    expect(await read(app.id)).toEqual(app);
    expectSuccess(await approve(version.id, 2));
    expect(await publicly(app.slug)).toMatchObject({ name: 'Swapped' });
    // The state comes before the revision.
    expectError(await approve(version.id, 9), 'INVALID_TRANSITION');
  });

  it('clears the reasons of an earlier rejection (D19)', async () => {
    const { version } = await service.aVersion(ada, 'REJECTED');
    await service.client.must('submitAppVersion', { id: version.id }, ada.token);
    expect((await approve(version.id)).data).toMatchObject({ status: 'APPROVED', rejection: null });
  });

  it('refuses while the app is suspended, and works once it is restored (D61)', async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING');
    await service.administer('suspendApp', { id: app.id, reason: 'It misbehaves.' });
    expectError(await approve(version.id), 'APP_SUSPENDED');
    await service.administer('restoreApp', { id: app.id });
    expect(await publicly(app.slug)).toMatchObject({ description: app.description });
    expectSuccess(await approve(version.id));
  });
});
