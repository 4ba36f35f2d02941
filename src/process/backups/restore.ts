import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { migrations } from '../../db/migrations/list.js';
import { withClient } from '../../db/pool.js';
import { StartupError } from '../../errors.js';
import { newWebhookSecret } from '../../modules/webhooks/webhook-secret.service.js';
import { migrateDatabase } from '../migrate.js';
import {
  connectionTo,
  digestOf,
  readMigrations,
  readSequences,
  readTables,
  sessionSettings,
  type TableColumns,
} from './database.js';
import { BackupReader, countRows, type Manifest, type VerifiedBackup } from './format.js';
import type { Progress } from './progress.js';

/** A verified backup, and the ids of the keys whose secrets are replaced because the keys are lost. */
export interface RestoreRequest extends VerifiedBackup {
  readonly lostKeys: readonly string[];
}

/** Rejects a backup of a newer release, whose migrations this one does not have, and one that leaves out a migration. */
export function requireKnownMigrations({ migrations: wanted }: Manifest): void {
  const unknown = wanted.find((name, at) => migrations[at]?.name !== name);
  if (unknown === undefined && wanted.length > 0) return;
  const difference = unknown ? `has the migration ${unknown}` : 'has no migrations';
  throw new StartupError(
    `The backup was made by another release, which ${difference}: restore it with that release, then upgrade.`,
  );
}

/** Restores a backup into an empty database, in one transaction; then runs the migrations that are newer than the backup. */
export async function restoreBackup(
  databaseUrl: string,
  request: RestoreRequest,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  await withClient(connectionTo(databaseUrl), async (client) => {
    await client.query(sessionSettings);
    await requireEmpty(client);
    progress.start('Creating the tables');
    await migrateDatabase(databaseUrl, request.manifest.migrations);
    await requireSameTables(client, request.manifest);
    await client.query('begin');
    // Disables triggers and foreign keys: the backup contains their results too.
    await client.query('set local session_replication_role = replica');
    await fillTables(client, request, progress, signal);
    await verifyTables(client, request.manifest, progress, signal);
    for (const keyId of request.lostKeys) await replaceSecrets(client, keyId);
    signal.throwIfAborted();
    await client.query('commit');
    await client.query('analyze');
  });
  // Also touches the tables of the job queue, so it is not done without need.
  if (request.manifest.migrations.length < migrations.length) await migrateDatabase(databaseUrl);
}

async function requireEmpty(client: Client): Promise<void> {
  const { rows } = await client.query<{ is_new: boolean }>(
    `select to_regclass('public.audit_events') is null as is_new`,
  );
  if (rows[0]?.is_new) return;
  // A database with any data has a developer or an event.
  const found = await client.query('select from developers union all select from audit_events limit 1');
  if (found.rowCount)
    throw new StartupError(
      'The database is not empty, and a backup is never restored over other data: choose another DATA_DIR, or move this one away.',
    );
}

/** The data fits only if the tables were created by the same migrations and the same version of the job queue. */
async function requireSameTables(client: Client, manifest: Manifest): Promise<void> {
  const found = await readMigrations(client);
  if (found.length !== manifest.migrations.length)
    throw new StartupError(
      'The database is empty, but it has newer migrations than the backup: choose another DATA_DIR, or move this one away.',
    );
  const tables = await readTables(client);
  const sequences = await readSequences(client);
  const describe = ({ name, columns }: TableColumns) => `${name} (${columns.join(', ')})`;
  const existing = tables.map(describe);
  const different =
    manifest.tables.map(describe).find((table) => !existing.includes(table)) ??
    namesOnlyIn(manifest.sequences, sequences)[0];
  if (different !== undefined)
    throw new StartupError(
      `The backup was made by a release with other tables, such as ${different}: restore it with that release, then update. Nothing was restored.`,
    );
  const missing = [...namesOnlyIn(tables, manifest.tables), ...namesOnlyIn(sequences, manifest.sequences)];
  if (missing.length > 0)
    throw new StartupError(
      `The backup is incomplete. It does not have ${missing.join(', ')}: use another backup, or restore it with the release that made it. Nothing was restored.`,
    );
}

type Named = readonly { readonly name: string }[];
const namesOnlyIn = (some: Named, others: Named): string[] =>
  some.map(({ name }) => name).filter((name) => !others.some((other) => other.name === name));

async function fillTables(
  client: Client,
  { file, manifest: { tables, sequences }, sha256 }: RestoreRequest,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const reader = new BackupReader(file);
  try {
    await reader.skipManifest();
    progress.start('Restoring the rows', tables);
    await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
    for (const { name, columns } of tables) {
      const rows = client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`));
      await pipeline(Readable.from(counted(reader.readRows(), progress)), rows, { signal });
    }
    for (const { name, value, isCalled } of sequences)
      await client.query('select setval($1, $2, $3)', [name, value, isCalled]);
    if ((await reader.readEnd()) !== sha256)
      throw new StartupError(`${file} was changed while it was being restored: nothing was restored.`);
  } finally {
    reader.close();
  }
}

async function* counted(rows: AsyncIterable<Buffer>, progress: Progress): AsyncGenerator<Buffer> {
  for await (const piece of rows) {
    progress.add(countRows(piece), piece.length);
    yield piece;
  }
}

/** Compares every table with the one that was backed up. */
async function verifyTables(
  client: Client,
  { tables }: Manifest,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  progress.start('Verifying the rows', tables);
  for (const table of tables) {
    signal.throwIfAborted();
    const { rows, digest } = await digestOf(client, table);
    if (rows !== table.rows || digest !== table.digest)
      throw new StartupError(
        `The table ${table.name} differs from the backup (${rows} of ${table.rows} rows): nothing was restored.`,
      );
    progress.add(rows, 0);
  }
}

/** Replaces the webhook secrets that nobody can decrypt any more; their owners have to rotate them. */
async function replaceSecrets(client: Client, keyId: string): Promise<void> {
  const encrypted = `enc.v1.${keyId}.%`;
  await client.query(
    'update webhook_endpoints set former_secret = null, former_secret_until = null where former_secret like $1',
    [encrypted],
  );
  const { rows } = await client.query<{ id: string }>(
    'select id from webhook_endpoints where signing_secret like $1',
    [encrypted],
  );
  for (const { id } of rows)
    await client.query('update webhook_endpoints set signing_secret = $2 where id = $1', [
      id,
      newWebhookSecret(),
    ]);
}
