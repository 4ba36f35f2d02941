import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { Router } from 'express';
import { ormOptions } from '../../mikro-orm.config.js';
import { atOnce } from '../support/actors.js';
import { apis } from '../support/api-client.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { createTestDatabase } from '../support/database.js';
import { until } from '../support/mail-server.js';
import { RawConnection } from '../support/raw-connection.js';
import { withRequestContext } from '../support/request-context.js';
import { startService } from '../support/service.js';
import { startServiceOnLine } from '../support/service-on-line.js';
import { createLineLog } from './test-log.js';

describe.each(apis)('an unexpected error over %s', (api) => {
  const { log, lines } = createLineLog();
  const service = duringTests(() => startService({ WEB: 'on' }, log));
  const ada = beforeTests(() => service.aDeveloper());
  let slug: string;
  beforeAll(async () => {
    ({ slug } = await service.anApp(ada, 'APPROVED'));
    // No client can cause this: the database differs from what the code expects.
    await service.sql('alter table apps rename column created_at to its_secret_name');
  });

  it.each([
    ['browseApps', {}],
    ['myApps', {}],
    ['createApp', { name: 'x', description: 'x', category: 'OTHER', environment: 'production' }],
  ] as const)(
    'in %s is logged in full, and the response does not show its cause (D6)',
    async (name, input) => {
      lines.length = 0;
      const outcome = await service.client.call(api, name, input, ada.key);
      expect(outcome).toMatchObject({ code: 'INTERNAL', details: [], status: api === 'rest' ? 500 : 200 });

      expect(outcome.text).not.toMatch(/created_at|\.head|secret|select|insert|stack|42703/i);

      const id = outcome.headers.get('x-request-id');
      const logged = lines.filter((line) => line.level >= 50);
      expect(logged).toHaveLength(1);
      expect(logged[0]).toMatchObject({
        requestId: id,
        err: { message: expect.stringMatching(/created_at|[to]\.head/) },
      });
      expect(logged[0]!.err!.stack).toContain('\n    at ');
    },
  );

  it('in a page of the storefront is logged, and the page is left to its script (D382)', async () => {
    lines.length = 0;
    const response = await service.client.request('GET', `/market/apps/${slug}?over=${api}`);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(lines.filter((line) => line.level >= 50)).toEqual([
      expect.objectContaining({
        msg: 'page failed',
        requestId: response.headers.get('x-request-id'),
        err: expect.objectContaining({ message: expect.stringMatching(/created_at|[to]\.head/) }),
      }),
    ]);
  });

  it('does not put credentials into the log', () => {
    expect(lines.length).toBeGreaterThan(0);
    const log = JSON.stringify(lines);
    expect(log).not.toContain(ada.key);
    expect(log).not.toContain(ada.token);
    expect(log).not.toContain(new URL(service.databaseUrl).password || 'no password');
  });

  it('does not affect other operations', async () => {
    expect((await service.client.call(api, 'me', {}, ada.key)).code).toBeNull();
  });

  it('is logged, and mistakes of the caller are not', async () => {
    lines.length = 0;
    await service.client.call(api, 'me', {}, 'mkt_nonsense');
    await service.client.call(api, 'createApp', { name: '' }, ada.key);
    expect(lines.filter((line) => line.level >= 40)).toEqual([]);
  });
});

