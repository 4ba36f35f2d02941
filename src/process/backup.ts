import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { callerDirectory } from '../config.js';
import { secretsKeyFile } from '../db/secrets-key.js';
import { openExistingDatabase } from '../embedded-postgres/existing.js';
import { StartupError } from '../errors.js';
import { writeBackup } from './backups/backup.js';
import { type FileCommandInput, runFileCommand } from './backups/command.js';
import type { Manifest } from './backups/format.js';
import { formatBytes } from './backups/progress.js';

const help = `Backs up the embedded database to a new file, while the gateway runs or not.

  npm run backup -- FILE

The file is a consistent copy of all rows at one moment, compressed. It is verified before it gets its name, an existing
file is never overwritten, and only the current user can read it: it contains personal data. npm run restore -- FILE
restores it. DATA_DIR says which database (default .data).

The file does not contain the key that encrypts webhook secrets: keep SECRETS_KEY, or the file DATA_DIR/secrets-key, in
another place.
`;

await runFileCommand({ help, options: [], run });

async function run({ file, config, progress, signal }: FileCommandInput): Promise<string> {
  const { dataDir } = config;
  const path = resolve(callerDirectory(), file);
  const database = await openExistingDatabase(dataDir, signal);
  if (!database) throw new StartupError(`DATA_DIR ${resolve(dataDir)} has no database to back up.`);
  try {
    const { manifest } = await writeBackup(database.url, path, progress, signal);
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    const { size } = await stat(path);
    return [
      `${path}: ${rows.toLocaleString('en')} rows of ${manifest.tables.length} tables, ${formatBytes(size)}, verified.`,
      keyNotice(manifest, config.secretKeys ? 'the value of SECRETS_KEY' : secretsKeyFile(resolve(dataDir))),
    ].join('\n');
  } finally {
    await database.close();
  }
}

function keyNotice({ secretKeys }: Manifest, place: string): string {
  if (secretKeys.length === 0) return 'It contains personal data. It contains no encrypted secrets.';
  return `It contains personal data, and webhook secrets that are encrypted with the key ${secretKeys.join(' and ')}. Keep ${place} too, but in another place: without it the secrets are lost.`;
}
