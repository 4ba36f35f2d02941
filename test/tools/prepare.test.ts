import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { aFolder } from '../support/folder.js';
import { until } from '../support/mail-server.js';

const scripts = resolve(import.meta.dirname, '../../scripts');
const lock = (version: string) => ({
  packages: {
    '': { name: 'project' },
    'node_modules/thing': { version, integrity: `sha512-${version}` },
    'node_modules/tool': { version, integrity: `sha512-${version}`, dev: true },
    'node_modules/node': { version, integrity: `sha512-${version}`, peer: true },
    'node_modules/for-another-platform': { version, integrity: 'sha512-x', optional: true, os: ['plan9'] },
  },
});

// Stands in for npm: installs like it, as far as prepare.mjs can see, and records how it was called.
const npm = `
  const fs = require('node:fs');
  const [command, ...options] = process.argv.slice(2);
  fs.appendFileSync('calls.txt', [command, ...options].join(' ') + '\\n');
  if (fs.existsSync('offline')) { console.error('npm error network ETIMEDOUT'); process.exit(1); }
  if (fs.existsSync('meddled')) { fs.rmSync('meddled'); console.error('npm error ENOTEMPTY: directory not empty'); process.exit(1); }
  if (command === 'ci') fs.rmSync('node_modules', { recursive: true, force: true });
  const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
  const omits = (entry) => ['dev', 'peer', 'optional'].some((type) => entry[type] && (type === 'optional' || options.includes('--omit=' + type)));
  const wanted = Object.entries(packages).filter(([path, entry]) => path && !omits(entry));
  for (const [path] of wanted) {
    fs.mkdirSync(path, { recursive: true });
    fs.writeFileSync(path + '/package.json', '{}');
  }
  while (fs.existsSync('hold')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  if (fs.existsSync('disagree') && command === 'install') process.exit(0);
  fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(wanted) }));
  fs.mkdirSync('node_modules/typescript/bin', { recursive: true });
  fs.copyFileSync('tools/tsc.js', 'node_modules/typescript/bin/tsc');
`;
const tsc = `
  const fs = require('node:fs');
  fs.mkdirSync('dist/src', { recursive: true });
  for (const name of fs.readdirSync('src')) fs.copyFileSync('src/' + name, 'dist/src/' + name.replace('.ts', '.js'));
  if (fs.readFileSync('src/main.ts', 'utf8') === 'wrong') { console.log('src/main.ts: error TS1'); process.exit(2); }
`;

// Stands in for the script that bundles the programs and the pages.
const build = `
  import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
  mkdirSync('dist/src', { recursive: true });
  writeFileSync('dist/src/main.js', 'bundle of ' + readFileSync('src/main.ts', 'utf8'));
`;

