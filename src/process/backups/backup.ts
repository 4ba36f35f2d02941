import { createHash } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { access, link, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { withClient } from '../../db/pool.js';
import { StartupError } from '../../errors.js';
import { connectionTo, digestOf, readManifest, readTables, sessionSettings } from './database.js';
import { countRows, END_OF_ROWS, type TableEntry, type VerifiedBackup, verifyBackup } from './format.js';
import type { Progress } from './progress.js';

/** Writes the backup of a database to a new file, and verifies it before the file gets its name. */
export async function writeBackup(
  databaseUrl: string,
  file: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<VerifiedBackup> {
  await requireAbsent(file);
  await requireFolder(dirname(file));
  const partial = `${file}.${process.pid}.partial`;
  try {
    await withClient(connectionTo(databaseUrl), async (client) => {
      await client.query(sessionSettings);
      await client.query('begin isolation level repeatable read, read only');
      await writeFile(client, partial, progress, signal);
    });
    const verified = await verifyBackup(partial, progress, signal);
    await syncFile(partial);
    signal.throwIfAborted();
    await publish(partial, file);
    return { ...verified, file };
  } finally {
    await rm(partial, { force: true });
  }
}

async function writeFile(
  client: Client,
  path: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const compressed = createGzip();
  const written = pipeline(compressed, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
  // The error is reported when `written` is awaited, and writing to a destroyed stream fails before.
  written.catch(() => undefined);
  const pieces = backupPieces(client, progress);
  await Promise.all([written, pipeline(pieces, compressed, { signal })]);
}

/** Yields the text of a backup of what the client's transaction sees. */
async function* backupPieces(client: Client, progress: Progress): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const hashed = (piece: Buffer) => {
    hash.update(piece);
    return piece;
  };
  const tables: TableEntry[] = [];
  progress.start('Counting the rows');
  for (const table of await readTables(client)) {
    const digest = await digestOf(client, table);
    tables.push({ ...table, ...digest });
    progress.add(digest.rows, 0);
  }
  yield hashed(jsonLine(await readManifest(client, tables)));
  progress.start('Writing the rows', tables);
  for (const { name, columns } of tables) {
    const rows = client.query(copyTo(`copy (select ${columns.join(', ')} from ${name}) to stdout`));
    for await (const piece of rows as AsyncIterable<Buffer>) {
      progress.add(countRows(piece), piece.length);
      yield hashed(piece);
    }
    yield hashed(END_OF_ROWS);
  }
  yield jsonLine({ sha256: hash.digest('hex') });
}

const jsonLine = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`);

async function requireAbsent(file: string): Promise<void> {
  const exists = await access(file, constants.F_OK).then(
    () => true,
    () => false,
  );
  if (exists) throw new StartupError(`${file} already exists, and is not overwritten: choose another name.`);
}

async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory())
    throw new StartupError(`The folder ${folder} does not exist: create it, or choose another one.`);
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.sync();
  await handle.close();
}

/** Gives the finished file its name; fails if another file got it meanwhile. */
async function publish(partial: string, file: string): Promise<void> {
  try {
    await link(partial, file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    // Some file systems have no links.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EEXIST') throw error;
    await requireAbsent(file);
    await rename(partial, file);
  }
}
