import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openDataDir } from '../../src/db/data-dir.js';
import { atOnce } from '../support/actors.js';
import { buildOnce, createTestDatabase } from '../support/database.js';
import { aFolder } from '../support/folder.js';
import { words } from '../support/words.js';
import { startGateway } from './gateway.js';

const isRoot = process.geteuid?.() === 0;
let folder: string;

beforeAll(async () => {
  folder = await aFolder('data dir ');
});

/** Mounts a volume in memory, or returns false where that is not allowed. */
function mount(place: string, options: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('DATA_DIR', () => {
  test('is created with its parents, for its owner only', async () => {
    const dataDir = join(folder, 'a/b/c');
    await openDataDir(dataDir);
    expect((await stat(dataDir)).mode & 0o777).toBe(isRoot ? 0o711 : 0o700);
    await openDataDir(dataDir);
    expect(await readdir(dataDir)).toEqual([]);
  });

  test('may be created by several processes at once', async () => {
    const dataDir = join(folder, 'x/y/z');
    await atOnce(8, () => openDataDir(dataDir));
  });

  describe('is refused with the reason (D180)', () => {
    const refused = (dataDir: string) => expect(openDataDir(dataDir)).rejects;

    test('if it is a file, or below a file', async () => {
      const file = join(folder, 'file');
      await writeFile(file, '');
      await refused(file).toThrow(
        `DATA_DIR ${file} cannot be used (it is not a folder): choose another DATA_DIR`,
      );
      await refused(join(file, 'below')).toThrow('ENOTDIR');
    });

    test('if it is a link to nowhere', async () => {
      await symlink(join(folder, 'nowhere'), join(folder, 'link'));
      await refused(join(folder, 'link')).toThrow('ENOENT');
    });

    const testOnLinux = process.platform === 'linux' ? test : test.skip;
    testOnLinux.each(
      words(`
      /proc /proc/marketplace /proc/marketplace/below /proc/self/fd/data /sys/data`),
    )('if no folder can be created there: %s', async (dataDir) => {
      await refused(dataDir).toThrow(`DATA_DIR ${dataDir} cannot be used`);
    });

    const testAsUser = isRoot ? test.skip : test;
    testAsUser('if it belongs to another user or is write-protected', async () => {
      const dataDir = join(folder, 'protected');
      await mkdir(dataDir);
      await chmod(dataDir, 0o500);
      await refused(dataDir).toThrow('EACCES');
      await refused(join(dataDir, 'below')).toThrow('EACCES');
    });

    test('if its volume is read-only or full', async () => {
      for (const [name, options, reason] of [
        ['read-only', 'ro', 'EROFS'],
        ['full', 'size=4k', 'ENOSPC'],
      ] as const) {
        const place = join(folder, name);
        await mkdir(place);
        // Only root may mount, and not in every container.
        if (!mount(place, options)) continue;
        try {
          await refused(place).toThrow(reason);
        } finally {
          execFileSync('umount', [place]);
        }
      }
    });
  });
});

describe('a gateway whose DATA_DIR is not possible', () => {
  beforeAll(() => buildOnce());

  const start = async (settings: Record<string, string>) => {
    const gateway = startGateway({ PORT: '0', DATA_DIR: join(folder, 'file/below'), ...settings });
    return { code: await gateway.ended, output: gateway.output() };
  };

  test('ends with one clear line, with the embedded database and with its own (D180)', async () => {
    await writeFile(join(folder, 'file'), '');
    const line = /^DATA_DIR .*file\/below cannot be used \(ENOTDIR.*\): choose another DATA_DIR.*\n$/;
    expect(await start({})).toEqual({ code: 1, output: expect.stringMatching(line) });
    await using database = await createTestDatabase();
    expect(await start({ DATABASE_URL: database.url })).toEqual({
      code: 1,
      output: expect.stringMatching(line),
    });
  });
});
