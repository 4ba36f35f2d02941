import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AppJson, ConnectionJson, VersionJson } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { linesOf } from '../../support/audit.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

type Conflict = { field: string; base: string | null; live: string | null; proposed: string | null };
type Version = VersionJson & { conflicts: Conflict[]; baseRevision: number | null };

const reason = 'Support asked for it.';

describe('rebaseAppVersion over graphql', () => {
  let admin: string;
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());
  beforeAll(async () => {
    admin = await service.admin();
  });

  const rebase = (id: string, bearer = ada.token) =>
    service.client.call<Version>('graphql', 'rebaseAppVersion', { id }, bearer);
  const edit = (id: string, input: Input) => service.administer<AppJson>('editApp', { id, reason, ...input });
  const approve = (id: string, revision: number) =>
    service.callAsAdmin('approveAppVersion', { id, revision });
  const publicly = async (slug: string) => (await service.client.call('rest', 'app', { slug })).data;
  const read = async (appId: string, bearer = ada.token): Promise<Version> => {
    const { myApp } = await service.client.queryData<{ myApp: { openVersion: Version } }>(
      'query ($id: ID!) { myApp(id: $id) { openVersion { id revision baseRevision conflicts { field base live proposed } } } }',
      { id: appId },
      bearer,
    );
    return myApp.openVersion;
  };

  it('is required before an approval that would undo an administrator’s edit (D105)', async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING', { name: 'Two' });
    await edit(app.id, { websiteUrl: 'https://mended.example' });
    const refused = await approve(version.id, 1);
    expectError(refused, 'REVISION_CONFLICT');
    expect(refused.message).toContain('rebaseAppVersion');
    expect(await publicly(app.slug)).toMatchObject({ name: app.name, websiteUrl: 'https://mended.example' });
    expectSuccess(await rebase(version.id));
    expectError(await approve(version.id, 1), 'REVISION_CONFLICT');
    expectSuccess(await approve(version.id, 2));
    expect(await publicly(app.slug)).toMatchObject({ name: 'Two', websiteUrl: 'https://mended.example' });
  });

  it.each(['its developer', 'its developer’s key', 'an administrator'])(
    'merges what only the app has changed, by %s: every kind of field',
    async (who) => {
      const bearer = who === 'an administrator' ? admin : who === 'its developer' ? ada.token : ada.key;
      const { app, version } = await service.aVersion(ada, 'DRAFT', { description: 'Ours.', logoUrl: null });
      const changes = {
        name: 'Edited',
        longDescription: 'Longer.',
        category: 'FINANCE',
        bannerUrl: 'https://edited.example/banner.png',
        websiteUrl: 'https://edited.example',
        oauthClientId: 'edited',
        screenshots: [
          { url: 'https://edited.example/a.png', caption: 'A', order: 0 },
          { url: 'https://edited.example/b.png', caption: null, order: 1 },
        ],
      };
      await edit(app.id, changes);
      const data = expectSuccess(await rebase(version.id, bearer));
      expect(data).toMatchObject({
        ...changes,
        description: 'Ours.',
        revision: 2,
        baseRevision: 2,
        conflicts: [],
      });
      expect(data.changes).toEqual([{ field: 'description', before: app.description, after: 'Ours.' }]);
    },
  );

  it('keeps the version’s value where both have changed it, and shows the conflict to both sides (D105)', async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING', { name: 'Two', description: 'Ours.' });
    await edit(app.id, { description: 'Theirs.', category: 'FINANCE' });
    const conflict = {
      field: 'description',
      base: app.description,
      live: 'Theirs.',
      proposed: 'Ours.',
    };
    // Before the rebase it shows what a rebase would find.
    expect((await read(app.id)).conflicts).toEqual([conflict]);
    const { data } = await rebase(version.id, admin);
    expect(data).toMatchObject({ description: 'Ours.', category: 'FINANCE', conflicts: [conflict] });
    expect((await read(app.id)).conflicts).toEqual([conflict]);
    const queue = await service.client.queryData<{
      reviewQueue: ConnectionJson<{ version: Version | null }>;
    }>(
      '{ reviewQueue(first: 100) { edges { node { version { id conflicts { field base live proposed } } } } } }',
      {},
      admin,
    );
    const node = queue.reviewQueue.edges.find((edge) => edge.node.version?.id === version.id);
    expect(node?.node.version?.conflicts).toEqual([conflict]);
    expectSuccess(await approve(version.id, 2));
    expect(await publicly(app.slug)).toMatchObject({
      name: 'Two',
      description: 'Ours.',
      category: 'FINANCE',
    });
  });

  it('shows no conflict where both changed a field equally, or the developer takes the other value', async () => {
    const { app, version } = await service.aVersion(ada, 'DRAFT', { name: 'Same', description: 'Ours.' });
    await edit(app.id, { name: 'Same', description: 'Theirs.' });
    expect((await rebase(version.id)).data.conflicts.map(({ field }) => field)).toEqual(['description']);
    await service.client.must('updateAppVersion', { id: version.id, description: 'Third.' }, ada.token);
    expect((await read(app.id)).conflicts).toMatchObject([{ field: 'description', proposed: 'Third.' }]);
    await service.client.must('updateAppVersion', { id: version.id, description: 'Theirs.' }, ada.token);
    expect((await read(app.id)).conflicts).toEqual([]);
  });

  it('follows edit after edit, and keeps the conflicts of earlier rebases', async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING', { name: 'Ours', description: 'Ours.' });
    await edit(app.id, { name: 'First' });
    await rebase(version.id);
    await edit(app.id, { description: 'Second.' });
    expectError(await approve(version.id, 2), 'REVISION_CONFLICT');
    const { data } = await rebase(version.id);
    expect(data.conflicts.map(({ field }) => field)).toEqual(['name', 'description']);
    expect(data).toMatchObject({ revision: 3, baseRevision: 3 });
    await edit(app.id, { name: 'Third' });
    const [name] = (await rebase(version.id)).data.conflicts;
    expect(name).toEqual({ field: 'name', base: 'First', live: 'Third', proposed: 'Ours' });
  });

  it('raises the revision even where nothing is merged, so that nobody approves an unseen version', async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING', { description: 'Ours.' });
    await edit(app.id, { description: 'Theirs.' });
    expect((await rebase(version.id)).data).toMatchObject({ revision: 2, baseRevision: 2 });
    expectError(await approve(version.id, 1), 'REVISION_CONFLICT');
  });

  it('does nothing where the app has not changed: the same record, and no line in the log', async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING');
    await service.administer('featureApp', { id: app.id, featured: true });
    const before = await read(app.id);
    const lines = await linesOf(service, async () => expectSuccess(await rebase(version.id)));
    expect(lines).toEqual([]);
    expect(await read(app.id)).toEqual(before);
    expectSuccess(await approve(version.id, 1));
  });

  it('is in the timeline, the feed and the audit log: who, which fields, and which conflicts (D38)', async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING', { name: 'Ours' });
    await edit(app.id, { name: 'Theirs', category: 'FINANCE' });
    const lines = await linesOf(service, () => rebase(version.id, admin));
    expect(lines).toMatchObject([
      {
        kind: 'version.rebased',
        actor_kind: 'administrator',
        before: { category: 'PRODUCTIVITY', revision: 1 },
        after: { category: 'FINANCE', revision: 2 },
        data: { versionId: version.id, conflicts: ['name'] },
      },
    ]);
    const { myApp } = await service.client.queryData<{ myApp: { timeline: ConnectionJson } }>(
      'query ($id: ID!) { myApp(id: $id) { timeline(first: 100) { edges { node { kind by changes { field } } } } } }',
      { id: app.id },
      ada.token,
    );
    expect(myApp.timeline.edges.at(-1)?.node).toEqual({
      kind: 'version.rebased',
      by: 'ADMINISTRATOR',
      changes: [{ field: 'category' }, { field: 'revision' }],
    });
  });

  it('does not cost the version its place in the queue, and a version on an app that was taken down can be rebased', async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING');
    const placeOf = async () => {
      const [row] = await service.sql<{ queued_at: Date }>(
        'select queued_at from submissions where version_id = $1 and ended_at is null',
        [version.id],
      );
      return row?.queued_at;
    };
    const before = await placeOf();
    await service.administer('suspendApp', { id: app.id, reason });
    await edit(app.id, { name: 'Milder' });
    expectSuccess(await rebase(version.id));
    expect(await placeOf()).toEqual(before);
  });

  it('lets a new version begin from the edited listing: nothing to rebase', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    await edit(app.id, { name: 'Edited' });
    const { id, baseRevision } = await service.client.must<Version>(
      'createAppVersion',
      { appId: app.id, description: 'New.' },
      ada.token,
    );
    expect(baseRevision).toBe(2);
    await service.client.must('submitAppVersion', { id }, ada.token);
    expectSuccess(await approve(id, 1));
    expect(await publicly(app.slug)).toMatchObject({ name: 'Edited', description: 'New.' });
  });

  it('can be rejected without a rebase', async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING');
    await edit(app.id, { name: 'Edited' });
    const rejection = { revision: 1, reasons: [{ code: 'POLICY' }], guidance: 'Begin anew.' };
    expectSuccess(await service.callAsAdmin('rejectAppVersion', { id: version.id, ...rejection }));
  });

  it('is refused for a reviewer while another holds the claim, but not for the developer', async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING');
    await edit(app.id, { name: 'Edited' });
    await service.client.must('claimReview', { id: version.id }, (await service.anAdministrator()).token);
    expectError(await rebase(version.id, admin), 'REVIEW_CLAIMED');
    expectSuccess(await rebase(version.id));
  });

  it('an administrator rebases their own version as its developer, and not while suspended', async () => {
    const grace = await service.aDeveloper();
    const both = await service.asAdministrator(grace);
    const { app, version } = await service.aVersion(grace, 'PENDING');
    await edit(app.id, { name: 'Edited' });
    const [line] = await linesOf(service, async () => expectSuccess(await rebase(version.id, both)));
    expect(line?.actor_kind).toBe('developer');
    await service.administer('suspendDeveloper', { id: grace.id, reason });
    expectError(await rebase(version.id, both), 'DEVELOPER_SUSPENDED');
  });

  it.each([true, false])(
    'refuses to approve a version without a known base until it is rebased: %s',
    async (wasEdited) => {
      const { app, version } = await service.aVersion(ada, 'PENDING', { name: 'Ours' });
      await service.sql('update app_versions set base = null, base_revision = null where id = $1', [
        version.id,
      ]);
      if (wasEdited) await edit(app.id, { category: 'FINANCE' });
      expectError(await approve(version.id, 1), 'REVISION_CONFLICT');
      const { data } = await rebase(version.id);
      // Nobody recorded who changed what, so every difference is shown.
      expect(data.conflicts.map(({ field }) => field)).toEqual(wasEdited ? ['name', 'category'] : ['name']);
      expect(data.name).toBe('Ours');
      expectSuccess(await approve(version.id, 2));
    },
  );
});
