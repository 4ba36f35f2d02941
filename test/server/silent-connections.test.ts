import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { DatabaseListener } from '../../src/db/listen.js';
import { createClient, openPool } from '../../src/db/pool.js';
import { atOnce } from '../support/actors.js';
import { apis } from '../support/api-client.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { DatabaseLine } from '../support/database-line.js';
import { startServiceOnLine } from '../support/service-on-line.js';

const silenceMs = 1_000;
const log = pino({ level: 'silent' });

describe.each(apis)('connections that die in silence, over %s (D234)', (api) => {
  const service = duringTests(() =>
    startServiceOnLine({}, undefined, {
      databaseTimeouts: { silenceMs },
    }),
  );
  const line = beforeTests(() => service.line);
  const ada = beforeTests(() => service.aDeveloper());

  const call = async (name: 'me' | 'updateMe') =>
    (await service.client.call(api, name, name === 'me' ? {} : { name: 'Ada' }, ada.key)).code;
  const many = (name: 'me' | 'updateMe') => atOnce(6, () => call(name));

  it.each(['me', 'updateMe'] as const)(
    'cost %s one time-out at most: the next request works',
    async (name) => {
      expect(await many(name)).toEqual(Array(6).fill(null));
      line.blackhole();
      // None fails if a heartbeat has found out before.
      expect(['UNAVAILABLE', null]).toContain(await call(name));
      expect(await call(name)).toBeNull();
      expect((await service.client.request('GET', '/readyz')).status).toBe(200);
      expect(await many(name)).toEqual(Array(6).fill(null));
    },
  );
});

describe('the listening connection', () => {
  let database: TestDatabase;
  let line: DatabaseLine;
  let pool: Pool;
  let listener: DatabaseListener;
  beforeEach(async () => {
    database = await createTestDatabase();
    line = await DatabaseLine.to(database.url);
    pool = openPool({ url: database.url, purpose: 'tools', max: 1, log });
  });
  afterEach(async () => {
    await listener.close();
    await line.cut();
    await pool.end();
    await database.drop();
  });

  it.each([/^listen hello/, /^listen "catalog"/])(
    'is opened again if it dies in silence while it executes %s (D234)',
    async (statement) => {
      line.loseAt(statement);
      const notify = (...values: string[]) => pool.query('select pg_notify($1, $2)', values);
      listener = new DatabaseListener({ databaseUrl: line.url, log, notify });
      await new Promise<void>((onConnected) => {
        const subscriber = { effectOfLoss: 'nothing', onNotification: () => undefined };
        listener.subscribe({ ...subscriber, channel: 'catalog', onConnected });
      });
      expect(line.statements.filter((executed) => statement.test(executed))).toHaveLength(2);
    },
  );
});

describe('a connection of a pool', () => {
  const database = duringTests(createTestDatabase, (database) => database.drop());

  it('names its purpose, and has its time-outs from the login on (D234)', async () => {
    const pool = openPool({ url: database.url, purpose: 'writes', max: 1, log });
    const { rows } = await pool.query(`
      select current_setting('application_name') as name, current_setting('statement_timeout') as statement,
        current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`);
    expect(rows).toEqual([{ name: 'marketplace-gateway writes', statement: '10s', lock: '5s', idle: '20s' }]);
    await pool.end();
  });

  it('is discarded when the server turns out to be read-only, and the caller gets the error (D234)', async () => {
    const pool = openPool({ url: database.url, purpose: 'writes', max: 1, log });
    const pid = async () => (await pool.query('select pg_backend_pid() as pid')).rows[0].pid;
    const before = await pid();
    const client = await pool.connect();
    const ended = new Promise((resolve) => client.once('end', resolve));
    await client.query('set default_transaction_read_only = on');
    await expect(client.query('create table t ()')).rejects.toMatchObject({ code: '25006' });
    await ended;
    client.release();
    expect(await pid()).not.toBe(before);
    await pool.end();
  });

  it('is not ended while it is idle or a statement runs within its time (D234)', async () => {
    const client = createClient({ url: database.url, purpose: 'reads', timeouts: { silenceMs: 300 } });
    await client.connect();
    const other = createClient({ url: database.url, purpose: 'tools' });
    await other.connect();
    await other.query('select pg_sleep(0.5)');
    expect((await client.query('select 1 as one from pg_sleep(0.2)')).rows).toEqual([{ one: 1 }]);
    await expect(client.query('select pg_sleep(5)')).rejects.toThrow('the database was silent for too long');
    await other.end();
  });

  describe('of a process that was too busy for longer than the time-out (D234)', () => {
    const timeouts = { silenceMs: 300 };
    const beBusy = () => {
      for (const end = performance.now() + 600; performance.now() < end; );
    };
    let client: ReturnType<typeof createClient>;
    beforeEach(async () => {
      client = createClient({ url: database.url, purpose: 'reads', timeouts });
      await client.connect();
    });
    afterEach(() => client.end());

    it('is not ended if its answer has arrived meanwhile', async () => {
      const answer = client.query('select 1 as one');
      await nextTurn();
      beBusy();
      expect((await answer).rows).toEqual([{ one: 1 }]);
    });

    it('is not ended if it was idle, and executes a statement right afterwards', async () => {
      // Runs in the same turn as the timer of the connection, and after it.
      const later = delay(timeouts.silenceMs + 10).then(() =>
        client.query('select 1 as one from pg_sleep(0.1)'),
      );
      beBusy();
      expect((await later).rows).toEqual([{ one: 1 }]);
    });
  });
});
