import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const script = resolve(import.meta.dirname, '../../scripts/prepare.mjs');
const lock = (version: string) => ({
  packages: {
    '': { name: 'project' },
    'node_modules/thing': { version, integrity: `sha512-${version}` },
    'node_modules/for-another-platform': { version, integrity: 'sha512-x', optional: true },
  },
});

// Stands in for npm: installs like it, as far as prepare.mjs can see, and records how it was called.
const npm = `
  const fs = require('node:fs');
  fs.appendFileSync('calls.txt', process.argv.slice(2).join(' ') + '\\n');
  if (fs.existsSync('offline')) { console.error('npm error network ETIMEDOUT'); process.exit(1); }
  fs.mkdirSync('node_modules/thing', { recursive: true });
  const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
  const thing = packages['node_modules/thing'];
  fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/thing': thing } }));
  fs.mkdirSync('node_modules/typescript/bin', { recursive: true });
  fs.copyFileSync('tools/tsc.js', 'node_modules/typescript/bin/tsc');
`;
const tsc = `
  const fs = require('node:fs');
  fs.mkdirSync('dist/src', { recursive: true });
  for (const name of fs.readdirSync('src')) fs.copyFileSync('src/' + name, 'dist/src/' + name.replace('.ts', '.js'));
  if (fs.readFileSync('src/main.ts', 'utf8') === 'wrong') { console.log('src/main.ts: error TS1'); process.exit(2); }
`;

describe('preparing a project', () => {
  let project: string;
  const write = async (path: string, content: string) => {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), content);
  };
  const prepare = (...args: string[]) => {
    const env = { npm_execpath: join(project, 'tools/npm-cli.js'), NODE_ENV: 'production' };
    const done = spawnSync(process.execPath, [join(project, 'scripts/prepare.mjs'), ...args], {
      cwd: tmpdir(),
      env,
      encoding: 'utf8',
    });
    return { code: done.status, said: done.stdout + done.stderr };
  };
  const installations = async () =>
    (await readFile(join(project, 'calls.txt'), 'utf8')).trim().split('\n').length;

  beforeEach(async () => {
    project = await mkdtemp(join(tmpdir(), 'a fresh clone '));
    await cp(script, join(project, 'scripts/prepare.mjs'));
    await write('tools/npm-cli.js', npm);
    await write('tools/tsc.js', tsc);
    await write('package.json', '{}');
    await write('package-lock.json', JSON.stringify(lock('1.0.0')));
    await write('src/main.ts', 'first');
  });
  afterEach(() => rm(project, { recursive: true, force: true }));

  test('installs what is missing, development tools included, in one line', async () => {
    expect(prepare()).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^Installing the dependencies… .* s\n$/),
    });
    expect(await readFile(join(project, 'calls.txt'), 'utf8')).toMatch(
      /^ci .*--include=dev .*--loglevel=error/,
    );
  });

  test('is silent when there is nothing to do', async () => {
    prepare('--build');
    expect(prepare('--build')).toEqual({ code: 0, said: '' });
    expect(await installations()).toBe(1);
  });

  test('installs again when the lockfile has changed, whatever its date', async () => {
    prepare();
    await write('package-lock.json', JSON.stringify(lock('2.0.0')));
    await utimes(join(project, 'package-lock.json'), 0, 0);
    expect(prepare().code).toBe(0);
    expect(await installations()).toBe(2);
  });

  test('installs again after an interrupted installation, or when a package is gone', async () => {
    prepare();
    await rm(join(project, 'node_modules/.package-lock.json'));
    prepare();
    await rm(join(project, 'node_modules/thing'), { recursive: true });
    prepare();
    expect(await installations()).toBe(3);
  });

  test('shows in full why it could not install, and what to do', async () => {
    await write('offline', '');
    const { code, said } = prepare();
    expect(code).toBe(1);
    expect(said).toContain('npm error network ETIMEDOUT');
    expect(said).toContain('then try again');
  });

  test('builds when a source has changed, is new or is gone, and leaves nothing behind', async () => {
    prepare('--build');
    await write('src/new.ts', 'new');
    expect(prepare('--build').said).toMatch(/^Building… .* s\n$/);
    await rm(join(project, 'src/new.ts'));
    await write('src/main.ts', 'second');
    prepare('--build');
    expect(await readFile(join(project, 'dist/src/main.js'), 'utf8')).toBe('second');
    await expect(stat(join(project, 'dist/src/new.js'))).rejects.toThrow('ENOENT');
  });

  test('builds again after a failed or interrupted build, and shows the errors', async () => {
    await write('src/main.ts', 'wrong');
    expect(prepare('--build')).toMatchObject({
      code: 1,
      said: expect.stringContaining('src/main.ts: error TS1'),
    });
    expect(prepare('--build').code).toBe(1);
    await write('src/main.ts', 'right');
    expect(prepare('--build').code).toBe(0);
  });

  test('builds again when something else has written to dist', async () => {
    prepare('--build');
    await write('dist/src/main.js', 'of other sources');
    const later = new Date(Date.now() + 1_000);
    await utimes(join(project, 'dist/src/main.js'), later, later);
    prepare('--build');
    expect(await readFile(join(project, 'dist/src/main.js'), 'utf8')).toBe('first');
  });
});
