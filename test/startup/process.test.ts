import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { beforeTests } from '../support/before-tests.js';
import { buildOnce, createTestDatabase } from '../support/database.js';
import { aFolder } from '../support/folder.js';
import { until } from '../support/mail-server.js';
import { type Gateway, sendHalf, startGateway, startInShell } from './gateway.js';
import { postmasterOf, query } from './stage.js';

let folder: string;
const running: Gateway[] = [];

beforeAll(async () => {
  await buildOnce();
  folder = await aFolder('gateway process ');
  await chmod(folder, 0o755);
});
afterEach(async () => {
  for (const gateway of running.splice(0)) await gateway.end();
});

const start = (settings: Record<string, string>, ...args: string[]) => {
  const gateway = startGateway({ PORT: '0', DATA_DIR: join(folder, 'unused'), ...settings }, ...args);
  running.push(gateway);
  return gateway;
};

describe('the service', () => {
  test('shows its settings and its version without starting', async () => {
    const help = start({}, '--help');
    expect(await help.ended).toBe(0);
    expect(help.output()).toContain('DATABASE_URL');
    const version = start({}, '--version');
    expect(await version.ended).toBe(0);
    expect(version.output()).toMatch(/^\d+\.\d+\.\d+\n$/);
    const unknown = start({}, '--prot=1');
    expect(await unknown.ended).toBe(1);
    expect(unknown.output()).toBe('There is no option --prot=1. Try --help.\n');
  });

  test('reports all wrong settings at once, before anything starts', async () => {
    const gateway = start({ PORT: 'many', SEED: 'some', DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud' });
    expect(await gateway.ended).toBe(1);
    for (const name of ['PORT', 'SEED', 'DATABASE_URL', 'LOG_LEVEL']) {
      expect(gateway.output()).toMatch(new RegExp(`^ {2}- ${name} must be`, 'm'));
    }
    expect(gateway.output()).not.toContain('    at ');
    expect(existsSync(join(folder, 'unused'))).toBe(false);
  });

  test('reports that its port is in use, before anything else is done', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const gateway = start({ PORT: String(port) });
    expect(await gateway.ended).toBe(1);
    other.close();
    expect(gateway.output()).toBe(
      `Port ${port} on 127.0.0.1 is already taken: stop the program that has it, or set PORT to another.\n`,
    );
    expect(existsSync(join(folder, 'unused'))).toBe(false);
  });

  test('reports an unreachable DATABASE_URL, without the password', async () => {
    const gateway = start({ DATABASE_URL: 'postgres://someone:secret@127.0.0.1:1/shop' });
    expect(await gateway.ended).toBe(1);
    expect(gateway.output()).toMatch(
      /^The database shop on 127\.0\.0\.1:1 cannot be used .*check DATABASE_URL.*\n$/,
    );
    expect(gateway.output()).not.toContain('secret');
  });

  test('runs on the database of DATABASE_URL, puts no demo data there, and warns about misspelt settings (D253)', async () => {
    await using database = await createTestDatabase();
    const misspelt = { RATE_LIMIT: 'off', 'log-level': 'info', POTR: '1' };
    const gateway = start({ DATABASE_URL: database.url, ...misspelt, HOME: '/' });
    const response = await fetch(`${await gateway.url()}/api/apps`);
    expect(response.status).toBe(200);
    expect(await query(database.url, 'SELECT FROM developers')).toEqual([]);
    expect(gateway.output()).toContain(
      'Not settings, and without effect: RATE_LIMIT (RATE_LIMITS?), log-level (LOG_LEVEL?), POTR (PORT?).\n',
    );
    expect(existsSync(join(folder, 'unused/postgres'))).toBe(false);
    expect(await gateway.end()).toBe(0);
  });
});

describe('the service with its own database', () => {
  const settings = () => ({ DATA_DIR: join(folder, 'data') });
  const databaseLog = () => readFile(join(folder, 'data/postgres.log'), 'utf8');
  const cleanlyShutDown = 'database system is shut down';

  test('repeats a first start that was interrupted', async () => {
    const gateway = start(settings());
    await gateway.says(/Making the database/);
    expect(await gateway.end('SIGINT')).toBe(0);
    expect(gateway.output()).not.toContain('ready in');
  });

  test('lets a request in flight finish on Ctrl-C, accepts no other, and stops the database last', async () => {
    const gateway = start(settings());
    const url = await gateway.url();
    const half = await sendHalf(url);
    gateway.process.kill('SIGINT');
    await gateway.says(/Stopping/);
    await until(
      () =>
        fetch(url).then(
          () => false,
          () => true,
        ),
      'it still accepts connections',
    );
    expect(await databaseLog()).not.toContain('shutdown request');
    half.finish();
    expect(await half.answer).toContain('{"data":{"__typename":"Query"}}');
    expect(await gateway.ended).toBe(0);
    expect(gateway.output()).toMatch(/Stopped\n$/);
    expect(await databaseLog()).toContain(cleanlyShutDown);
  });

  test('ends within 15 s of SIGTERM, whatever a caller does', async () => {
    const gateway = start(settings());
    const half = await sendHalf(await gateway.url());
    gateway.process.kill('SIGTERM');
    // A process that does not stop in time ends itself with exit code 1.
    expect(await gateway.ended).toBe(0);
    await half.answer;
    expect(await databaseLog()).toContain(cleanlyShutDown);
  });

  test('hurries at a second Ctrl-C, and still stops the database in order', async () => {
    // Longer than a test may take.
    const gateway = start({ ...settings(), DRAIN_SECONDS: '300' });
    const half = await sendHalf(await gateway.url());
    gateway.process.kill('SIGINT');
    // The signal that npm forwards at once is not a second Ctrl-C.
    gateway.process.kill('SIGINT');
    await delay(1_000);
    expect(gateway.process.exitCode).toBe(null);
    gateway.process.kill('SIGINT');
    await half.answer;
    expect(await gateway.ended).toBe(0);
    expect(await databaseLog()).toContain(cleanlyShutDown);
  });

  test('stops in order when its terminal is gone', async () => {
    const gateway = start(settings());
    await gateway.url();
    gateway.process.stdout.destroy();
    gateway.process.stderr.destroy();
    expect(await gateway.end('SIGHUP')).toBe(0);
    expect(await databaseLog()).toContain(cleanlyShutDown);
  });

  test('stops in order when npm is stopped, which ends only the shell', async () => {
    const gateway = startInShell({ PORT: '0', ...settings() });
    await gateway.url();
    await gateway.end();
    expect(gateway.output()).toMatch(/Stopped\n$/);
    expect(await databaseLog()).toContain(cleanlyShutDown);
  });

  describe('while it runs', () => {
    const gateway = beforeTests(() => startGateway({ PORT: '0', ...settings() }));
    beforeAll(async () => {
      await gateway.url();
    });
    afterAll(async () => {
      await gateway.end();
    });

    test('prints a banner of at most 20 lines that are true', async () => {
      const url = await gateway.url();
      expect(
        gateway.output().slice(gateway.output().indexOf('marketplace-gateway')).split('\n').length,
      ).toBeLessThan(20);
      expect(gateway.output()).toMatch(/ready in \d+\.\d s/);
      // Such as those that Node writes when a library uses what is deprecated.
      expect(gateway.output()).not.toContain('Warning');
      expect(gateway.output()).toContain(join(folder, 'data'));
      for (const path of ['/', '/playground', '/api/apps', '/docs']) {
        expect(gateway.output()).toContain(`${url}${path}\n`);
        expect((await fetch(`${url}${path}`)).status).toBe(200);
      }
      const [, body = ''] = gateway.output().match(/dev\/token .*-d '(.*)'/) ?? [];
      const headers = { 'content-type': 'application/json' };
      const token = await fetch(`${url}/dev/token`, { method: 'POST', headers, body });
      expect(token.status).toBe(200);
      expect(body).toContain('"demo-admin"');
    });

    test('has demo data from its first start', async () => {
      const page = await (await fetch(`${await gateway.url()}/api/apps`)).text();
      expect(page).toContain('"slug"');
    });

    test('refuses to share its DATA_DIR', async () => {
      const second = start(settings());
      expect(await second.ended).toBe(1);
      expect(second.output()).toMatch(/^Another server \(pid \d+\) is already using DATA_DIR .*\n$/);
      expect((await fetch(`${await gateway.url()}/api/apps`)).status).toBe(200);
    });

    test('ends when its database dies, and reports it', async () => {
      process.kill(await postmasterOf(join(folder, 'data/postgres')), 'SIGKILL');
      expect(await gateway.ended).toBe(1);
      expect(gateway.output()).toContain('PostgreSQL ended by itself (SIGKILL)');
    });
  });
});
