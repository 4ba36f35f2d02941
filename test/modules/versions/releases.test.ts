import { describe, expect, it } from '@jest/globals';
import { aListing, type VersionJson } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const first = { versionNumber: '1.0.0', releaseNotes: '# One\n\nThe first release.' };
const second = { versionNumber: '2.0 “Ada”', releaseNotes: '- Faster\n- Smaller' };

describe('numbers and notes of releases (D381)', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const own = async (id: string) =>
    (
      await service.client.queryData<{ myApp: object }>(
        'query ($id: ID!) { myApp(id: $id) { versionNumber releaseNotes } }',
        { id },
        ada.token,
      )
    ).myApp;
  const shown = async (slug: string) =>
    (
      await service.client.queryData<{ app: object }>(
        'query ($slug: String!) { app(slug: $slug) { versionNumber releaseNotes } }',
        { slug },
        null,
      )
    ).app;
  const releaseOf = async (id: string) =>
    (
      await service.client.queryData<{ node: object }>(
        'query ($id: ID!) { node(id: $id) { ... on AppVersion { versionNumber releaseNotes changes { field before after } } } }',
        { id },
        ada.token,
      )
    ).node;

  it('are optional, written with the listing and shown to the public', async () => {
    const { id, slug } = await service.anApp(ada, 'APPROVED');
    expect(await own(id)).toEqual({ versionNumber: null, releaseNotes: null });
    expect(await shown(slug)).toEqual({ versionNumber: null, releaseNotes: null });
    const { id: draft } = await service.anApp(ada, 'DRAFT');
    await service.client.must('updateApp', { id: draft, ...first }, ada.token);
    expect(await own(draft)).toEqual(first);
    await service.client.must('updateApp', { id: draft, releaseNotes: null }, ada.token);
    expect(await own(draft)).toEqual({ ...first, releaseNotes: null });
  });

  it('stay as they are until a version with others is approved, which starts with those of the live listing', async () => {
    const { id, slug } = await service.anApp(ada, 'APPROVED');
    await service.administer('editApp', { id, ...first, reason: 'The developer asked for it.' });
    const version = await service.client.must<VersionJson>('createAppVersion', { appId: id }, ada.token);
    expect(await releaseOf(version.id)).toEqual({ ...first, changes: [] });
    await service.client.must('updateAppVersion', { id: version.id, ...second }, ada.token);
    expect(await releaseOf(version.id)).toEqual({
      ...second,
      changes: [
        { field: 'versionNumber', before: first.versionNumber, after: second.versionNumber },
        { field: 'releaseNotes', before: first.releaseNotes, after: second.releaseNotes },
      ],
    });
    await service.client.must('submitAppVersion', { id: version.id }, ada.token);
    expect(await shown(slug)).toEqual(first);
    await service.administer('approveAppVersion', { id: version.id, revision: 2 });
    expect(await shown(slug)).toEqual(second);
    expect(await own(id)).toEqual(second);
  });

  it('do not exist in REST, neither in its responses nor in its requests', async () => {
    const { id, slug } = await service.anApp(ada, 'APPROVED');
    for (const path of [`/api/apps/${slug}`, `/api/dev/apps/${id}`]) {
      const app = await (await service.client.request('GET', path, { bearer: ada.key })).json();
      expect(app).not.toHaveProperty('versionNumber');
      expect(app).not.toHaveProperty('releaseNotes');
    }
    const unknown = ['releaseNotes: unknown_field', 'versionNumber: unknown_field'];
    const created = await service.client.call('rest', 'createApp', { ...aListing(), ...first }, ada.key);
    expectError(created, 'VALIDATION_FAILED', unknown);
    const { id: draft } = await service.anApp(ada, 'DRAFT');
    const changed = await service.client.call('rest', 'updateApp', { id: draft, ...first }, ada.key);
    expectError(changed, 'VALIDATION_FAILED', unknown);
    expect(await own(draft)).toEqual({ versionNumber: null, releaseNotes: null });
  });
});
