import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { SecretCipher } from '../../db/secrets.js';
import { StartupError } from '../../errors.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';

const batchSize = 200;

/** The place of both secrets of an endpoint: a rotation moves one to the other column as it is. */
const placeOf = (id: string) => ({ table: 'webhook_endpoints', id, column: 'signing_secret' });

/** Encrypts the secret of an endpoint. */
export const encryptSecret = (cipher: SecretCipher, endpointId: string, secret: string): string =>
  cipher.encrypt(secret, placeOf(endpointId));

/** Returns the secrets that sign a message of this moment: during a rotation both. */
export function secretsAt(
  cipher: SecretCipher,
  endpoint: Pick<WebhookEndpoint, 'id' | 'signingSecret' | 'formerSecret' | 'formerSecretUntil'>,
  at: Date,
): string[] {
  const { id, signingSecret, formerSecret, formerSecretUntil } = endpoint;
  const secrets = [cipher.decrypt(signingSecret, placeOf(id))];
  if (formerSecret && formerSecretUntil && formerSecretUntil > at)
    secrets.push(cipher.decrypt(formerSecret, placeOf(id)));
  return secrets;
}

/** Refuses to start with keys that cannot decrypt what is stored: better no worker than one that signs nothing. */
export async function requireSecretKeys(em: EntityManager, cipher: SecretCipher): Promise<void> {
  const { rows } = await sql<{ key_id: string }>`
    select distinct split_part(secret, '.', 3) as key_id
    from webhook_endpoints, unnest(array[signing_secret, former_secret]) secret
    where secret like 'enc.v1.%'`.execute(em.getKysely());
  const missing = rows.map(({ key_id }) => key_id).filter((id) => !cipher.keyIds.includes(id));
  if (missing.length === 0) return;
  throw new StartupError(
    `SECRETS_KEY is not right: secrets in the database were encrypted with the key ${missing.join(' and ')}, and there is ${cipher.keyIds.length ? `only ${cipher.keyIds.join(' and ')}` : 'none'}. Every gateway and worker needs the same SECRETS_KEY; after a rotation it must hold the former key too. A key that was made without the setting is in DATA_DIR/secrets-key.`,
  );
}

/**
 * Encrypts with the first key what is stored otherwise: unencrypted, or with a former key. In batches that each commit,
 * so that it can be interrupted, and done by several processes at once.
 */
export async function encryptAnew(
  fork: () => EntityManager,
  cipher: SecretCipher,
  log: Logger,
): Promise<void> {
  if (cipher.keyIds.length === 0) return;
  let after: string | null = nil;
  let total = 0;
  while (after !== null) {
    const last: string = after;
    const batch: string[] = await fork().transactional((em) => encryptBatch(em, cipher, last, log));
    total += batch.length;
    after = batch.length === batchSize ? (batch.at(-1) ?? null) : null;
  }
  if (total > 0) log.info({ endpoints: total, keyId: cipher.keyIds[0] }, 'webhook secrets were encrypted');
}

const nil = '00000000-0000-0000-0000-000000000000';

/** Returns the ids of the endpoints it has dealt with. */
async function encryptBatch(
  em: EntityManager,
  cipher: SecretCipher,
  after: string,
  log: Logger,
): Promise<string[]> {
  const current = `enc.v1.${cipher.keyIds[0]}.%`;
  const { rows } = await sql<{ id: string; signing_secret: string; former_secret: string | null }>`
    select id, signing_secret, former_secret from webhook_endpoints
    where id > ${after} and (signing_secret not like ${current} or former_secret not like ${current})
    order by id limit ${batchSize} for update skip locked`.execute(em.getKysely());
  for (const { id, signing_secret, former_secret } of rows) {
    const anew = (stored: string) => cipher.encrypt(cipher.decrypt(stored, placeOf(id)), placeOf(id));
    let signing: string;
    let former: string | null;
    try {
      signing = anew(signing_secret);
      former = former_secret && anew(former_secret);
    } catch (error) {
      // Somebody has changed it in the database: that must not stop the others.
      log.error({ err: error, endpointId: id }, 'a webhook secret cannot be decrypted');
      continue;
    }
    // Not through the ORM: the endpoint stays as it is, and so does its updatedAt.
    await sql`update webhook_endpoints set signing_secret = ${signing}, former_secret = ${former}
      where id = ${id}`.execute(em.getKysely());
  }
  return rows.map(({ id }) => id);
}
