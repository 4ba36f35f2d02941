import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { migrations, textOf } from '../../src/db/migrations/list.js';
import { migrateDatabase } from '../../src/process/migrate.js';
import { duringTests } from '../support/before-tests.js';
import { connectTo, createEmptyDatabase } from '../support/database.js';
import { digestOf, problemsOf } from './migration-rules.js';

const file = 'test/db/migration-digests.json';
const released = JSON.parse(
  readFileSync(join(import.meta.dirname, 'migration-digests.json'), 'utf8'),
) as Record<string, string>;
/** Creates the tables, or needs a stop: the rules are for the migrations after it. */
const BASELINE = '0100-baseline';

describe('the migrations', () => {
  it('are frozen once they are released', () => {
    const problems = migrations.flatMap(({ name, class: migration }) => {
      const digest = digestOf(textOf(migration));
      if (released[name] === digest) return [];
      return released[name]
        ? [`${name} is released and was changed: undo that, and write a new migration`]
        : [`${name} is new: add the line "${name}": "${digest}" to ${file}`];
    });
    expect(problems).toEqual([]);
    const names = migrations.map(({ name }) => name);
    expect(Object.keys(released).filter((name) => !names.includes(name))).toEqual([]);
    expect(names).toEqual(names.toSorted());
  });

  it('are safe while the service runs, after the baseline', () => {
    const problems = migrations
      .filter(({ name }) => name > BASELINE)
      .map(({ name, class: migration }) => ({ name, problems: problemsOf(textOf(migration)) }))
      .filter((migration) => migration.problems.length > 0);
    expect(problems).toEqual([]);
  });
});

describe('the rules for migrations', () => {
  it.each([
    ['create index apps_x on apps (name)', 'require-concurrent-index-creation'],
    ['create index concurrently apps_x on apps (name)', 'ban-concurrent-index-creation-in-transaction'],
    ['drop index apps_x', 'require-concurrent-index-deletion'],
    ['alter table apps alter column name set not null', 'adding-not-nullable-field'],
    ['alter table apps alter column name type varchar(9)', 'changing-column-type'],
    ['alter table apps add column x text not null', 'adding-required-field'],
    ['alter table apps add column x uuid default gen_random_uuid()', 'adding-field-with-default'],
    ["alter table apps add constraint x check (name <> '')", 'constraint-missing-not-valid'],
    ['alter table apps add constraint x foreign key (id) references y', 'adding-foreign-key-constraint'],
    ['alter table apps drop column name', 'ban-drop-column'],
    ['alter table apps rename column name to x', 'renaming-column'],
    ['alter table apps rename to x', 'renaming-table'],
    ['drop table apps', 'ban-drop-table'],
    ['drop function list_app()', 'ban-drop'],
    ['drop view listed_texts', 'ban-drop'],
    ["update apps set name = 'x'", 'ban-backfill'],
    ['reindex table apps', 'ban-rewrite'],
  ])('refuse: %s', (statement, rule) => {
    expect(problemsOf({ isTransactional: true, statements: [statement] })).toContain(rule);
  });

  it.each([
    ['a column without a default', true, ['alter table apps add column x text']],
    ['a column with a constant', true, ["alter table apps add column x text not null default ''"]],
    ['a new table and its index', true, ['create table t (x text)', 'create index t_x on t (x)']],
    ['a check for new rows', true, ["alter table apps add constraint x check (name <> '') not valid"]],
    ['its validation later', true, ['alter table apps validate constraint x']],
    ['settings of a table', true, ['alter table apps set (fillfactor = 80)']],
    ['an exception', true, ['-- permit ban-drop\ndrop view x']],
    [
      'an index that is built concurrently and repeatably',
      false,
      [
        'drop index concurrently if exists apps_x',
        'create index concurrently if not exists apps_x on apps (name)',
      ],
    ],
  ])('permit %s', (_name, isTransactional, statements) => {
    expect(problemsOf({ isTransactional, statements })).toEqual([]);
  });

  it('refuse an index whose failed build would stay', () => {
    const statements = ['create index concurrently if not exists apps_x on apps (name)'];
    expect(problemsOf({ isTransactional: false, statements })).toEqual(['require-index-cleanup']);
  });
});

describe('migrating (D263)', () => {
  const names = migrations.map(({ name }) => name);
  const database = duringTests(createEmptyDatabase, (database) => database.drop());
  const client = duringTests(
    () => connectTo(database.url),
    (client) => client.end(),
  );
  beforeAll(async () => {
    await migrateDatabase(database.url);
  });

  /** Makes the baseline run again, as an upgrade. */
  const forgetBaseline = () =>
    client.query("update schema_migrations set name = '0042-frequent-words' where name = '0100-baseline'");
  const migrated = async () => {
    const { rows } = await client.query('select name from schema_migrations order by name');
    return rows.map(({ name }) => name);
  };
  /** Returns since when a statement has been waiting for a lock on the ratings. */
  const waitingSince = async () => {
    const { rows } = await client.query<{ since: string }>(
      "select waitstart::text as since from pg_locks where relation = 'ratings'::regclass and waitstart is not null",
    );
    return rows.map(({ since }) => since);
  };

  it('gives up a lock that traffic holds, names the migration, and leaves nothing of it behind', async () => {
    await forgetBaseline();
    await client.query('begin; select from ratings');
    const times = { lockTimeoutMs: 50, retryDelayMs: 1, maxAttempts: 2 };
    await expect(migrateDatabase(database.url, undefined, times)).rejects.toThrow(
      /^The migration 0100-baseline could not lock its tables in 2 attempts/,
    );
    await client.query('rollback');
    expect(await migrated()).toEqual(['0042-frequent-words', ...names.slice(1)]);
  });

  it('tries again until the lock is free', async () => {
    await client.query('begin; select from ratings');
    const running = migrateDatabase(database.url, undefined, { lockTimeoutMs: 100, retryDelayMs: 20 });
    const waits = new Set<string>();
    while (waits.size < 2) for (const since of await waitingSince()) waits.add(since);
    await client.query('commit');
    await running;
    expect(await migrated()).toEqual(names);
  });

  it('lets one of several processes migrate while the others wait', async () => {
    await using empty = await createEmptyDatabase();
    const times = { lockTimeoutMs: 2_000, retryDelayMs: 1, maxAttempts: 3 };
    const starts = Array.from({ length: 3 }, () => migrateDatabase(empty.url, undefined, times));
    const outcomes = await Promise.allSettled(starts);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
  });

  it('rejects a database from before 0.2.0, and names the release to start first', async () => {
    await client.query(
      "update schema_migrations set name = '0041-environment-lists' where name = '0100-baseline'",
    );
    await expect(migrateDatabase(database.url)).rejects.toThrow(
      /before 0\.2\.0\. Make a backup, start release 0\.2\.0 \(commit 047c790\)/,
    );
  });

  it('rejects a database of 0.2.0 while a gateway uses it', async () => {
    await client.query(
      "update schema_migrations set name = '0042-frequent-words' where name = '0041-environment-lists'",
    );
    const gateway = new Client({
      connectionString: database.url,
      application_name: 'marketplace-gateway reads',
    });
    await gateway.connect();
    await expect(migrateDatabase(database.url)).rejects.toThrow(
      'Gateways or workers of release 0.2.0 use the database (marketplace-gateway reads: 1). Stop all of them',
    );
    await gateway.end();
    await migrateDatabase(database.url);
    expect(await migrated()).toEqual(names);
  });
});
