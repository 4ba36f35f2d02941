import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** The column in which a secret is stored. It is authenticated data, so a value copied to another row cannot be decrypted. */
export interface SecretLocation {
  table: string;
  id: string;
  column: string;
}

interface Key {
  id: string;
  bytes: Buffer;
}

const format = /^enc\.v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts secrets with AES-256-GCM, in the format `enc.v1.<key id>.<nonce, tag, ciphertext>`. */
export class SecretCipher {
  private readonly keys: readonly Key[];

  /** Encrypts with the first key and decrypts with all. Without keys, secrets are stored unencrypted. */
  constructor(keys: readonly Buffer[]) {
    this.keys = keys.map((bytes) => ({ id: keyId(bytes), bytes }));
  }

  /** Ids of all keys; the first one encrypts. */
  get keyIds(): readonly string[] {
    return this.keys.map(({ id }) => id);
  }

  encrypt(secret: string, location: SecretLocation): string {
    const [key] = this.keys;
    if (!key) return secret;
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', key.bytes, iv).setAAD(locationBytes(location));
    const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    const payload = Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64url');
    return `enc.v1.${key.id}.${payload}`;
  }

  /** Returns the secret. A value that was stored unencrypted is returned unchanged. */
  decrypt(stored: string, location: SecretLocation): string {
    const [, id, payload = ''] = format.exec(stored) ?? [];
    if (id === undefined) return stored;
    const key = this.keys.find((each) => each.id === id);
    if (!key) throw new Error(`SECRETS_KEY does not hold the key ${id} that a secret was encrypted with`);
    const bytes = Buffer.from(payload, 'base64url');
    const iv = bytes.subarray(0, ivBytes);
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, iv, { authTagLength: tagBytes })
      .setAAD(locationBytes(location))
      .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    const secret = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
    return secret.toString('utf8');
  }
}

const locationBytes = ({ table, id, column }: SecretLocation) => Buffer.from(`${table}/${id}/${column}`);

/** Returns an id of a key that reveals nothing about it. */
const keyId = (bytes: Buffer) =>
  createHash('sha256').update('marketplace-gateway secrets key').update(bytes).digest('hex').slice(0, 8);
