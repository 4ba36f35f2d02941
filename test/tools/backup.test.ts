import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { v7 as newId } from 'uuid';
import { migrations } from '../../src/db/migrations/list.js';
import { SecretCipher } from '../../src/db/secrets.js';
import { keysOf } from '../../src/db/secrets-key.js';
import { seedDemo } from '../../src/demo-data/demo.js';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../../src/embedded-postgres/embedded.js';
import { openExistingDatabase } from '../../src/embedded-postgres/existing.js';
import { encryptSecret, newWebhookSecret } from '../../src/modules/webhooks/webhook-secret.service.js';
import { writeBackup } from '../../src/process/backups/backup.js';
import { verifyBackup } from '../../src/process/backups/format.js';
import { Progress } from '../../src/process/backups/progress.js';
import { requireKnownMigrations, restoreBackup } from '../../src/process/backups/restore.js';
import { migrateDatabase } from '../../src/process/migrate.js';
import { startCommand } from '../startup/command.js';
import { query } from '../startup/stage.js';
import { buildOnce, connectTo, createEmptyDatabase } from '../support/database.js';
import { aFolder } from '../support/folder.js';
import { until } from '../support/mail-server.js';

let folder: string;
let dataDir: string;
let source: EmbeddedDatabase;
let rowsAtBackup: Record<string, string[]>;
let keyId: string;
const at = (name: string) => join(folder, name);
const backup = (...args: string[]) => startCommand('backup', { DATA_DIR: dataDir }, ...args).ended;
const restore = (target: string, ...args: string[]) =>
  startCommand('restore', { DATA_DIR: target }, ...args).ended;

/** Reads every row of every table as text, computed columns included, and the sequences. Statistics are not backed up. */
async function readEverything(url: string): Promise<Record<string, string[]>> {
  const tables = await query(
    url,
    `select schemaname || '.' || quote_ident(tablename) as name from pg_tables
     where schemaname in ('public', 'pgboss') and tablename not like 'queue_stats%' order by 1`,
  );
  const everything: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await query(url, `select t::text as line from ${name} t order by 1`);
    everything[String(name)] = rows.map(({ line }) => String(line));
  }
  const sequences = await query(url, 'select sequencename, last_value::text from pg_sequences order by 1');
  return { ...everything, sequences: sequences.map((sequence) => JSON.stringify(sequence)) };
}

/** Stores a webhook secret, and values that a text format could damage. */
async function addDifficultRows(url: string): Promise<void> {
  const cipher = new SecretCipher(
    await keysOf(
      { secretKeys: null, production: false, databaseUrl: null, dataDir },
      pino({ level: 'silent' }),
    ),
  );
  keyId = cipher.keyIds[0] ?? '';
  await using client = await connectTo(url);
  const { rows } = await client.query<{ id: string }>('select id from developers limit 1');
  const id = newId();
  await client.query(
    `insert into webhook_endpoints (id, developer_id, url, events, description, signing_secret, created_at, updated_at)
     values ($1, $2, 'https://example.com/hook', '{app.approved}', $3, $4, now(), now())`,
    [id, rows[0]?.id, 'a\nb\tc\\.\r\n\\N "äöü" \u{1F600}', encryptSecret(cipher, id, newWebhookSecret())],
  );
  // The job queue creates such a table every day.
  await client.query(
    `create table pgboss.queue_stats_20200101 partition of pgboss.queue_stats for values from ('2020-01-01') to ('2020-01-02')`,
  );
  await client.query(`update developers set bio = E'\\\\.\\n\\\\.\\n' where id = $1`, [rows[0]?.id]);
}

beforeAll(async () => {
  await buildOnce();
  folder = await aFolder('backups ');
  await chmod(folder, 0o755);
  dataDir = at('data');
  source = await startEmbeddedDatabase({ dataDir, durable: false });
  await migrateDatabase(source.url);
  await seedDemo({ databaseUrl: source.url, publicUrl: 'http://127.0.0.1:4000' });
  await source.settle();
  await addDifficultRows(source.url);
  rowsAtBackup = await readEverything(source.url);
});
afterAll(async () => {
  await source.stop();
});

