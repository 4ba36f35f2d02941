import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { type Config, parseSecretKeys } from '../config.js';
import { StartupError } from '../errors.js';
import { SecretCipher } from './secrets.js';

const keyBytes = 32;

/**
 * Opens the cipher with the keys of SECRETS_KEY, and refuses to start if they cannot decrypt what is stored. Without the setting a key is made and kept in DATA_DIR, where that lasts
 * as long as the database does: outside production, and beside the embedded database. Else secrets are stored unencrypted,
 * as before there was a setting, and the log warns (D126).
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
    // Else its connections would keep a process alive that does not start.
    await orm.close();
    throw error;
  }
}

export type SecretSettings = Pick<Config, 'secretKeys' | 'production' | 'databaseUrl' | 'dataDir'>;

/** The keys of the setting, or else the one in DATA_DIR, or none. */
export async function keysOf(
  { secretKeys, production, databaseUrl, dataDir }: SecretSettings,
  log: Logger,
): Promise<Buffer[]> {
  if (secretKeys) return secretKeys;
  if (!production || databaseUrl === null) return [await keptKey(dataDir)];
  log.warn('SECRETS_KEY is not set: webhook secrets are stored unencrypted');
  return [];
}

/** Of several processes that start at once, one makes the key and all use it. */
async function keptKey(dataDir: string): Promise<Buffer> {
  const file = join(dataDir, 'secrets-key');
  const own = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    const kept = await readFile(file, 'utf8').catch(() => null);
    if (kept === null) {
      await mkdir(dataDir, { recursive: true });
      await writeFile(own, `${randomBytes(keyBytes).toString('base64')}\n`, { mode: 0o600 });
      await link(own, file).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      await rm(own);
    }
    const keys = parseSecretKeys((kept ?? (await readFile(file, 'utf8'))).trim());
    if (keys?.[0]) return keys[0];
  } catch (error) {
    throw new StartupError(
      `The key for secrets cannot be kept in ${file} (${error instanceof Error ? error.message : error}). Set SECRETS_KEY, or make DATA_DIR writable.`,
    );
  }
  throw new StartupError(`${file} does not hold a key. Restore it, or set SECRETS_KEY.`);
}
