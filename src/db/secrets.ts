import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** Where a secret is stored. It is authenticated with it, so a value that is moved elsewhere cannot be decrypted. */
export interface SecretPlace {
  table: string;
  id: string;
  column: string;
}

interface Key {
  id: string;
  bytes: Buffer;
}

const form = /^enc\.v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts the secrets that must be readable, by AES-256-GCM; stored as `enc.v1.<key id>.<nonce, tag, ciphertext>`. */
export class SecretCipher {
  private readonly keys: readonly Key[];

  /** The first key encrypts, all decrypt. Without any, secrets are stored as they are. */
  constructor(keys: readonly Buffer[]) {
    this.keys = keys.map((bytes) => ({ id: keyId(bytes), bytes }));
  }

  /** The ids of all keys; the first is that of the key in use. */
  get keyIds(): readonly string[] {
    return this.keys.map(({ id }) => id);
  }

  encrypt(secret: string, place: SecretPlace): string {
    const [key] = this.keys;
    if (!key) return secret;
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', key.bytes, iv).setAAD(placeBytes(place));
    const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    const payload = Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64url');
    return `enc.v1.${key.id}.${payload}`;
  }

  /** Returns the secret; one that was stored before there was a key is returned as it is. */
  decrypt(stored: string, place: SecretPlace): string {
    const [, id, payload = ''] = form.exec(stored) ?? [];
    if (id === undefined) return stored;
    const key = this.keys.find((each) => each.id === id);
    if (!key) throw new Error(`SECRETS_KEY does not hold the key ${id} that a secret was encrypted with`);
    const bytes = Buffer.from(payload, 'base64url');
    const iv = bytes.subarray(0, ivBytes);
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, iv, { authTagLength: tagBytes })
      .setAAD(placeBytes(place))
      .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    const secret = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
    return secret.toString('utf8');
  }
}

const placeBytes = ({ table, id, column }: SecretPlace) => Buffer.from(`${table}/${id}/${column}`);

/** A name for a key that tells nothing of it. */
const keyId = (bytes: Buffer) =>
  createHash('sha256').update('marketplace-gateway secrets key').update(bytes).digest('hex').slice(0, 8);
