import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { pino } from 'pino';
import { ormOptions } from '../../mikro-orm.config.js';
import type { Developer } from '../support/actors.js';
import { createTestDatabase } from '../support/database.js';
import { DatabaseLine } from '../support/database-line.js';
import { doors } from '../support/doors.js';
import { type Service, startService } from '../support/service.js';

interface LogLine {
  level: number;
  msg: string;
  requestId?: string;
  err?: { message: string; stack: string; code?: string };
}

/** A log that the test can read. */
function aLog() {
  const lines: LogLine[] = [];
  const log = pino({ level: 'info' }, { write: (text: string) => void lines.push(JSON.parse(text)) });
  return { log, lines };
}

describe.each(doors)('an unexpected failure over %s', (door) => {
  const { log, lines } = aLog();
  let service: Service;
  let ada: Developer;
  beforeAll(async () => {
    service = await startService({}, log);
    ada = await service.aDeveloper();
    await service.anApp(ada, 'APPROVED');
    // What no caller can cause: the database is not as the code believes.
    await service.sql('alter table apps rename column created_at to its_secret_name');
  });
  afterAll(() => service.close());

  it.each([
    ['browseApps', {}],
    ['myApps', {}],
    ['createApp', { name: 'x', description: 'x', category: 'OTHER', environment: 'production' }],
  ] as const)(
    'of %s says nothing of its cause to the caller and everything to the log (D6)',
    async (name, input) => {
      lines.length = 0;
      const outcome = await service.doors.call(door, name, input, ada.key);
      expect(outcome).toMatchObject({ code: 'INTERNAL', details: [], status: door === 'rest' ? 500 : 200 });

      expect(outcome.text).not.toMatch(/created_at|secret|select|insert|stack|42703/i);

      const id = outcome.headers.get('x-request-id');
      const logged = lines.filter((line) => line.level >= 50);
      expect(logged).toHaveLength(1);
      expect(logged[0]).toMatchObject({
        requestId: id,
        err: { message: expect.stringMatching(/created_at/) },
      });
      expect(logged[0]!.err!.stack).toContain('\n    at ');
    },
  );

  it('does not write credentials to the log', () => {
    expect(lines.length).toBeGreaterThan(0);
    const log = JSON.stringify(lines);
    expect(log).not.toContain(ada.key);
    expect(log).not.toContain(ada.token);
    expect(log).not.toContain(new URL(service.databaseUrl).password || 'no password');
  });

  it('leaves what does not depend on it alone', async () => {
    expect((await service.doors.call(door, 'me', {}, ada.key)).code).toBeNull();
  });

  it('does not log what is the caller’s own mistake', async () => {
    lines.length = 0;
    await service.doors.call(door, 'me', {}, 'mkt_nonsense');
    await service.doors.call(door, 'createApp', { name: '' }, ada.key);
    expect(lines.filter((line) => line.level >= 40)).toEqual([]);
  });
});

