import { describe, expect, it } from '@jest/globals';
import { aRejection, nevertheless, unique } from '../support/actors.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';
import { aListingFile, appsOf, workspaceOf } from './tool.js';

describe('the command-line tool', () => {
  const service = duringTests(() => startService({ ASSET_CHECKS: 'off' }));
  const ada = beforeTests(() => service.aDeveloper());
  const folder = duringTests(
    () => workspaceOf(service, ada),
    (folder) => folder.remove(),
  );

  const name = unique('Acme Notes');
  const theApp = async () => (await appsOf(service, ada)).find((app) => app.name.startsWith(name))!;

  it('writes a listing file without a terminal, from options (D400)', async () => {
    expect(await folder.run('init')).toMatchObject({ code: 2 });
    const answers = [
      '--description',
      'Takes notes.',
      '--category',
      'PRODUCTIVITY',
      '--environment',
      'staging',
    ];
    expect(await folder.run('init', '--name', name, ...answers, '--json')).toMatchObject({ code: 0 });
    expect(folder.listing).toEqual({
      $schema: `${service.url}/listing.schema.json`,
      name,
      description: 'Takes notes.',
      category: 'PRODUCTIVITY',
      environment: 'staging',
      screenshots: [],
    });
    expect(await folder.run('init', '--name', name, ...answers)).toMatchObject({ code: 2 });
  });

  it('checks a listing that is not stored, with the line of each finding (D402, D404)', async () => {
    const run = await folder.run('check', '--json');
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({
      ok: false,
      findings: [
        { field: 'screenshots', severity: 'ERROR', code: 'too_few', file: 'marketplace.json', line: 7 },
        { field: 'logoUrl', severity: 'WARNING', code: 'missing' },
      ],
    });
    expect(await appsOf(service, ada)).toEqual([]);
  });

  it('creates the draft, names it in the file, and changes nothing in a dry run (D403)', async () => {
    folder.write({
      ...folder.listing,
      longDescription: { file: 'LISTING.md' },
      screenshots: aListingFile().screenshots,
    });
    folder.write('# Acme Notes\n\nTakes *notes*.\n', 'LISTING.md');
    expect(await folder.json('push', '--dry-run')).toMatchObject({
      action: 'CREATED',
      dryRun: true,
      app: null,
    });
    expect(await appsOf(service, ada)).toEqual([]);
    const made = await folder.json('push');
    const app = await theApp();
    expect(made).toMatchObject({ action: 'CREATED', app: app.slug, status: 'DRAFT' });
    expect(app).toMatchObject({ longDescription: '# Acme Notes\n\nTakes *notes*.', environment: 'staging' });
    expect(folder.listing).toMatchObject({ app: app.slug, longDescription: { file: 'LISTING.md' } });
    expect(await folder.json('push')).toMatchObject({ action: 'UNCHANGED', revision: 1 });
  });

  it('shows what a push would change, and then changes that (D403)', async () => {
    folder.write({ ...folder.listing, websiteUrl: 'https://notes.example' });
    expect(await folder.json('diff')).toMatchObject({
      target: 'APP',
      revision: 1,
      changes: [{ field: 'websiteUrl', before: null, after: 'https://notes.example' }],
    });
    expect(await folder.json('push')).toMatchObject({ action: 'UPDATED', revision: 2 });
    expect((await folder.run('diff')).stdout).toMatch(/are the same/);
  });

  it('says that the environment cannot be changed (D403)', async () => {
    const { listing } = folder;
    folder.write({ ...listing, environment: 'production' });
    for (const command of ['check', 'diff', 'push']) {
      const run = await folder.run(command, '--json');
      expect(run.code).toBe(1);
      expect(run.stdout).toContain('cannot be changed afterwards');
    }
    folder.write(listing);
  });

  it('submits, shows the place in the queue, withdraws and submits again (D402)', async () => {
    expect(await folder.json('submit')).toMatchObject({ submitted: true, status: 'PENDING' });
    expect(await folder.json('submit')).toMatchObject({ submitted: false, status: 'PENDING' });
    const { queue } = await folder.json<{ queue: { position: number } }>('status');
    expect(queue.position).toBeGreaterThan(0);
    expect((await folder.run('status')).stdout).toMatch(/Queue +position \d+/);
    expect(await folder.json('withdraw')).toMatchObject({ status: 'DRAFT' });
    expect(await folder.run('withdraw')).toMatchObject({ code: 5 });
    expect(await folder.json('submit')).toMatchObject({ status: 'PENDING' });
  });

  it('waits for a rejection by the event stream, and shows its reasons (D402)', async () => {
    const waiting = folder.run('status', '--watch', '--timeout', '100', '--json');
    const { id, revision } = await theApp();
    await service.administer('rejectApp', { id, ...aRejection(revision) });
    const run = await waiting;
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({ status: 'REJECTED', rejection: { reasons: [{}] } });
    expect((await folder.run('status')).code).toBe(1);
  });

  it('waits for the approval of a second submission (D402)', async () => {
    folder.write({ ...folder.listing, description: 'Takes notes during meetings.' });
    await folder.json('push');
    const waiting = folder.run('submit', '--wait', '--json');
    let app = await theApp();
    while (app.status !== 'PENDING') app = await theApp();
    const { id, revision } = app;
    await service.administer('approveApp', { id, revision, ...nevertheless });
    expect(await waiting).toMatchObject({ code: 0 });
    expect(await folder.json('status')).toMatchObject({ appStatus: 'APPROVED', target: 'APP' });
  });

  it('makes a second version of an approved app, and changes it until it is approved (D26, D403)', async () => {
    const { slug } = await theApp();
    expect(await folder.json('submit')).toMatchObject({ submitted: false, status: 'APPROVED' });
    folder.write({ ...folder.listing, name: `${name} 2` });
    expect(await folder.json('diff')).toMatchObject({ target: 'NEW_VERSION' });
    expect(await folder.json('push')).toMatchObject({
      action: 'VERSION_CREATED',
      app: slug,
      status: 'DRAFT',
    });
    folder.write('Takes more notes.\n', 'LISTING.md');
    expect(await folder.json('push')).toMatchObject({ action: 'VERSION_UPDATED', revision: 2 });
    expect(await folder.json('submit')).toMatchObject({ target: 'VERSION', status: 'PENDING' });
    expect(await folder.json('withdraw')).toMatchObject({ target: 'VERSION', status: 'DRAFT' });
    await folder.json('submit');
    const { myAppBySlug } = await service.client.queryData<{
      myAppBySlug: { name: string; openVersion: { id: string; revision: number } };
    }>(
      'query ($slug: String!) { myAppBySlug(slug: $slug) { name openVersion { id revision } } }',
      { slug },
      ada.key,
    );
    expect(myAppBySlug.name).toBe(name);
    await service.administer('approveAppVersion', { ...myAppBySlug.openVersion, ...nevertheless });
    expect(await folder.json('status')).toMatchObject({ appStatus: 'APPROVED', target: 'APP' });
    expect(await theApp()).toMatchObject({ name: `${name} 2`, longDescription: 'Takes more notes.' });
  });

  it('takes over what was changed on the server, in the file and in its texts (D400)', async () => {
    const { id } = await theApp();
    const edit = { id, longDescription: 'Edited.', websiteUrl: null, reason: 'A slip.' };
    await service.administer('editApp', edit);
    expect((await folder.run('diff')).stdout).toMatch(/longDescription/);
    expect(await folder.json('pull', '--dry-run')).toMatchObject({
      files: ['marketplace.json', 'LISTING.md'],
    });
    expect(folder.read('LISTING.md')).not.toContain('Edited.');
    await folder.json('pull');
    expect(folder.read('LISTING.md')).toBe('Edited.\n');
    expect(folder.listing).toMatchObject({ websiteUrl: null, longDescription: { file: 'LISTING.md' } });
    expect(await folder.json('pull')).toMatchObject({ files: [] });
    expect(await folder.json('push')).toMatchObject({ action: 'UNCHANGED' });
  });

  it('starts from an app that exists (D400)', async () => {
    const other = workspaceOf(service, ada);
    const { slug } = await theApp();
    expect(await other.json('init', '--app', slug)).toMatchObject({
      files: ['marketplace.json', 'LISTING.md'],
    });
    expect(await other.json('diff')).toMatchObject({ changes: [] });
    other.remove();
  });

  it('says who it is (D402)', async () => {
    expect(await folder.json('whoami')).toMatchObject({
      credential: 'key',
      url: service.url,
      developer: { status: 'VERIFIED' },
      apiKey: { name: 'A key', scopes: expect.arrayContaining(['APP_READ']) },
    });
  });
});
