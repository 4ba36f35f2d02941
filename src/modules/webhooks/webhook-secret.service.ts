import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { SecretCipher } from '../../db/secrets.js';
import { StartupError } from '../../errors.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';

const secretBytes = 32;

/** Creates a secret in the format of Standard Webhooks. */
export const newWebhookSecret = () => `whsec_${randomBytes(secretBytes).toString('base64')}`;

/** The binding of an endpoint's secrets. Both columns use the same one, because a rotation copies the encrypted value. */
const bindingOf = (id: string) => ({ table: 'webhook_endpoints', id, column: 'signing_secret' });

/** Encrypts the secret of an endpoint. */
export const encryptSecret = (cipher: SecretCipher, endpointId: string, secret: string): string =>
  cipher.encrypt(secret, bindingOf(endpointId));

/** Returns the secrets that sign a message at this time: two for 24 hours after a rotation, otherwise one. */
export function secretsAt(
  cipher: SecretCipher,
  endpoint: Pick<WebhookEndpoint, 'id' | 'signingSecret' | 'formerSecret' | 'formerSecretUntil'>,
  at: Date,
): string[] {
  const { id, signingSecret, formerSecret, formerSecretUntil } = endpoint;
  const secrets = [cipher.decrypt(signingSecret, bindingOf(id))];
  if (formerSecret && formerSecretUntil && formerSecretUntil > at)
    secrets.push(cipher.decrypt(formerSecret, bindingOf(id)));
  return secrets;
}

/** Selects the ids of the keys that stored secrets are encrypted with. */
export const secretKeyIdsQuery = `
  select distinct split_part(secret, '.', 3) as key_id
  from webhook_endpoints, unnest(array[signing_secret, former_secret]) secret
  where secret like 'enc.v1.%'`;

/** Rejects the start if a key is missing that stored secrets were encrypted with: without it no message could be signed. */
export async function requireSecretKeys(em: EntityManager, cipher: SecretCipher): Promise<void> {
  const { rows } = await sql<{ key_id: string }>`${sql.raw(secretKeyIdsQuery)}`.execute(em.getKysely());
  const missing = rows.map(({ key_id }) => key_id).filter((id) => !cipher.keyIds.includes(id));
  if (missing.length === 0) return;
  throw new StartupError(
    `SECRETS_KEY is not right: secrets in the database were encrypted with the key ${missing.join(' and ')}, but ${cipher.keyIds.length ? `SECRETS_KEY contains only ${cipher.keyIds.join(' and ')}` : 'there is no key'}. Every gateway and worker needs the same SECRETS_KEY, and after a rotation it must contain the former key too. If SECRETS_KEY was never set, the key is in the file DATA_DIR/secrets-key.`,
  );
}

/**
 * Encrypts all secrets with the current key that are stored unencrypted or with a former key. Each endpoint is a transaction,
 * so it can be interrupted at any time and run in several processes at once.
 */
export async function reencryptSecrets(
  fork: () => EntityManager,
  cipher: SecretCipher,
  log: Logger,
): Promise<void> {
  if (cipher.keyIds.length === 0) return;
  let total = 0;
  const { rows } = await sql<{ id: string }>`
    select id from webhook_endpoints where ${isOutdated(cipher)}`.execute(fork().getKysely());
  for (const { id } of rows)
    if (await fork().transactional((em) => reencrypt(em, cipher, id, log))) total += 1;
  if (total > 0) log.info({ endpoints: total, keyId: cipher.keyIds[0] }, 'webhook secrets were encrypted');
}

const isOutdated = (cipher: SecretCipher) => {
  const current = `enc.v1.${cipher.keyIds[0]}.%`;
  return sql`(signing_secret not like ${current} or former_secret not like ${current})`;
};

/** Encrypts the secrets of an endpoint anew. Returns false if another process does, or if they cannot be decrypted. */
async function reencrypt(em: EntityManager, cipher: SecretCipher, id: string, log: Logger): Promise<boolean> {
  const { rows } = await sql<{ signing_secret: string; former_secret: string | null }>`
    select signing_secret, former_secret from webhook_endpoints
    where id = ${id} and ${isOutdated(cipher)} for update skip locked`.execute(em.getKysely());
  const [stored] = rows;
  if (!stored) return false;
  const anew = (secret: string) => encryptSecret(cipher, id, cipher.decrypt(secret, bindingOf(id)));
  let secrets: { signing: string; former: string | null };
  try {
    secrets = {
      signing: anew(stored.signing_secret),
      former: stored.former_secret && anew(stored.former_secret),
    };
  } catch (error) {
    // The stored value was changed by hand. One broken secret must not stop the others.
    log.error({ err: error, endpointId: id }, 'a webhook secret cannot be decrypted');
    return false;
  }
  // Not through the ORM, which would set updatedAt.
  await sql`update webhook_endpoints set signing_secret = ${secrets.signing}, former_secret = ${secrets.former}
    where id = ${id}`.execute(em.getKysely());
  return true;
}
