import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { findBinaries } from '../../src/embedded-postgres/binaries.js';
import { errorStatus, ServiceError, toServiceError } from '../../src/errors.js';
import { apis } from '../support/api-client.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { connectTo } from '../support/database.js';
import { until } from '../support/mail-server.js';
import { startService } from '../support/service.js';
import { startServiceOnLine } from '../support/service-on-line.js';
import { tree } from '../support/source-tree.js';
import { words } from '../support/words.js';

const codeOf = (error: object) => toServiceError(error).code;
const errorWith = (fields: object, message = 'it failed') => Object.assign(new Error(message), fields);

describe('errors of the database', () => {
  /** Whole classes of SQLSTATEs, or single ones, in which the same statement may succeed later. */
  const temporary = /^(08...|25006|25P0[34]|28...|3D000|40001|40003|40P01|53...|55P03|57...|58...)$/;

  it('are UNAVAILABLE for every SQLSTATE that PostgreSQL has for a server that cannot serve, and for no other (D108)', async () => {
    const { postgres } = await findBinaries(null, () => undefined);
    const text = await readFile(join(postgres, '../../share/postgresql/errcodes.txt'), 'utf8');
    const states = [...text.matchAll(/^(\w{5})\s+E\s/gm)].map(([, state = '']) => state);
    expect(states.length).toBeGreaterThan(240);
    const found = states.filter((code) => codeOf(errorWith({ code })) === 'UNAVAILABLE');
    expect(found).toEqual(states.filter((state) => temporary.test(state)));
    // Named by the operators of the first release.
    for (const code of ['25006', '53100', '53300', '57P01', '57P02', '57P03', '57P04', '57P05', '08006'])
      expect([code, codeOf(errorWith({ code }))]).toEqual([code, 'UNAVAILABLE']);
    expect(codeOf(errorWith({ code: '55000' }, 'recovery is in progress'))).toBe('UNAVAILABLE');
    expect(codeOf(errorWith({ code: '55000' }))).toBe('INTERNAL');
  });

  it('are UNAVAILABLE for every system error while connecting, and for those of a connection at any time (D108)', () => {
    const codes = [...getSystemErrorMap().values()].map(([code]) => code);
    expect(codes.length).toBeGreaterThan(70);
    const connecting = codes.filter(
      (code) => codeOf(errorWith({ code, syscall: 'connect' })) !== 'UNAVAILABLE',
    );
    expect(connecting).toEqual([]);
    expect(
      codes.filter((code) => codeOf(errorWith({ code, syscall: 'read' })) === 'UNAVAILABLE').sort(),
    ).toEqual(
      [
        ...words(`
          EADDRNOTAVAIL ECONNABORTED ECONNREFUSED ECONNRESET EHOSTDOWN EHOSTUNREACH EMFILE`),
        ...words(`
          ENETDOWN ENETUNREACH ENFILE ENOBUFS ENONET ENOTCONN EPIPE ESHUTDOWN ETIMEDOUT`),
        ...codes.filter((code) => code.startsWith('EAI_')),
      ].sort(),
    );
    expect(codeOf(errorWith({ code: 'ENOENT', syscall: 'open' }))).toBe('INTERNAL');
  });

  it('are UNAVAILABLE for what the driver reports without a code (D108)', () => {
    for (const message of [
      'Connection terminated',
      'Connection terminated unexpectedly',
      'Connection terminated due to connection timeout',
      'Client has encountered a connection error and is not queryable',
      'Client was closed and is not queryable',
      'Query read timeout',
      'timeout expired',
      'timeout exceeded when trying to connect',
      'Cannot use a pool after calling end on the pool',
      'driver has already been destroyed',
      'The server does not support SSL connections',
    ])
      expect([message, codeOf(new Error(message))]).toEqual([message, 'UNAVAILABLE']);
    expect(codeOf(new Error('Query values must be an array'))).toBe('INTERNAL');
  });

  it('are found among the causes and the attempts of an error', () => {
    const refused = errorWith({ code: 'EHOSTUNREACH' });
    expect(codeOf(new Error('wrapped', { cause: new Error('twice', { cause: refused }) }))).toBe(
      'UNAVAILABLE',
    );
    expect(codeOf(new AggregateError([new Error('first'), refused]))).toBe('UNAVAILABLE');
    const circular = new Error('circular');
    circular.cause = circular;
    expect(codeOf(circular)).toBe('INTERNAL');
  });
});

