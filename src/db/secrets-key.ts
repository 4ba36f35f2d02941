import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { parseSecretKeys } from '../config/formats.js';
import type { Config } from '../config.js';
import { StartupError } from '../errors.js';
import { openDataDir } from './data-dir.js';
import { SecretCipher } from './secrets.js';

const keyBytes = 32;

/**
 * Creates the cipher with the keys of SECRETS_KEY, and fails if they cannot decrypt the stored secrets. Without the
 * setting, a key is created in DATA_DIR where that is as durable as the database: outside production, and with the
 * embedded database. Otherwise secrets are stored unencrypted and the log warns (D126).
 */
export async function openSecrets(
  config: SecretSettings,
  log: Logger,
  orm: MikroORM,
  verifyKeys: (em: EntityManager, cipher: SecretCipher) => Promise<void>,
): Promise<SecretCipher> {
  try {
    const cipher = new SecretCipher(await keysOf(config, log));
    await verifyKeys(orm.em.fork(), cipher);
    return cipher;
  } catch (error) {
    // Its open connections would keep the process alive although it fails to start.
    await orm.close();
    throw error;
  }
}

export type SecretSettings = Pick<Config, 'secretKeys' | 'production' | 'databaseUrl' | 'dataDir'>;

/** Returns the keys of the setting, or the key in DATA_DIR, or none. */
export async function keysOf(
  { secretKeys, production, databaseUrl, dataDir }: SecretSettings,
  log: Logger,
): Promise<Buffer[]> {
  if (secretKeys) return secretKeys;
  if (!production || databaseUrl === null) return [await loadOrCreateKey(dataDir)];
  log.warn('SECRETS_KEY is not set: webhook secrets are stored unencrypted');
  return [];
}

/** Returns the ids of the keys that exist, without creating one. */
export async function existingKeyIds({
  secretKeys,
  dataDir,
}: Pick<SecretSettings, 'secretKeys' | 'dataDir'>): Promise<readonly string[]> {
  const stored = await readFile(secretsKeyFile(dataDir), 'utf8').catch(() => '');
  return new SecretCipher(secretKeys ?? parseSecretKeys(stored.trim()) ?? []).keyIds;
}

/** The file of the key in DATA_DIR. */
export const secretsKeyFile = (dataDir: string): string => join(dataDir, 'secrets-key');

/** Loads the key in DATA_DIR or creates it. If several processes start at once, one creates the key and all use it. */
async function loadOrCreateKey(dataDir: string): Promise<Buffer> {
  const file = secretsKeyFile(dataDir);
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    const stored = await readFile(file, 'utf8').catch(() => null);
    if (stored === null) {
      await openDataDir(dataDir);
      await writeFile(temporary, `${randomBytes(keyBytes).toString('base64')}\n`, { mode: 0o600 });
      await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      await rm(temporary);
    }
    const keys = parseSecretKeys((stored ?? (await readFile(file, 'utf8'))).trim());
    if (keys?.[0]) return keys[0];
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(
      `The key for secrets cannot be stored in ${file} (${error instanceof Error ? error.message : error}). Set SECRETS_KEY, or make DATA_DIR writable.`,
    );
  }
  throw new StartupError(`${file} does not hold a key. Restore it, or set SECRETS_KEY.`);
}