describe('preparing a project', () => {
  let project: string;
  const running: ChildProcessWithoutNullStreams[] = [];
  const at = (path: string) => join(project, path);
  const write = async (path: string, content: string) => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), content);
  };
  const settings = () => ({
    cwd: tmpdir(),
    env: { npm_execpath: at('tools/npm-cli.js'), NODE_ENV: 'production' },
  });
  const prepare = (...args: string[]) => {
    const command = [at('scripts/prepare.mjs'), ...args];
    const done = spawnSync(process.execPath, command, { ...settings(), encoding: 'utf8' });
    expect(done.stdout).toBe('');
    return { code: done.status, said: done.stderr };
  };
  /** Starts it, and returns its output so far and its end. */
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, [at('scripts/prepare.mjs'), ...args], settings());
    running.push(child);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
    });
    const says = (text: string | RegExp) =>
      until(
        () => said.search(text) >= 0,
        () => `It said ${said}`,
      );
    return { child, says, ended: once(child, 'close').then(() => child.exitCode) };
  };
  const calls = async () =>
    (await readFile(at('calls.txt'), 'utf8').catch(() => '')).trim().split('\n').filter(Boolean);

  beforeEach(async () => {
    project = await aFolder('a fresh clone ');
    await cp(scripts, at('scripts'), { recursive: true });
    await write('tools/npm-cli.js', npm);
    await write('tools/tsc.js', tsc);
    await write('scripts/build.mjs', build);
    await write('package.json', '{}');
    await write('package-lock.json', JSON.stringify(lock('1.0.0')));
    await write('src/main.ts', 'first');
  });
  afterEach(async () => {
    await rm(at('hold'), { force: true });
    await Promise.all(running.splice(0).map((child) => child.exitCode ?? once(child, 'close')));
    await rm(project, { recursive: true, force: true });
  });

  test('installs everything that is missing, development tools included, even in production', async () => {
    const { code, said } = prepare();
    expect(code).toBe(0);
    expect(said).toMatch(/^Installing the packages…\n {2}done in .* s\n {2}3 packages, 0 MB\n$/);
    expect(await calls()).toEqual([
      expect.stringMatching(/^ci --include=dev --include=optional --include=peer .*--loglevel=error/),
    ]);
  });

  test('tries again while another npm, or one that was killed, changes the folder', async () => {
    await write('meddled', '');
    const { code, said } = prepare();
    expect(said).toContain('Another program uses the folder. Trying again…');
    expect(code).toBe(0);
    expect(await calls()).toHaveLength(2);
    // A build that fails is not repeated.
    await write('src/main.ts', 'wrong');
    expect(prepare('--build')).toMatchObject({ code: 1, said: expect.not.stringContaining('Trying again') });
  });

  test('installs for a start only what starting needs, and the rest when it is needed (D178)', async () => {
    expect(prepare('--start').code).toBe(0);
    // The tests run on the Node version of the project, so the machine needs no other.
    expect(await calls()).toEqual([expect.stringMatching(/^ci --omit=dev --include=optional --omit=peer /)]);
    expect(existsSync(at('node_modules/tool'))).toBe(false);
    await write('node_modules/thing/still-there', '');
    expect(prepare().code).toBe(0);
    expect((await calls())[1]).toMatch(/^install --no-save --include=dev --include=optional --include=peer /);
    expect(existsSync(at('node_modules/tool'))).toBe(true);
    expect(existsSync(at('node_modules/thing/still-there'))).toBe(true);
  });

  test('a start keeps the development tools, also when the lockfile has changed (D178)', async () => {
    prepare();
    expect(prepare('--start')).toEqual({ code: 0, said: '' });
    await write('package-lock.json', JSON.stringify(lock('2.0.0')));
    expect(prepare('--start').code).toBe(0);
    expect((await calls())[1]).toMatch(/^install --no-save --include=dev /);
    expect(existsSync(at('node_modules/tool'))).toBe(true);
  });

  test('is silent when there is nothing to do', async () => {
    prepare('--build');
    expect(prepare('--build')).toEqual({ code: 0, said: '' });
    expect(await calls()).toHaveLength(1);
  });

  test('shows the number of packages and megabytes while npm works (D178)', async () => {
    await write('hold', '');
    const started = start('--start');
    await started.says(/^ {2}1 of 1 packages, 0 MB, \d+\.\d s$/m);
    await rm(at('hold'));
    expect(await started.ended).toBe(0);
  });

  test('installs again when the lockfile has changed, whatever its date', async () => {
    prepare();
    await write('package-lock.json', JSON.stringify(lock('2.0.0')));
    await utimes(at('package-lock.json'), 0, 0);
    expect(prepare().code).toBe(0);
    expect(prepare()).toEqual({ code: 0, said: '' });
  });

  test('installs from scratch after an interrupted installation, or when a package is gone', async () => {
    prepare();
    await rm(at('node_modules/.package-lock.json'));
    prepare();
    await write('node_modules/.changing', '');
    prepare();
    expect((await calls()).map((call) => call.split(' ')[0])).toEqual(['ci', 'ci', 'ci']);
    await rm(at('node_modules/thing'), { recursive: true });
    expect(prepare().code).toBe(0);
    expect(existsSync(at('node_modules/thing'))).toBe(true);
  });

  test('installs from scratch when adding packages did not give what the lockfile says', async () => {
    prepare('--start');
    await write('disagree', '');
    expect(prepare().code).toBe(0);
    expect((await calls()).map((call) => call.split(' ')[0])).toEqual(['ci', 'install', 'ci']);
  });

  test('shows in full why it could not install, and what to do', async () => {
    await write('offline', '');
    const { code, said } = prepare();
    expect(code).toBe(1);
    expect(said).toContain('npm error network ETIMEDOUT');
    expect(said).toContain('then try again');
  });

  test('waits for another npm command that installs, and does not install twice (D178)', async () => {
    await write('hold', '');
    const first = start('--start');
    await first.says('Installing');
    const second = start('--start');
    await second.says('Waiting for another npm command');
    await rm(at('hold'));
    expect([await first.ended, await second.ended]).toEqual([0, 0]);
    expect(await calls()).toHaveLength(1);
    expect(existsSync(at('.prepare.lock'))).toBe(false);
  });

  test('stops npm when it is stopped, and leaves no lock', async () => {
    await write('hold', '');
    const started = start('--start');
    await started.says('Installing');
    await until(async () => (await calls()).length === 1, 'npm was not called');
    started.child.kill('SIGTERM');
    expect(await started.ended).toBe(130);
    expect(existsSync(at('.prepare.lock'))).toBe(false);
    await rm(at('hold'));
    expect(prepare('--start').code).toBe(0);
  });

  test('ignores the lock of a process that was killed', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    await write('.prepare.lock', String(pid));
    expect(prepare('--start').code).toBe(0);
    expect(existsSync(at('.prepare.lock'))).toBe(false);
  });

  test('builds when a source has changed, is new or is gone, and leaves nothing behind', async () => {
    prepare('--build');
    await write('src/new.ts', 'new');
    expect(prepare('--build').said).toMatch(/^Compiling…\n {2}done in .* s\nBuilding…\n {2}done in .* s\n$/);
    await rm(at('src/new.ts'));
    await write('src/main.ts', 'second');
    prepare('--build');
    expect(await readFile(at('dist/src/main.js'), 'utf8')).toBe('bundle of second');
    await expect(stat(at('dist/src/new.js'))).rejects.toThrow('ENOENT');
  });

  test('builds for a start the programs and pages only, and the modules when they are needed', async () => {
    await write('src/module.ts', 'module');
    expect(prepare('--start', '--build').said).toMatch(/\nBuilding…\n {2}done in .* s\n$/);
    expect(await readFile(at('dist/src/main.js'), 'utf8')).toBe('bundle of first');
    expect(existsSync(at('dist/src/module.js'))).toBe(false);
    // The programs write it.
    await write('dist/.compile-cache/v24/code', '');
    const later = new Date(Date.now() + 1_000);
    await utimes(at('dist/.compile-cache/v24/code'), later, later);
    expect(prepare('--start', '--build')).toEqual({ code: 0, said: '' });
    prepare('--build');
    expect(existsSync(at('dist/src/module.js'))).toBe(true);
    expect(existsSync(at('dist/.compile-cache'))).toBe(false);
    expect(prepare('--start', '--build')).toEqual({ code: 0, said: '' });
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
    await utimes(at('dist/src/main.js'), later, later);
    prepare('--build');
    expect(await readFile(at('dist/src/main.js'), 'utf8')).toBe('bundle of first');
  });
});