describe('Retry-After', () => {
  it('is in every UNAVAILABLE, wherever it is made (D108)', () => {
    expect(new ServiceError('UNAVAILABLE', 'x').retryAfterSeconds).toBeGreaterThan(0);
    expect(
      new ServiceError('UNAVAILABLE', 'x', [], { retryAfterSeconds: null }).retryAfterSeconds,
    ).toBeGreaterThan(0);
    expect(new ServiceError('INTERNAL', 'x').retryAfterSeconds).toBeNull();
    // No other code has the status, and nothing but a ServiceError gets it.
    const codes = Object.entries(errorStatus).filter(([, status]) => status === 503);
    expect(codes).toEqual([['UNAVAILABLE', 503]]);
    const others = tree.filter(
      ({ path, text }) =>
        path !== 'src/errors.ts' && /\b(?:errorStatus\.UNAVAILABLE|status: 503|writeHead\(503)/.test(text),
    );
    expect(others.map(({ path }) => path)).toEqual([]);
  });
});

describe('on a bad day of the database', () => {
  const service = duringTests(() => startServiceOnLine({ DATABASE_POOL: '10' }));
  const line = beforeTests(() => service.line);
  const ada = beforeTests(() => service.aDeveloper());
  beforeAll(async () => {
    await service.anApp(ada, 'APPROVED');
  });

  const ready = async () => {
    const response = await service.client.request('GET', '/readyz');
    const body = (await response.json()) as { error?: { code: string; message: string } };
    return { status: response.status, retryAfter: response.headers.get('retry-after'), ...body.error };
  };
  const isReady = () => until(async () => (await ready()).status === 200, 'it is not ready');
  const setReadOnly = async (value: 'on' | 'off') => {
    await service.sql(
      `do $$ begin execute format('alter database %I set default_transaction_read_only = ${value}', current_database()); end $$`,
    );
    await service.sql(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  };

  it('answers writes to a read-only primary with 503 and Retry-After at both doors, reads go on, and it is not ready (D108, D240)', async () => {
    await isReady();
    await setReadOnly('on');
    try {
      await until(
        async () => (await ready()).message?.includes('accepts no writes') ?? false,
        'it does not notice',
      );
      expect(await ready()).toMatchObject({ status: 503, code: 'UNAVAILABLE', retryAfter: '2' });
      for (const api of apis) {
        await until(
          async () => (await service.client.call(api, 'me', {}, ada.key)).code === null,
          'no read succeeds',
        );
        for (const [name, input] of [
          ['updateMe', { name: 'Ada' }],
          ['createApp', { name: 'x', description: 'x', category: 'OTHER', environment: 'production' }],
          ['recordInstall', { slug: 'notes' }],
        ] as const) {
          const { code, status, headers } = await service.client.call(api, name, input, ada.key);
          expect([name, code, status, headers.get('retry-after')]).toEqual([
            name,
            'UNAVAILABLE',
            api === 'rest' ? 503 : 200,
            '2',
          ]);
        }
      }
    } finally {
      await setReadOnly('off').catch(() => setReadOnly('off'));
    }
    await isReady();
  });

  it('says at both doors that another request holds a lock that is not released in time (D108)', async () => {
    await isReady();
    await service.sql('create table held (id int)');
    await service.sql(`create function wait_briefly() returns trigger language plpgsql set lock_timeout = '10ms' as
      $$ begin lock table held; return new; end $$`);
    await service.sql(
      'create trigger wait_briefly before update on developers for each row execute function wait_briefly()',
    );
    const holder = await connectTo(service.databaseUrl);
    try {
      await holder.query('begin; lock table held');
      for (const api of apis) {
        const outcome = await service.client.call(api, 'updateMe', { name: `Ada by ${api}` }, ada.key);
        expect([outcome.code, outcome.message, outcome.headers.get('retry-after')]).toEqual([
          'UNAVAILABLE',
          'Another request is changing the same data. Try again in a few seconds.',
          '2',
        ]);
      }
    } finally {
      await holder.end();
      await service.sql('drop trigger wait_briefly on developers');
    }
  });

  it('says that the outcome is unknown when the connection is lost at COMMIT, and at no other statement (D108)', async () => {
    await isReady();
    const change = (name: string) => service.call('updateMe', { name }, ada.token);
    line.dieBy(/^commit$/i);
    const lost = await change('Ada Byron');
    line.dieBy(/^update /i);
    const failed = await change('Ada King');
    line.dieBy(null);
    expect([lost.code, failed.code]).toEqual(['UNAVAILABLE', 'UNAVAILABLE']);
    expect(lost.message).toMatch(/may have been saved or not/);
    expect(failed.message).not.toMatch(/may have been/);
    expect(lost.headers.get('retry-after')).toBe('2');
  });

  it('is not ready within seconds of a database that does not respond (D240)', async () => {
    await isReady();
    line.silence();
    const [first] = await Promise.all([ready(), ready(), ready()]);
    expect(first).toMatchObject({ status: 503, code: 'UNAVAILABLE', retryAfter: '2' });
    expect(first.message).toMatch(/does not respond within 2 seconds|cannot be reached/);
    await line.mend();
    await isReady();
  });
});

describe('a database with another schema', () => {
  const service = duringTests(startService);
  const ready = async () => {
    const response = await service.client.request('GET', '/readyz');
    const body = (await response.json()) as { error?: { message: string } };
    return [response.status, body.error?.message ?? ''];
  };

  it('is not ready while migrations or columns are missing, and says what to do; a newer one is ready (D240)', async () => {
    const [last] = await service.sql<{ name: string }>('select max(name) as name from schema_migrations');
    await service.sql('delete from schema_migrations where name = $1', [last!.name]);
    expect(await ready()).toEqual([503, expect.stringMatching(new RegExp(`lacks ${last!.name}\\. Restart`))]);
    await service.sql('insert into schema_migrations (name) values ($1)', [last!.name]);

    await service.sql('alter table apps rename column banner_url to former');
    expect(await ready()).toEqual([503, expect.stringContaining('lacks apps.banner_url. Restart')]);
    await service.sql('alter table apps rename column former to banner_url');

    await service.sql("insert into schema_migrations (name) values ('9999-later')");
    expect(await ready()).toEqual([200, '']);
  });
});
