import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Account,
  type Driver,
  isAlive,
  makeFolder,
  makeStage,
  makeUser,
  postmasterOf,
  query,
  type Stage,
} from './stage.js';

const isRoot = process.geteuid?.() === 0;

let stage: Stage;
let user: Awaited<ReturnType<typeof makeUser>> | null = null;
const drivers: Driver[] = [];

beforeAll(async () => {
  stage = await makeStage();
  if (isRoot) user = await makeUser();
});
afterEach(async () => {
  for (const driver of drivers.splice(0)) await driver.end();
});
afterAll(async () => {
  await stage?.remove();
  await user?.remove();
});

const start = (dataDir: string, account: Account, ...flags: string[]) => {
  const driver = stage.start(dataDir, account, ...flags);
  drivers.push(driver);
  return driver;
};
const remove = (dataDir: string) => rm(dirname(dirname(dataDir)), { recursive: true, force: true });
const one = 'SELECT 1 AS one';

describe.each(isRoot ? ['root', 'an ordinary user'] : ['this user'])('the embedded database of %s', (who) => {
  let account: Account;
  beforeAll(() => {
    account = who === 'an ordinary user' ? (user?.account ?? null) : null;
  });

  describe('at its first start', () => {
    let dataDir: string;
    const first = (...flags: string[]) => start(dataDir, account, ...flags);
    beforeEach(async () => {
      dataDir = join(await makeFolder(account), '.data');
    });
    afterEach(() => remove(dataDir));

    test('is created in DATA_DIR, with a password file for its owner only', async () => {
      const { isNew, directory } = await first().ready;
      expect(isNew).toBe(true);
      expect(directory).toBe(join(dataDir, 'postgres'));
      expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600);
    });

    test('counts as new until something has filled it', async () => {
      const unsettled = first('--unsettled');
      await unsettled.ready;
      await unsettled.end();
      const second = first();
      expect((await second.ready).isNew).toBe(true);
      await second.end();
      expect((await first().ready).isNew).toBe(false);
    });

    test('is started by one of four that start at once', async () => {
      expect(await outcomes([first(), first(), first(), first()])).toEqual(oneWinner);
    });

    test('is created again when the creation was interrupted', async () => {
      const interrupted = first();
      await interrupted.progress;
      const halfMade = async () => (await readdir(dataDir)).some((name) => name.endsWith('.partial'));
      while (!(await halfMade())) await delay(5);
      await interrupted.end('SIGKILL');
      expect(await halfMade()).toBe(true);
      const { isNew, url } = await first().ready;
      expect(isNew).toBe(true);
      expect(await query(url, one)).toEqual([{ one: 1 }]);
      expect((await readdir(dataDir)).filter((name) => name.includes('.partial'))).toEqual([]);
    });
  });

  describe('in its later life', () => {
    let dataDir: string;
    const again = () => start(dataDir, account);
    beforeAll(async () => {
      dataDir = join(await makeFolder(account), '.data');
      const first = again();
      await query((await first.ready).url, "CREATE TABLE kept AS SELECT 'äöü' AS value");
      await first.end();
    });
    afterAll(() => remove(dataDir));
    const expectKept = async (url: string) =>
      expect(await query(url, 'SELECT value FROM kept')).toEqual([{ value: 'äöü' }]);

    test('stops in order and keeps its data', async () => {
      const driver = again();
      const { url, isNew } = await driver.ready;
      expect(isNew).toBe(false);
      await expectKept(url);
      await driver.end();
      expect(driver.process.exitCode).toBe(0);
      expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).toContain('database system is shut down');
    });

    test('starts from a copy of its folder that root has made', async () => {
      const copy = `${dataDir}-copy`;
      await cp(dataDir, copy, { recursive: true });
      // An ordinary user copies their own files.
      if (account) await promisify(execFile)('chown', ['-R', `${account.uid}:${account.gid}`, copy]);
      await expectKept((await start(copy, account).ready).url);
    });

    test('is UTF-8, sorts by code points and asks everyone for the password', async () => {
      const { url } = await again().ready;
      expect(
        await query(
          url,
          'SELECT datlocprovider, datlocale, pg_encoding_to_char(encoding) AS encoding FROM pg_database WHERE datname = current_database()',
        ),
      ).toEqual([{ datlocprovider: 'b', datlocale: 'C.UTF-8', encoding: 'UTF8' }]);
      const stranger = new URL(url);
      stranger.password = 'guess';
      await expect(query(stranger.href, one)).rejects.toThrow('password authentication failed');
    });

    test('listens on the loopback interface only', async () => {
      const { url } = await again().ready;
      expect(await query(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
      const others = Object.values(networkInterfaces())
        .flatMap((addresses) => addresses ?? [])
        .filter(({ internal, family }) => !internal && family === 'IPv4');
      for (const { address } of others) {
        const knock = once(connect(Number(new URL(url).port), address), 'connect');
        await expect(knock).rejects.toThrow('ECONNREFUSED');
      }
    });

    test('recovers after kill -9 of everything', async () => {
      const killed = again();
      const { url, directory } = await killed.ready;
      await query(url, 'CREATE TABLE IF NOT EXISTS committed AS SELECT 1 AS one');
      const postmaster = await postmasterOf(directory);
      killed.process.kill('SIGKILL');
      process.kill(postmaster, 'SIGKILL');
      const recovered = await again().ready;
      expect(await query(recovered.url, 'SELECT one FROM committed')).toEqual([{ one: 1 }]);
    });

    test('replaces the server that a killed gateway left running', async () => {
      const killed = again();
      const orphan = await postmasterOf((await killed.ready).directory);
      await killed.end('SIGKILL');
      expect(await isAlive(orphan)).toBe(true);
      const { url } = await again().ready;
      expect(await isAlive(orphan)).toBe(false);
      await expectKept(url);
    });

    test('does not stop a process that reuses the pid of an earlier server', async () => {
      const earlier = again();
      const file = join((await earlier.ready).directory, 'postmaster.pid');
      const [, ...lines] = (await readFile(file, 'utf8')).split('\n');
      await earlier.end();
      const stranger = spawn('sleep', ['60'], { ...account });
      try {
        await writeFile(file, [stranger.pid, ...lines].join('\n'));
        await expectKept((await again().ready).url);
        expect(await isAlive(stranger.pid ?? 0)).toBe(true);
      } finally {
        stranger.kill();
      }
    });

    test('rejects a second server with a message that names DATA_DIR and the holder, and keeps running', async () => {
      const holder = again();
      const { url, directory } = await holder.ready;
      const postmaster = await postmasterOf(directory);
      const second = again();
      const sentence = await second.refused;
      expect(sentence).toContain(`(pid ${holder.pid})`);
      expect(sentence).toContain(dataDir);
      expect(sentence).not.toContain('\n');
      await second.ended;
      expect(second.process.exitCode).toBe(1);
      expect(await postmasterOf(directory)).toBe(postmaster);
      await expectKept(url);
    });

    test('lets one of four win that start at once after a kill -9', async () => {
      const killed = again();
      await killed.ready;
      await killed.end('SIGKILL');
      expect(await outcomes([again(), again(), again(), again()])).toEqual(oneWinner);
    });

    test('reports when it dies', async () => {
      const driver = again();
      process.kill(await postmasterOf((await driver.ready).directory), 'SIGKILL');
      expect(await driver.died).toContain('SIGKILL');
    });

    test('shows the end of its log and what to do when it cannot start', async () => {
      const file = join(dataDir, 'postgres/postgresql.conf');
      const good = await readFile(file);
      await writeFile(file, 'nonsense = 1\n');
      const message = await again().refused;
      await writeFile(file, good);
      expect(message).toContain('unrecognized configuration parameter "nonsense"');
      expect(message).toContain('set DATABASE_URL');
    });

    test('reports missing files instead of creating an empty database', async () => {
      await rm(join(dataDir, 'postgres'), { recursive: true });
      const sentence = await again().refused;
      expect(sentence).toContain(`DATA_DIR ${dataDir} says`);
      expect(sentence).toContain('it is not there any more');
    });
  });
});

const oneWinner = ['ready', 'refused', 'refused', 'refused'];

async function outcomes(started: readonly Driver[]): Promise<string[]> {
  const each = started.map(({ ready, refused }) =>
    Promise.race([ready.then(() => 'ready'), refused.then(() => 'refused')]),
  );
  return (await Promise.all(each)).toSorted();
}
