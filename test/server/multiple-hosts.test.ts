import { chmod } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { ormOptions } from '../../mikro-orm.config.js';
import { hostUrls } from '../../src/config/formats.js';
import { openPool } from '../../src/db/pool.js';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../../src/embedded-postgres/embedded.js';
import { atOnce } from '../support/actors.js';
import { beforeTests } from '../support/before-tests.js';
import { connectTo, createTestDatabase } from '../support/database.js';
import { aFolder } from '../support/folder.js';
import { until } from '../support/mail-server.js';

const log = pino({ level: 'silent' });

let other: EmbeddedDatabase;
let folder: string;
let otherUrl: string;
let url: string;
const hostOf = (single: string) => new URL(single).host;

/** Two servers with the same login and a database of the same name; a closed port is the third. */
const first = beforeTests(createTestDatabase);
beforeAll(async () => {
  folder = await aFolder();
  await chmod(folder, 0o711);
  other = await startEmbeddedDatabase({ dataDir: folder, durable: false });
  const { username, password, pathname } = new URL(first.url);
  await onServer(
    other.url,
    `alter role ${username} password '${decodeURIComponent(password)}'`,
    `create database ${pathname.slice(1)}`,
  );
  otherUrl = first.url.replace(hostOf(first.url), hostOf(other.url));
  url = `${first.url.replace(hostOf(first.url), `${hostOf(other.url)},127.0.0.1:1,${hostOf(first.url)}`)}&target_session_attrs=read-write`;
  await setReadOnly(otherUrl, true);
});
afterAll(async () => {
  await other.stop();
  await first.drop();
});

async function onServer(server: string, ...statements: string[]): Promise<void> {
  await using client = await connectTo(server);
  await client.query('set default_transaction_read_only = off');
  for (const statement of statements) await client.query(statement);
}

/** Makes a server read-only or writable for new sessions, and ends the open ones, as a change of roles does. */
const setReadOnly = (server: string, isReadOnly: boolean) =>
  onServer(
    server,
    `alter database ${new URL(server).pathname.slice(1)} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );

const portOf = async (pool: Pool) =>
  (await pool.query<{ port: number }>('select inet_server_port() as port')).rows[0]?.port;

describe('a URL with several hosts (D237)', () => {
  it('leads to the server that accepts writes, and after a change of roles to the next one', async () => {
    const pool = openPool({ url, purpose: 'reads', max: 4, log });
    const ports = await atOnce(4, () => portOf(pool));
    expect(ports).toEqual(Array(4).fill(Number(new URL(first.url).port)));

    await setReadOnly(first.url, true);
    await setReadOnly(otherUrl, false);
    // A request that meets the change fails; those after it find the new primary.
    await until(
      async () => (await portOf(pool).catch(() => 0)) === Number(new URL(otherUrl).port),
      'no connection to the new primary',
    );
    expect(await atOnce(8, () => portOf(pool))).toEqual(Array(8).fill(Number(new URL(otherUrl).port)));

    await setReadOnly(otherUrl, true);
    // Requests that meet the change on an open connection fail in other ways.
    let problem: unknown;
    await until(
      async () => {
        problem = await portOf(pool).catch((error: Error) => error);
        return problem instanceof Error && 'code' in problem && problem.code === 'EHOSTUNREACH';
      },
      () => `not EHOSTUNREACH: ${String(problem)}`,
    );
    expect(String(problem)).toContain('accepts writes');
    expect(String(problem)).not.toContain(decodeURIComponent(new URL(url.replace(/,[^/]*/, '')).password));

    await setReadOnly(first.url, false);
    await until(
      async () => (await portOf(pool).catch(() => 0)) === Number(new URL(first.url).port),
      'no connection to the old primary',
    );
    await pool.end();
  });

  it('works for MikroORM too', async () => {
    const orm = await MikroORM.init(ormOptions(url, 2));
    const [row] = await orm.em.fork().execute('select inet_server_port() as port');
    expect(row).toEqual({ port: Number(new URL(first.url).port) });
    await orm.close();
  });

  it('is divided into URLs with one host each, with the login and the other parameters', () => {
    expect(
      hostUrls('postgresql://u:p%40@a:5433,[::1],c/x?sslmode=disable&target_session_attrs=read-write'),
    ).toEqual(['a:5433', '[::1]', 'c'].map((host) => `postgresql://u:p%40@${host}/x?sslmode=disable`));
    expect(hostUrls('postgres://a,b/x?target_session_attrs=primary&sslmode=disable')).toEqual([
      'postgres://a/x?sslmode=disable',
      'postgres://b/x?sslmode=disable',
    ]);
    for (const plain of ['postgres://u@a:1/x?sslmode=disable', 'postgresql:///x?host=/run/postgresql'])
      expect(hostUrls(plain)).toEqual([plain]);
  });
});
