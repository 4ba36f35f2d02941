import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrateDatabase } from '../../../src/process/migrate.js';
import type { Developer } from '../../support/actors.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { type Service, startService } from '../../support/service.js';

const reason = 'Support asked for it.';

/** A database of the first release is migrated in place: what was open then goes on as if it had been recorded. */
describe('versions and submissions from before the base was recorded (D105, D107)', () => {
  let service: Service;
  let ada: Developer;
  let admin: string;
  beforeAll(async () => {
    service = await startService();
    ada = await service.aDeveloper();
    admin = await service.admin();
  });
  afterAll(() => service.close());

  const migrateFromFirstRelease = async () => {
    await service.sql('drop view queued_submissions');
    await service.sql(
      'alter table app_versions drop column base, drop column base_revision, drop column conflict_bases',
    );
    await service.sql("update submissions set revision = null where outcome = 'WITHDRAWN'");
    await service.sql("delete from schema_migrations where name = '0017-version-bases'");
    await migrateDatabase(service.databaseUrl);
  };
  const approve = (id: string, revision: number) =>
    service.client.call('graphql', 'approveAppVersion', { id, revision }, admin);
  const edit = (id: string, input: object) => service.client.must('editApp', { id, reason, ...input }, admin);

  it('get it from the audit log', async () => {
    const closed = await service.aVersion(ada, 'DISCARDED');
    const untouched = await service.aVersion(ada, 'PENDING', { name: 'Untouched' });
    const begunLater = await service.anApp(ada, 'APPROVED');
    await edit(begunLater.id, { name: 'Edited first' });
    const { id: later } = await service.client.must<{ id: string }>(
      'createAppVersion',
      { appId: begunLater.id, description: 'New.' },
      ada.token,
    );
    const { app, version } = await service.aVersion(ada, 'PENDING', { name: 'Ours', logoUrl: null });
    await edit(app.id, { name: 'Once', websiteUrl: 'https://once.example' });
    await edit(app.id, { name: 'Twice', screenshots: app.screenshots, category: 'FINANCE' });
    const before = await service.sql('select id, base, base_revision from app_versions order by id');
    await migrateFromFirstRelease();
    const after = await service.sql('select id, base, base_revision from app_versions order by id');
    // Closed versions need no base.
    const isClosed = ({ id }: Record<string, unknown>) => id === closed.version.id;
    // The migration knows the fields of its time.
    expect(before.filter((row) => !isClosed(row))).toMatchObject(after.filter((row) => !isClosed(row)));
    expect(after.find(isClosed)).toMatchObject({ base: null, base_revision: null });

    expectSuccess(await approve(untouched.version.id, 1));
    await service.client.must('submitAppVersion', { id: later }, ada.token);
    expectSuccess(await approve(later, 1));
    expectError(await approve(version.id, 1), 'REVISION_CONFLICT');
    const rebased = await service.client.must<{ conflicts: unknown[] }>(
      'rebaseAppVersion',
      { id: version.id },
      ada.token,
    );
    expect(rebased).toMatchObject({
      name: 'Ours',
      websiteUrl: 'https://once.example',
      category: 'FINANCE',
      conflicts: [{ field: 'name', base: app.name, live: 'Twice', proposed: 'Ours' }],
    });
    expectSuccess(await approve(version.id, 2));
  });

  it('keep the place of what was withdrawn and not edited since (D57)', async () => {
    const apps = [await service.anApp(ada, 'PENDING'), await service.anApp(ada, 'PENDING')];
    const { version } = await service.aVersion(ada, 'PENDING');
    for (const { id } of apps) await service.client.must('withdrawApp', { id }, ada.token);
    await service.client.must('withdrawAppVersion', { id: version.id }, ada.token);
    await service.client.must('updateApp', { id: apps[1]!.id, name: 'Another app' }, ada.token);
    await migrateFromFirstRelease();
    for (const { id } of apps) await service.client.must('submitApp', { id }, ada.token);
    await service.client.must('submitAppVersion', { id: version.id }, ada.token);
    const rows = await service.sql<{ kept: boolean }>(
      `select queued_at < created_at as kept from submissions where ended_at is null
       order by array_position($1::uuid[], coalesce(version_id, app_id))`,
      [[...apps.map(({ id }) => id), version.id]],
    );
    expect(rows.map(({ kept }) => kept)).toEqual([true, false, true]);
  });
});