describe('npm run backup', () => {
  test('writes a file for its owner only, while the database is in use, and names the key to keep (D182)', async () => {
    const { code, stdout, stderr } = await backup(at('first'));
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Writing the rows… '),
    });
    expect(stdout).toContain(`${at('first')}: `);
    expect(stdout).toContain('verified');
    expect(stdout).toContain(`encrypted with the key ${keyId}. Keep ${join(dataDir, 'secrets-key')} too`);
    expect((await stat(at('first'))).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).sort()).toEqual(['data', 'first']);
    const key = await readFile(join(dataDir, 'secrets-key'), 'utf8');
    expect(gunzipSync(await readFile(at('first'))).includes(key.trim())).toBe(false);
  });

  test('never overwrites a file', async () => {
    await writeFile(at('precious'), 'precious');
    const { code, stderr } = await backup(at('precious'));
    expect(code).toBe(1);
    expect(stderr).toContain(`${at('precious')} already exists, and is not overwritten`);
    expect(await readFile(at('precious'), 'utf8')).toBe('precious');
  });

  test('names a folder that does not exist', async () => {
    const { code, stderr } = await backup(at('absent/monday'));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `The folder ${at('absent')} does not exist: create it, or choose another one.\n`,
    });
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'leaves no file that looks complete after %s (D182)',
    async (signal) => {
      const blocker = await connectTo(source.url);
      await blocker.query('begin; lock table developers in access exclusive mode');
      const running = startCommand('backup', { DATA_DIR: dataDir }, at('interrupted'));
      await until(async () => {
        const waiting = await query(source.url, 'select from pg_locks where not granted');
        return waiting.length > 0 && (await readdir(folder)).some((name) => name.startsWith('interrupted'));
      }, 'the backup did not wait');
      running.process.kill(signal);
      const { code } = await running.ended;
      await blocker.query('rollback');
      await blocker.end();
      expect(code).toBe(signal === 'SIGTERM' ? 1 : null);
      const left = (await readdir(folder)).filter((name) => name.startsWith('interrupted'));
      expect(left).toEqual(signal === 'SIGTERM' ? [] : [expect.stringMatching(/\.partial$/)]);
    },
  );

  test('explains itself, and rejects what it cannot do', async () => {
    expect(await backup('--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('npm run backup -- FILE'),
    });
    expect(await backup()).toMatchObject({
      code: 1,
      stderr: 'The name of the file is missing. Try --help.\n',
    });
    const external = { DATABASE_URL: source.url };
    expect(await startCommand('backup', external, at('x')).ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('docs/operations.md has the commands for your own PostgreSQL'),
    });
    expect(await startCommand('backup', { DATA_DIR: at('nothing') }, at('x')).ended).toMatchObject({
      code: 1,
      stderr: `DATA_DIR ${at('nothing')} has no database to back up.\n`,
    });
    expect(existsSync(at('nothing'))).toBe(false);
  });
});

