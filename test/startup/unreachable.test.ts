import { chmod, cp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aFolder } from '../support/folder.js';
import { makeStage, query, type Stage } from './stage.js';

// Only root runs its database as another user, and that user cannot enter root's private folders.
const describeAsRoot = process.geteuid?.() === 0 ? describe : describe.skip;

describeAsRoot('the embedded database of root in a folder that only root can enter', () => {
  let home: string;
  let stage: Stage;
  let dataDir: string;
  const clusters = new Set<string>();

  beforeAll(async () => {
    home = await aFolder('private home ');
    stage = await makeStage(home);
    dataDir = join(stage.folder, '.data');
  });
  afterAll(async () => {
    for (const cluster of clusters) await rm(dirname(cluster), { recursive: true, force: true });
  });

  test('is in a folder that its user can reach, as DATA_DIR records', async () => {
    const driver = stage.start(dataDir);
    const { url, isNew, directory } = await driver.ready;
    clusters.add(directory);
    expect((await stat(home)).mode & 0o777).toBe(0o700);
    expect(isNew).toBe(true);
    expect(directory.startsWith(home)).toBe(false);
    expect(JSON.parse(await readFile(join(dataDir, 'cluster.json'), 'utf8'))).toMatchObject({ directory });
    await query(url, 'CREATE TABLE kept AS SELECT 1 AS value');
    await driver.end();
    expect(driver.process.exitCode).toBe(0);
  });

  test('cannot be changed by anyone but root and its own user', async () => {
    const [directory = ''] = clusters;
    expect((await stat(directory)).mode & 0o077).toBe(0);
    for (let folder = dirname(directory); folder.includes('marketplace-gateway'); folder = dirname(folder)) {
      const { uid, mode } = await stat(folder);
      expect({ folder, uid, writable: mode & 0o022 }).toEqual({ folder, uid: 0, writable: 0 });
    }
  });

  test('is found again, with the programs that were copied once', async () => {
    const [directory = ''] = clusters;
    const shared = dirname(dirname(dirname(directory)));
    const copies = async () => (await readdir(shared)).filter((name) => name.startsWith('postgresql-'));
    const before = await copies();
    const driver = stage.start(dataDir);
    const again = await driver.ready;
    expect(again).toMatchObject({ isNew: false, directory });
    expect(await query(again.url, 'SELECT value FROM kept')).toEqual([{ value: 1 }]);
    await driver.end();
    expect(await copies()).toEqual(before);
  });

  test('is not fought over by two copies of a DATA_DIR', async () => {
    const copy = join(stage.folder, '.data-copy');
    await cp(dataDir, copy, { recursive: true });
    const holder = stage.start(dataDir);
    await holder.ready;
    const second = stage.start(copy);
    expect(await second.refused).toContain(`(pid ${holder.pid})`);
    await holder.end();
  });

  test('says where it was when that place is gone', async () => {
    const [directory = ''] = clusters;
    await rename(dirname(directory), `${dirname(directory)}.moved`);
    const sentence = await stage.start(dataDir).refused;
    await rename(`${dirname(directory)}.moved`, dirname(directory));
    expect(sentence).toContain(`its database is in ${directory}, but it is not there any more`);
    expect(sentence).not.toContain('\n');
  });

  test('also works when the folder is opened later', async () => {
    await chmod(home, 0o755);
    const driver = stage.start(dataDir);
    expect(await driver.ready).toMatchObject({ isNew: false, directory: [...clusters][0] });
    await driver.end();
  });
});
