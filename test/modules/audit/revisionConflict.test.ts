import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OperationName } from '../../../src/contract.js';
import { aRejection } from '../../support/actors.js';
import type { GraphQLBody, Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { sharedService } from '../../support/service.js';

describe('REVISION_CONFLICT', () => {
  let admin: string;
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());
  beforeAll(async () => {
    admin = await service.admin();
  });

  /** The extensions of the error, without those that every error has. */
  const conflictOf = async (name: OperationName, input: Input, bearer: string) => {
    const { text = '' } = await service.client.call('graphql', name, input, bearer);
    const { code, details, requestId, ...further } = (JSON.parse(text) as GraphQLBody).errors![0]!.extensions;
    expect({ code, details }).toEqual({ code: 'REVISION_CONFLICT', details: [] });
    expect(requestId).toEqual(expect.any(String));
    return further as Record<string, unknown>;
  };
  const update = (id: string, changes: Input) =>
    service.client.must('updateApp', { id, ...changes }, ada.token);

  it.each([
    ['approveApp', { revision: 1 }],
    ['rejectApp', aRejection(1)],
  ] as const)('of %s has the current revision, and what changed since (D161)', async (name, input) => {
    const { id, name: first } = await service.anApp(ada, 'PENDING');
    await update(id, { name: 'Second', websiteUrl: 'https://one.example' });
    await update(id, { name: 'Third', category: 'FINANCE' });
    await update(id, { category: 'PRODUCTIVITY' });
    expect(await conflictOf(name, { id, ...input }, admin)).toEqual({
      revision: 4,
      changes: [
        { field: 'name', before: first, after: 'Third' },
        { field: 'websiteUrl', before: null, after: 'https://one.example' },
      ],
    });
    expect(await conflictOf(name, { id, ...input, revision: 3 }, admin)).toEqual({
      revision: 4,
      changes: [{ field: 'category', before: 'FINANCE', after: 'PRODUCTIVITY' }],
    });
  });

  it('of updateApp has them too, with long texts shortened (D161)', async () => {
    const { id, revision } = await service.anApp(ada);
    await update(id, { longDescription: 'x'.repeat(5_000) });
    const conflict = await conflictOf('updateApp', { id, name: 'Mine', revision }, ada.token);
    expect(conflict).toEqual({
      revision: 2,
      changes: [{ field: 'longDescription', before: null, after: `${'x'.repeat(600)}… (5000 characters)` }],
    });
  });

  it.each([
    ['approveAppVersion', 'admin', { revision: 1 }],
    ['rejectAppVersion', 'admin', aRejection(1)],
    ['updateAppVersion', 'developer', { revision: 1, name: 'Third' }],
  ] as const)('of %s has those of the version (D161)', async (name, by, input) => {
    const { version } = await service.aVersion(ada, 'PENDING', { name: 'First' });
    const { id } = version;
    await service.client.must('updateAppVersion', { id, name: 'Second' }, ada.token);
    expect(await conflictOf(name, { id, ...input }, by === 'admin' ? admin : ada.token)).toEqual({
      revision: 2,
      changes: [{ field: 'name', before: 'First', after: 'Second' }],
    });
  });

  it('of a version whose app was edited has the edit (D105, D161)', async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING');
    const edit = { id: app.id, category: 'FINANCE', reason: 'It fits better.' };
    await service.administer('editApp', edit);
    expect(await conflictOf('approveAppVersion', { id: version.id, revision: 1 }, admin)).toEqual({
      revision: 1,
      changes: [{ field: 'category', before: 'PRODUCTIVITY', after: 'FINANCE' }],
    });
  });

  it.each([
    ['never existed', 7],
    ['is more than 100 edits old', 1],
  ])('says that the changes are not known if the revision %s (D161)', async (_, seen) => {
    const { id } = await service.anApp(ada, 'PENDING');
    if (seen === 1) await service.sql('update apps set revision = 102 where id = $1', [id]);
    const { changes } = await conflictOf('approveApp', { id, revision: seen }, admin);
    expect(changes).toBeNull();
  });

  it('says so too if the audit log does not have every edit (D161)', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    await service.sql('update apps set revision = 2 where id = $1', [id]);
    await update(id, { name: 'Other' });
    expect(await conflictOf('approveApp', { id, revision: 1 }, admin)).toEqual({
      revision: 3,
      changes: null,
    });
  });

  it('names a field whose old value was not stored (D116, D161)', async () => {
    const { id } = await service.anApp(ada);
    await service.sql(
      `insert into audit_events (id, created_at, kind, actor_kind, developer_id, app_id, before, after, data, request_id)
       select gen_random_uuid(), now(), 'app.updated', 'developer', developer_id, id, '{"revision": 1}',
         '{"revision": 2}', '{"fields": ["description"]}', 'request' from apps where id = $1`,
      [id],
    );
    await service.sql("update apps set revision = 2, description = 'New.' where id = $1", [id]);
    expect(await conflictOf('updateApp', { id, name: 'Mine', revision: 1 }, ada.token)).toEqual({
      revision: 2,
      changes: [{ field: 'description', before: null, after: 'New.' }],
    });
  });

  it('of deleteApp has the revision only, because a key may delete without being allowed to read (D161)', async () => {
    const { id } = await service.anApp(ada);
    await update(id, { name: 'Other' });
    expect(await conflictOf('deleteApp', { id, revision: 1 }, ada.token)).toEqual({
      revision: 2,
      changes: null,
    });
  });

  it('has the same body as every other error over REST (D6, D161)', async () => {
    const { id } = await service.anApp(ada);
    await update(id, { name: 'Other' });
    const input = { id, name: 'Mine', revision: 1 };
    const { text = '' } = await service.client.call('rest', 'updateApp', input, ada.key);
    expect(JSON.parse(text)).toEqual({
      error: {
        code: 'REVISION_CONFLICT',
        message: expect.any(String),
        details: [],
        requestId: expect.any(String),
      },
    });
  });
});
