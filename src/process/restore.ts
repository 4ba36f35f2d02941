import { resolve } from 'node:path';
import { callerDirectory } from '../config.js';
import { existingKeyIds, secretsKeyFile } from '../db/secrets-key.js';
import { startEmbeddedDatabase } from '../embedded-postgres/embedded.js';
import { StartupError } from '../errors.js';
import { type FileCommandInput, runFileCommand } from './backups/command.js';
import { verifyBackup } from './backups/format.js';

const NEW_SECRETS = 'new-webhook-secrets';

const help = `Restores a backup of npm run backup into an empty or new embedded database. The gateway must not run.

  npm run restore -- FILE
  DATA_DIR=another npm run restore -- FILE

The file is verified first, everything is restored in one transaction, and each table is compared with the backup before
the transaction is committed. A database that has data is not changed.

The key that encrypts webhook secrets must be there before: in SECRETS_KEY, or as the file DATA_DIR/secrets-key.

  --${NEW_SECRETS}   if the key is lost: replace the secrets. Webhooks then fail until each developer rotates theirs
  --help                  show this text
`;

await runFileCommand({ help, options: [NEW_SECRETS], run });

async function run({ file, options, config, progress, signal }: FileCommandInput): Promise<string> {
  const path = resolve(callerDirectory(), file);
  const dataDir = resolve(config.dataDir);
  const backup = await verifyBackup(path, progress, signal);
  const { manifest } = backup;
  // Imported only now, so that a wrong file is reported at once.
  const { requireKnownMigrations, restoreBackup } = await import('./backups/restore.js');
  requireKnownMigrations(manifest);
  const keyIds = await existingKeyIds({ ...config, dataDir });
  const lostKeys = manifest.secretKeys.filter((id) => !keyIds.includes(id));
  if (lostKeys.length > 0 && !options.has(NEW_SECRETS))
    throw new StartupError(
      `The webhook secrets of this backup are encrypted with the key ${lostKeys.join(' and ')}, which is neither in SECRETS_KEY nor in ${secretsKeyFile(dataDir)}. Put the key there first. If it is lost, use --${NEW_SECRETS}.`,
    );
  const onProgress = (message: string) => void process.stderr.write(`${message}\n`);
  const database = await startEmbeddedDatabase({ dataDir, onProgress, signal });
  try {
    await restoreBackup(database.url, { ...backup, lostKeys }, progress, signal);
    await database.settle();
  } finally {
    await database.stop();
  }
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  return `${dataDir} has the data of ${manifest.createdAt}: ${rows.toLocaleString('en')} rows of ${manifest.tables.length} tables, compared with the backup. Jobs that waited then run at the next start, so some mails and webhooks may be sent again.`;
}