describe('while the database cannot be reached', () => {
  const { log, lines } = aLog();
  let service: Service;
  let line: DatabaseLine;
  let ada: Developer;
  const pool = 4;
  beforeAll(async () => {
    service = await startService({ DATABASE_POOL: String(pool) }, log, {
      databaseVia: async (url) => {
        line = await DatabaseLine.to(url);
        return line.url;
      },
    });
    ada = await service.aDeveloper();
  });
  afterAll(async () => {
    await line.mend();
    await service.close();
    await line.cut();
  });

  const readiness = async () => (await service.doors.request('GET', '/readyz')).status;
  /** Waits for what becomes true by itself, and soon. */
  const eventually = async (isTrue: () => Promise<boolean>) => {
    for (const end = Date.now() + 10_000; !(await isTrue()); ) {
      if (Date.now() > end) throw new Error('It never came true.');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  it('is ready at first', async () => {
    const response = await service.doors.request('GET', '/readyz');
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  });

  it('answers UNAVAILABLE at both doors, for reads and changes, keys and public alike (D7)', async () => {
    await line.cut();
    for (const door of doors) {
      for (const [name, input] of [
        ['browseApps', {}],
        ['me', {}],
        ['recordInstall', { slug: 'x' }],
        ['updateMe', { name: 'Ada' }],
      ] as const) {
        const outcome = await service.doors.call(door, name, input, ada.key);
        expect([door, name, outcome.code, outcome.status]).toEqual([
          door,
          name,
          'UNAVAILABLE',
          door === 'rest' ? 503 : 200,
        ]);
        expect(outcome.message).not.toMatch(/ECONN|127\.0\.0\.1|terminated/);
      }
    }
    expect(lines.some(({ err }) => err)).toBe(true);
    expect(JSON.stringify(lines)).not.toContain(new URL(service.databaseUrl).password || 'no password');
  });

  it('is alive but not ready', async () => {
    expect((await service.doors.request('GET', '/livez')).status).toBe(200);
    const response = await service.doors.request('GET', '/readyz');
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: 'UNAVAILABLE', details: [] } });
  });

  it('still refuses what needs no database', async () => {
    expect((await service.doors.request('GET', '/api/dev/me')).status).toBe(401);
    expect((await service.doors.request('GET', '/api/dev/me', { bearer: 'mkt_nonsense' })).status).toBe(401);
    expect((await service.doors.request('PATCH', '/api/apps')).status).toBe(405);
    expect((await service.doors.request('GET', '/openapi.json')).status).toBe(200);
  });

  it('recovers by itself once the database is back', async () => {
    await line.mend();
    await eventually(async () => (await readiness()) === 200);
    for (const door of doors) {
      expect((await service.doors.call(door, 'me', {}, ada.key)).code).toBeNull();
      expect((await service.doors.call(door, 'updateMe', { name: 'Ada' }, ada.key)).code).toBeNull();
    }
  });

  it('recovers when the database ends every connection', async () => {
    await Promise.all(Array.from({ length: 5 }, () => service.doors.call('rest', 'browseApps')));
    await service.sql(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await eventually(async () => (await service.doors.call('rest', 'browseApps')).status === 200);
    await service.anApp(ada, 'PENDING');
  });

  it('forgets no connection that dies in the middle of a change', async () => {
    const change = () => service.doors.call('graphql', 'updateMe', { name: 'Ada' }, ada.token);
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

describe('a database that takes connections and never answers', () => {
  it('is UNAVAILABLE within half a minute, not a caller who waits for ever (D7)', async () => {
    let line: DatabaseLine | undefined;
    const service = await startService({}, undefined, {
      databaseVia: async (url) => {
        line = await DatabaseLine.to(url);
        return line.url;
      },
    });
    try {
      expect((await service.doors.call('rest', 'browseApps')).status).toBe(200);
      line!.silence();
      const answer = service.doors.call('rest', 'browseApps');
      const patience = new Promise<null>((resolve) => setTimeout(() => resolve(null), 30_000).unref());
      expect(await Promise.race([answer, patience])).toMatchObject({ code: 'UNAVAILABLE', status: 503 });
    } finally {
      await line!.mend();
      await service.close();
      await line!.cut();
    }
  });
});

it('closes while a connection to the database is being opened', async () => {
  const database = await createTestDatabase();
  const orm = await MikroORM.init(ormOptions(database.url));
  const pool = await orm.driver.getConnection().getNativeClient();
  const isClosed = new Promise<void>((resolve, reject) => {
    pool.options.onConnect = async () => {
      orm.close().then(resolve, reject);
      await nextTurn();
    };
  });
  // One connection is there already.
  const [, other] = await Promise.allSettled([1, 2].map(() => orm.em.fork().execute('select pg_sleep(0.1)')));
  await isClosed;
  expect(other).toMatchObject({ status: 'rejected' });
  await database.drop();
});