describe('while the database is unreachable', () => {
  const { log, lines } = createLineLog();
  const pool = 10;
  const service = duringTests(() => startServiceOnLine({ DATABASE_POOL: String(pool) }, log));
  const line = beforeTests(() => service.line);
  const ada = beforeTests(() => service.aDeveloper());

  const readiness = async () => (await service.client.request('GET', '/readyz')).status;
  const eventually = (isTrue: () => Promise<boolean>) => until(isTrue, () => 'the service has not recovered');

  it('is ready before that', async () => {
    const response = await service.client.request('GET', '/readyz');
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  });

  it('responds UNAVAILABLE over REST and GraphQL, to queries and mutations, with and without a key (D7)', async () => {
    await line.cut();
    for (const api of apis) {
      for (const [name, input] of [
        ['browseApps', {}],
        ['me', {}],
        ['recordInstall', { slug: 'x' }],
        ['updateMe', { name: 'Ada' }],
      ] as const) {
        const outcome = await service.client.call(api, name, input, ada.key);
        expect([api, name, outcome.code, outcome.status]).toEqual([
          api,
          name,
          'UNAVAILABLE',
          api === 'rest' ? 503 : 200,
        ]);
        expect(outcome.message).not.toMatch(/ECONN|127\.0\.0\.1|terminated/);
      }
    }
    expect(lines.some(({ err }) => err)).toBe(true);
    expect(JSON.stringify(lines)).not.toContain(new URL(service.databaseUrl).password || 'no password');
  });

  it('is alive, with its release, but not ready (D240)', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const alive = await service.client.request('GET', '/livez');
    expect([alive.status, await alive.json()]).toEqual([200, { status: 'ok', version }]);
    const response = await service.client.request('GET', '/readyz');
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: 'UNAVAILABLE', details: [] } });
  });

  it('still rejects requests and serves pages that need no database', async () => {
    expect((await service.client.request('GET', '/api/dev/me')).status).toBe(401);
    expect((await service.client.request('GET', '/api/dev/me', { bearer: 'mkt_nonsense' })).status).toBe(401);
    expect((await service.client.request('PATCH', '/api/apps')).status).toBe(405);
    const document = await service.client.request('GET', '/openapi.json');
    expect(document.status).toBe(200);
    expect(await document.json()).toHaveProperty('openapi');
  });

  it('recovers when the database is back', async () => {
    await line.mend();
    await eventually(async () => (await readiness()) === 200);
    for (const api of apis) {
      expect((await service.client.call(api, 'me', {}, ada.key)).code).toBeNull();
      expect((await service.client.call(api, 'updateMe', { name: 'Ada' }, ada.key)).code).toBeNull();
    }
  });

  it('recovers when the database closes every connection', async () => {
    await atOnce(5, () => service.client.call('rest', 'browseApps'));
    await service.sql(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await eventually(async () => (await service.client.call('rest', 'browseApps')).status === 200);
    await service.anApp(ada, 'PENDING');
  });

  it('replaces connections that are lost in the middle of a transaction', async () => {
    const change = () => service.call('updateMe', { name: 'Ada' }, ada.token);
    line.dieBy(/^(begin|commit)$/i);
    const outcomes = await Promise.all(Array.from({ length: 3 * pool }, change));
    expect(outcomes.map(({ code }) => code)).toEqual(outcomes.map(() => 'UNAVAILABLE'));
    line.dieBy(null);
    await eventually(async () => {
      const again = await Promise.all(Array.from({ length: 3 * pool }, change));
      return again.every(({ code }) => code === null);
    });
  });
});

describe('a database that accepts connections and never responds', () => {
  it('is UNAVAILABLE within half a minute (D7)', async () => {
    await using service = await startServiceOnLine();
    expect((await service.client.call('rest', 'browseApps')).status).toBe(200);
    service.line.silence();
    const outcome = service.client.call('rest', 'browseApps');
    const timeout = new Promise<null>((resolve) => setTimeout(() => resolve(null), 30_000).unref());
    expect(await Promise.race([outcome, timeout])).toMatchObject({ code: 'UNAVAILABLE', status: 503 });
  });
});

it('closes while a connection to the database is being opened', async () => {
  await using database = await createTestDatabase();
  const orm = await MikroORM.init(ormOptions(database.url));
  const pool = await orm.driver.getConnection().getNativeClient();
  const isClosed = new Promise<void>((resolve, reject) => {
    pool.options.onConnect = async () => {
      orm.close().then(resolve, reject);
      await nextTurn();
    };
  });
  // One connection is open already.
  const [, other] = await Promise.allSettled([1, 2].map(() => orm.em.fork().execute('select pg_sleep(0.1)')));
  await isClosed;
  expect(other).toMatchObject({ status: 'rejected' });
});

it('logs an error that is thrown after the response was sent, and closes the connection', async () => {
  const { log, lines } = createLineLog();
  const router = Router();
  router.use((_request, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('half');
    throw new Error('too late');
  });
  const server = createServer(withRequestContext(router, log));
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const connection = new RawConnection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const { status, body } = await connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n').readUntilClosed();
    expect([status, body]).toEqual([200, 'half']);
    expect(lines).toMatchObject([{ level: 50, msg: 'request failed', err: { message: 'too late' } }]);
  } finally {
    server.close().closeAllConnections();
  }
});
