import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Developer } from '../support/actors.js';
import { duringTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';
import { type Fault, FaultyLine, faults } from './faulty-line.js';
import { aListingFile, appsOf, Workspace, workspaceOf } from './tool.js';

describe('a pipeline with a bad connection', () => {
  let ada: Developer;
  let folder: Workspace;
  const service = duringTests(() => startService({ ASSET_CHECKS: 'off' }));
  const line = duringTests(() => FaultyLine.to(service.url));
  beforeEach(async () => {
    ada = await service.aDeveloper();
    folder = new Workspace(line.url, { MARKETPLACE_KEY: ada.key });
    line.writes.length = 0;
  });

  const versionsOf = (id: string) =>
    service.client.queryData<{
      myApp: { versions: { totalCount: number }; submissions: { totalCount: number } };
    }>(
      'query ($id: ID!) { myApp(id: $id) { versions { totalCount } submissions { totalCount } } }',
      { id },
      ada.key,
    );

  it.each(faults)(
    'creates, changes and submits an app once, if each write has the fault "%s" (D403)',
    async (fault: Fault) => {
      folder.write(aListingFile());
      line.planned.push(fault);
      expect(await folder.json('push')).toMatchObject({ action: 'CREATED' });
      expect(await appsOf(service, ada)).toHaveLength(1);
      folder.write({ ...folder.listing, description: 'Other words.' });
      line.planned.push(fault, fault);
      expect(await folder.json('push')).toMatchObject({ action: 'UPDATED', revision: 2 });
      line.planned.push(fault, fault);
      expect(await folder.json('submit')).toMatchObject({ status: 'PENDING' });
      line.planned.push(fault);
      expect(await folder.json('withdraw')).toMatchObject({ status: 'DRAFT' });
      const [app, ...others] = await appsOf(service, ada);
      expect(others).toEqual([]);
      expect(app).toMatchObject({ status: 'DRAFT', revision: 2, description: 'Other words.' });
      expect(await versionsOf(app!.id)).toMatchObject({ myApp: { submissions: { totalCount: 1 } } });
      expect(line.writes.every(({ idempotencyKey }) => idempotencyKey !== undefined)).toBe(true);
      expect(
        line.writes.filter(({ path }) => path.endsWith('/submit')).map(({ ifMatch }) => ifMatch),
      ).toContain('"2"');
    },
  );

  it.each(faults)(
    'creates, changes and submits a version once, if each write has the fault "%s" (D403)',
    async (fault: Fault) => {
      const { slug, id } = await service.anApp(ada, 'APPROVED');
      await folder.json('init', '--app', slug);
      folder.write({ ...folder.listing, description: 'Of the second version.' });
      line.planned.push(fault);
      expect(await folder.json('push')).toMatchObject({ action: 'VERSION_CREATED', revision: 1 });
      folder.write({ ...folder.listing, description: 'Once more.' });
      line.planned.push(fault, fault);
      expect(await folder.json('push')).toMatchObject({ action: 'VERSION_UPDATED', revision: 2 });
      line.planned.push(fault);
      expect(await folder.json('submit')).toMatchObject({ target: 'VERSION', status: 'PENDING' });
      line.planned.push(fault);
      expect(await folder.json('withdraw')).toMatchObject({ target: 'VERSION', status: 'DRAFT' });
      expect(await versionsOf(id)).toMatchObject({ myApp: { versions: { totalCount: 1 } } });
    },
  );

  it('creates one app, if two pipelines push it for the first time at once (D403)', async () => {
    const listing = aListingFile();
    const folders = [0, 1, 2].map(() => workspaceOf(service, ada));
    for (const each of folders) each.write(listing);
    const runs = await Promise.all(folders.map((each) => each.run('push', '--json')));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await appsOf(service, ada)).toHaveLength(1);
    expect(new Set(folders.map(({ listing: { app } }) => app)).size).toBe(1);
  });

  it('finds the app again, if the process was lost before it could write its slug (D403)', async () => {
    const listing = aListingFile();
    folder.write(listing);
    await folder.json('push');
    folder.write({ ...listing, description: 'Written since.' });
    expect(await folder.json('push')).toMatchObject({ action: 'UPDATED' });
    expect(await appsOf(service, ada)).toHaveLength(1);
    const [app] = await appsOf(service, ada);
    await service.must('deleteApp', { id: app!.id }, ada.key);
    folder.write(listing);
    expect(await folder.json('push')).toMatchObject({ action: 'CREATED' });
    expect(await appsOf(service, ada)).toHaveLength(1);
  });

  it('reports a change of somebody else as a conflict, with what changed and the command to run (D403)', async () => {
    const { slug, id } = await service.anApp(ada);
    await folder.json('init', '--app', slug);
    folder.write({ ...folder.listing, description: 'Mine.' });
    const { revision } = await folder.json<{ revision: number }>('diff');
    await service.must('updateApp', { id, description: 'Theirs.' }, ada.key);
    const run = await folder.run('push', '--revision', String(revision));
    expect(run.code).toBe(5);
    expect(run.stderr).toMatch(/marketplace pull/);
    const [app] = await appsOf(service, ada);
    expect(app).toMatchObject({ description: 'Theirs.' });
  });

  it('gives up with its own exit code, if the marketplace cannot be reached (D402)', async () => {
    folder.write(aListingFile());
    const run = await folder.run('push', '--url', 'http://127.0.0.1:9', '--json');
    expect(run.code).toBe(4);
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE', exitCode: 4 } });
  });
});
