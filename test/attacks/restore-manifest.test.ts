import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as newId } from 'uuid';
import { writeBackup } from '../../src/process/backups/backup.js';
import { type Manifest, type VerifiedBackup, verifyBackup } from '../../src/process/backups/format.js';
import { Progress } from '../../src/process/backups/progress.js';
import { requireKnownMigrations, restoreBackup } from '../../src/process/backups/restore.js';
import {
  connectTo,
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../support/database.js';
import { aFolder } from '../support/folder.js';

const { signal } = new AbortController();
const progress = new Progress(() => undefined);
let folder: string;
let source: TestDatabase;
let target: TestDatabase;
let backup: VerifiedBackup;
/** The text of the backup: its manifest, and everything between it and the checksum. */
let rows: string;
const at = (name: string) => join(folder, name);

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  await using client = await connectTo(url);
  return (await client.query(sql)).rows;
}

/** Writes a backup with a manifest of the attacker's, whose checksum is right. */
async function forge(name: string, manifest: object | string, body = rows, after = ''): Promise<string> {
  const line = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  const text = `${line}\n${body}`;
  const sha256 = createHash('sha256').update(text).digest('hex');
  await writeFile(at(name), gzipSync(`${text}${JSON.stringify({ sha256 })}\n${after}`));
  return at(name);
}

const verified = (file: string) => verifyBackup(file, progress, new AbortController().signal);

const withTable = (change: (table: Manifest['tables'][number]) => object) => ({
  ...backup.manifest,
  tables: backup.manifest.tables.map((table) => (table.name === 'public.ratings' ? change(table) : table)),
});

/** The manifest and the rows of the backup without some tables. */
function without(names: readonly string[]): [object, string] {
  const lines = rows.split('\n');
  let body = '';
  for (const { name, rows: count } of backup.manifest.tables) {
    // The rows of a table end with a line of their own.
    const own = lines.splice(0, count + 1);
    if (!names.includes(name)) body += `${own.join('\n')}\n`;
  }
  const tables = backup.manifest.tables.filter(({ name }) => !names.includes(name));
  return [{ ...backup.manifest, tables }, body];
}

beforeAll(async () => {
  folder = await aFolder('forged-');
  source = await createTestDatabase();
  await query(
    source.url,
    `insert into developers (id, account_user_id, name, email, status, created_at, updated_at)
     values ('${newId()}', 'ada', 'Ada', 'ada@example.com', 'UNVERIFIED', now(), now())`,
  );
  backup = await writeBackup(source.url, at('honest'), progress, signal);
  const text = gunzipSync(await readFile(at('honest'))).toString();
  const body = text.slice(text.indexOf('\n') + 1);
  rows = body.slice(0, body.lastIndexOf('\n', body.length - 2) + 1);
});
afterAll(async () => {
  progress.stop();
  await source.drop();
});
beforeEach(async () => {
  target = await createEmptyDatabase();
});
afterEach(async () => target.drop());

const forged: [string, () => object | string][] = [
  [
    'a statement in the place of a table',
    () => withTable((t) => ({ ...t, name: 'public.x from stdin; drop table developers; --' })),
  ],
  ['a quotation mark in the name of a table', () => withTable((t) => ({ ...t, name: 'public."a""b"' }))],
  ['a path in the place of a table', () => withTable((t) => ({ ...t, name: '../../etc/passwd' }))],
  [
    'a program in the place of the columns',
    () => withTable((t) => ({ ...t, columns: ["id) from program 'id' --"] })),
  ],
  ['a subquery in the place of a column', () => withTable((t) => ({ ...t, columns: ['(select 1)'] }))],
  ['a table without a schema', () => withTable((t) => ({ ...t, name: 'ratings' }))],
  [
    'a table twice',
    () => ({ ...backup.manifest, tables: [...backup.manifest.tables, backup.manifest.tables[0]] }),
  ],
  ['a column twice', () => withTable((t) => ({ ...t, columns: ['id', 'id'] }))],
  [
    'a sequence that is an expression',
    () => ({ ...backup.manifest, sequences: [{ name: "x'; --", value: '1', isCalled: true }] }),
  ],
  [
    'a sequence with a value that is no number',
    () => ({ ...backup.manifest, sequences: [{ name: 'pgboss.a', value: '1; --', isCalled: true }] }),
  ],
  ['a migration with control characters', () => ({ ...backup.manifest, migrations: ['\u001b[2J0001'] })],
  [
    'a migration twice',
    () => ({ ...backup.manifest, migrations: [...backup.manifest.migrations, '0100-baseline'] }),
  ],
  ['a negative number of rows', () => withTable((t) => ({ ...t, rows: -1 }))],
  ['two megabytes of manifest', () => ({ ...backup.manifest, padding: 'x'.repeat(2 * 1024 * 1024) })],
  ['two megabytes without a line break', () => 'x'.repeat(2 * 1024 * 1024)],
];

