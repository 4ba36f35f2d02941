import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Scope } from '../../src/auth/scope.js';
import { aRejection } from '../support/actors.js';
import { beforeTests } from '../support/before-tests.js';
import { until } from '../support/mail-server.js';
import { startService } from '../support/service.js';
import { aListingFile, appsOf, toolFile, type Workspace, workspaceOf } from './tool.js';

/** The Node of the machine, which runs npm: a developer may have an older one than the tests. */
const machineNode = process.env.npm_node_execpath ?? process.execPath;
/** Runs the tool with frequent garbage collections, as a wait of hours has them. */
const collecting = ['--expose-gc', '--import', 'data:text/javascript,setInterval(gc,100).unref()', toolFile];

describe('somebody who uses the tool for the first time', () => {
  const folders: Workspace[] = [];
  const service = beforeTests(() => startService({ ASSET_CHECKS: 'off' }));
  const ada = beforeTests(() => service.aDeveloper());
  afterAll(async () => {
    for (const folder of folders) folder.remove();
    await service.close();
  });
  const folderWith = async (listing: object, { isPushed = false } = {}) => {
    const folder = workspaceOf(service, ada);
    folders.push(folder);
    folder.write(listing);
    if (isPushed) await folder.json('push');
    return folder;
  };
  const appOf = async (folder: Workspace) =>
    (await appsOf(service, ada)).find(({ slug }) => slug === folder.listing.app)!;

  it.each([
    ['submit', '--wait'],
    ['status', '--watch'],
  ])('waits for hours, and the tool ends with the decision (D402): %s %s', async (...command) => {
    const folder = await folderWith(aListingFile(), { isPushed: true });
    const app = await appOf(folder);
    if (command[0] === 'status') await folder.json('submit');
    const run = folder.runCommand({}, machineNode, [...collecting, ...command]);
    const isOpen = async () =>
      (
        await service.sql<{ open: boolean }>(
          'select exists (select from submissions where app_id = $1 and ended_at is null) as open',
          [app.id],
        )
      )[0]!.open;
    await until(isOpen, () => 'It was not submitted.');
    // Long enough that the stream is open and garbage was collected several times.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await service.administer('rejectApp', { id: app.id, ...aRejection(app.revision) });
    expect(await run).toMatchObject({ code: 1, stdout: expect.stringContaining('Rejected:') });
  });

  it('sees what is wrong, and no word of an empty list (D402)', async () => {
    const folder = await folderWith({ ...aListingFile(), screenshots: [] });
    const diff = await folder.run('diff');
    expect(diff).toMatchObject({ code: 0, stdout: expect.not.stringContaining('screenshots') });
    await folder.json('push');
    expect(await folder.run('submit')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('error screenshots'),
      stderr: 'error: The app is not ready for review.\n',
    });
    expect(await folder.run('init', '--app', 'no-such-app', '--force')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Check the slug'),
    });
  });

  it('is told that an edit is not pushed, instead of submitting what was there before (D403)', async () => {
    const folder = await folderWith(aListingFile(), { isPushed: true });
    folder.write({ ...folder.listing, description: 'Takes better notes.' });
    const run = await folder.run('submit');
    expect(run).toMatchObject({ code: 5, stderr: expect.stringContaining('(description)') });
    expect(await appOf(folder)).toMatchObject({ status: 'DRAFT' });
    expect(await folder.run('push', '--submit')).toMatchObject({ code: 0 });
    expect(await appOf(folder)).toMatchObject({ status: 'PENDING' });
  });

  it('sees in a dry run what would fail (D402)', async () => {
    const unready = aListingFile({ screenshots: [] });
    const folder = await folderWith(unready, { isPushed: true });
    const fresh = await folderWith(aListingFile({ screenshots: [] }));
    for (const [where, ...command] of [
      [folder, 'submit'],
      [folder, 'push', '--submit'],
      [fresh, 'push', '--submit'],
    ] as const)
      expect(await where.run(...command, '--dry-run')).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('screenshots'),
      });
    const reading = { MARKETPLACE_KEY: await service.aKey(ada, [Scope.APP_READ]) };
    folder.write({ ...folder.listing, description: 'Takes better notes.' });
    expect(await folder.runWith(reading, 'push', '--dry-run')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('APP_UPDATE'),
    });
  });

  it('gets exit code 4 when the time of a watch is over (D402)', async () => {
    const folder = await folderWith(aListingFile(), { isPushed: true });
    await folder.json('submit');
    expect(await folder.run('status', '--watch', '--timeout', '1')).toMatchObject({ code: 4 });
  });

  it('sees the same plan in a difference and in a push (D403)', async () => {
    const folder = await folderWith(aListingFile(), { isPushed: true });
    const { app: slug, ...unnamed } = folder.listing;
    folder.write(unnamed);
    expect(await folder.json('diff')).toMatchObject({ app: slug, target: 'APP', changes: [] });
    expect(await folder.json('push', '--dry-run')).toMatchObject({ app: slug, action: 'UNCHANGED' });
  });

  it('finds annotations at the lines of a repository with several folders (D402)', async () => {
    const folder = await folderWith({});
    mkdirSync(join(folder.folder, 'packages/notes'), { recursive: true });
    folder.write({ name: 'x' }, 'packages/notes/marketplace.json');
    const within = (variables: Record<string, string>, ...options: string[]) =>
      folder.runCommand(variables, 'sh', [
        '-c',
        `cd packages/notes && "${process.execPath}" "${toolFile}" check --offline ${options.join(' ')}`,
      ]);
    const { stdout } = await within({ GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: folder.folder });
    expect(stdout).toContain('::error file=packages/notes/marketplace.json,line=1');
    await within({ CI_PROJECT_DIR: folder.folder }, '--code-quality', 'report.json');
    const [finding] = JSON.parse(folder.read('packages/notes/report.json'));
    expect(finding.location.path).toBe('packages/notes/marketplace.json');
  });

  it.each([
    [['push', '--wait'], '--wait needs --submit'],
    [['push', '--file', '.'], 'is not a file'],
    [['push', '--key-file', 'marketplace.json'], 'is not a key file'],
  ])('is told what is wrong with %j (D402)', async (command, words) => {
    const folder = await folderWith(aListingFile());
    expect(await folder.run(...command)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  });

  it('cannot name a folder as a text (D400)', async () => {
    const folder = await folderWith(aListingFile({ longDescription: { file: 'texts' } }));
    mkdirSync(join(folder.folder, 'texts'));
    expect(await folder.run('check', '--offline')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('must be a text file'),
    });
  });

  it.each(['-h', 'help', '--help'])('gets the help with %s', async (word) => {
    const folder = await folderWith({});
    expect(await folder.run(word)).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage:') });
  });
});