describe('npm run restore', () => {
  const target = () => at('restored');

  test('restores nothing without the key of the secrets, and says where it belongs (D182)', async () => {
    const { code, stderr } = await restore(target(), at('first'));
    expect(code).toBe(1);
    expect(stderr).toContain(
      `encrypted with the key ${keyId}, which is neither in SECRETS_KEY nor in ${target()}`,
    );
    expect(existsSync(target())).toBe(false);
  });

  test('restores nothing from a damaged file', async () => {
    await copyFile(at('first'), at('cut'));
    await truncate(at('cut'), Math.floor((await stat(at('first'))).size / 2));
    const text = gunzipSync(await readFile(at('first'))).toString('latin1');
    await writeFile(
      at('changed'),
      gzipSync(Buffer.from(text.replace('\tVERIFIED\t', '\tUNVERIFIED\t'), 'latin1')),
    );
    await writeFile(at('other'), gzipSync('{}\n'));
    for (const [file, reason] of [
      ['changed', 'is damaged or incomplete'],
      ['other', 'is not a backup that this release can read'],
      ['precious', 'is not a backup that this release can read'],
      ['missing', 'cannot be read (ENOENT'],
    ] as const) {
      const verified = verifyBackup(at(file), new Progress(() => undefined), new AbortController().signal);
      await expect(verified).rejects.toThrow(`${at(file)} ${reason}`);
    }
    expect(await restore(target(), at('cut'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${at('cut')} is damaged or incomplete`),
    });
    expect(existsSync(target())).toBe(false);
  });

  test('restores every row into a new database (D182)', async () => {
    await mkdir(target(), { mode: 0o711 });
    await copyFile(join(dataDir, 'secrets-key'), join(target(), 'secrets-key'));
    const { code, stdout, stderr } = await restore(target(), at('first'));
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Verifying the rows… '),
    });
    expect(stdout).toContain('compared with the backup');
    const restored = await openExistingDatabase(target());
    const everything = await readEverything(restored?.url ?? '');
    await restored?.close();
    expect(Object.keys(everything)).toEqual(Object.keys(rowsAtBackup));
    expect(everything).toEqual(rowsAtBackup);
    expect(Object.values(everything).flat().length).toBeGreaterThan(200);
    expect(JSON.parse(await readFile(join(target(), 'cluster.json'), 'utf8'))).toMatchObject({
      state: 'settled',
    });
  });

  test('does not change a database that has data, or that a gateway uses', async () => {
    expect(await restore(target(), at('first'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The database is not empty'),
    });
    expect(await restore(dataDir, at('first'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is already using DATA_DIR'),
    });
  });

  test('restores the backup of an earlier release, and migrates it (D182)', async () => {
    const [earlier, restored] = [await createEmptyDatabase(), await createEmptyDatabase()];
    const names = migrations.map(({ name }) => name);
    // The first migration is the whole schema of its release.
    const earlierNames = names.slice(0, Math.max(1, names.length - 1));
    await migrateDatabase(earlier.url, earlierNames);
    await query(
      earlier.url,
      `insert into developers (id, account_user_id, name, email, status, created_at, updated_at)
       values ('${newId()}', 'ada', 'Ada', 'ada@example.com', 'UNVERIFIED', now(), now())`,
    );
    const { signal } = new AbortController();
    const progress = new Progress(() => undefined);
    const backup = await writeBackup(earlier.url, at('earlier'), progress, signal);
    const { manifest } = backup;
    expect(manifest.migrations).toEqual(earlierNames);
    await restoreBackup(restored.url, { ...backup, lostKeys: [] }, progress, signal);
    expect(await query(restored.url, 'select name from developers')).toEqual([{ name: 'Ada' }]);
    const found = await query(restored.url, 'select name from schema_migrations order by name');
    expect(found.map(({ name }) => name)).toEqual(names);
    const before = { ...manifest, migrations: ['0001-initial', '0042-frequent-words'] };
    expect(() => requireKnownMigrations(before)).toThrow('restore it with that release');
    const later = { ...manifest, migrations: [...names, '9999-later'] };
    expect(() => requireKnownMigrations(later)).toThrow('which has the migration 9999-later');
    progress.stop();
    await Promise.all([earlier.drop(), restored.drop()]);
  });

  test('replaces the secrets on request if their key is lost', async () => {
    const other = at('without-key');
    expect((await restore(other, '--new-webhook-secrets', at('first'))).code).toBe(0);
    const restored = await openExistingDatabase(other);
    const found = await query(
      restored?.url ?? '',
      'select distinct left(signing_secret, 6) as secret from webhook_endpoints',
    );
    expect(found).toEqual([{ secret: 'whsec_' }]);
    // A gateway does not run, so the command starts the database itself.
    await restored?.close();
    expect(await startCommand('backup', { DATA_DIR: other }, at('second')).ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('It contains no encrypted secrets.'),
    });
  });
});