describe('restore rejects, before it touches a database, a manifest with', () => {
  test.each(forged)('%s', async (_, manifest) => {
    const file = await forge('forged', manifest());
    await expect(verified(file)).rejects.toThrow(`${file} is not a backup that this release can read (`);
  });

  test('a migration left out', async () => {
    const { manifest } = backup;
    expect(() => requireKnownMigrations(manifest)).not.toThrow();
    expect(() => requireKnownMigrations({ ...manifest, migrations: manifest.migrations.slice(1) })).toThrow(
      'was made by another release',
    );
  });

  test('another manifest after the end of the file', async () => {
    const file = await forge('second', backup.manifest, rows, `${JSON.stringify(backup.manifest)}\n${rows}`);
    await expect(verified(file)).rejects.toThrow('is damaged or incomplete');
  });

  test('another manifest among the rows', async () => {
    const file = await forge('among', backup.manifest, `${JSON.stringify(backup.manifest)}\n${rows}`);
    await expect(verified(file)).rejects.toThrow('is damaged: it has 1 of 0 rows');
  });
});

describe('restore', () => {
  const restored = async (file: string, found: VerifiedBackup) =>
    restoreBackup(target.url, { ...found, file, lostKeys: [] }, progress, signal);

  test('restores the same backup if nobody changes it', async () => {
    await restored(at('honest'), backup);
    expect(await query(target.url, 'select name from developers')).toEqual([{ name: 'Ada' }]);
  });

  test.each([
    ['table', { name: 'pg_catalog.pg_authid', columns: ['rolname'] }],
    ['table of the same name in another schema', { name: 'pgboss.ratings' }],
    ['column', { columns: ['id', 'password'] }],
  ])('fills no %s that it does not know (D182)', async (_, other) => {
    const file = await forge(
      'unknown',
      withTable((table) => ({ ...table, ...other })),
    );
    await expect(restored(file, await verified(file))).rejects.toThrow(
      /with other tables, such as .*Nothing was restored/,
    );
    expect(await query(target.url, 'select from developers')).toEqual([]);
  });

  test.each([
    ['a table', ['public.ratings']],
    ['a table with rows', ['public.developers']],
    ['several tables', ['pgboss.version', 'public.audit_events', 'public.ratings']],
  ])('names what is missing in a backup without %s, and restores nothing (D182)', async (_, missing) => {
    const file = await forge('missing', ...without(missing));
    await expect(restored(file, await verified(file))).rejects.toThrow(
      `The backup is incomplete. It does not have ${missing.join(', ')}: use another backup, or restore it with the release that made it. Nothing was restored.`,
    );
    expect(await query(target.url, 'select from developers')).toEqual([]);
  });

  test('names all tables if a backup has none (D182)', async () => {
    const names = backup.manifest.tables.map(({ name }) => name);
    const file = await forge('none', ...without(names));
    await expect(restored(file, await verified(file))).rejects.toThrow(
      `It does not have ${names.join(', ')}:`,
    );
  });

  test('names a sequence that is missing, and restores nothing (D182)', async () => {
    const [first, ...sequences] = backup.manifest.sequences;
    const file = await forge('fewer', { ...backup.manifest, sequences });
    await expect(restored(file, await verified(file))).rejects.toThrow(`It does not have ${first?.name}:`);
  });

  test('sets no sequence that it does not know (D182)', async () => {
    const other = { name: 'public.other_seq', value: '7', isCalled: true };
    const sequences = [...backup.manifest.sequences, other];
    const file = await forge('sequence', { ...backup.manifest, sequences });
    await expect(restored(file, await verified(file))).rejects.toThrow('such as public.other_seq');
  });

  test('restores nothing from a file whose manifest is replaced after it was verified (D182)', async () => {
    // A manifest that would fill other tables with the rows, and pass the comparison if it were read again.
    const tables = backup.manifest.tables.toReversed();
    const file = await forge('swapped', { ...backup.manifest, tables });
    await expect(restored(file, backup)).rejects.toThrow(`${file} was changed while it was being restored`);
    expect(await query(target.url, 'select from developers')).toEqual([]);
  });

  test('restores nothing from a file whose rows are replaced after it was verified (D182)', async () => {
    const file = await forge('rows', backup.manifest, rows.replace('ada@example.com', 'eve@example.com'));
    await expect(restored(file, backup)).rejects.toThrow('was changed while it was being restored');
    expect(await query(target.url, 'select from developers')).toEqual([]);
  });
});
