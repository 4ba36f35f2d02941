import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
  SignJWT,
} from 'jose';
import { now, nowMs } from '../db/clock.js';
import { openDataDir } from '../db/data-dir.js';
import type { AccountTokenSettings } from './account-token.js';

export const tokenLifetimeSeconds = 12 * 60 * 60;

/** The account that a token is signed for. */
export interface TokenAccount {
  accountUserId: string;
  admin?: boolean | null | undefined;
  email?: string | null | undefined;
  /** The claim `email_verified`; none if it is absent. */
  emailVerified?: boolean | null | undefined;
  name?: string | null | undefined;
}

/** The built-in identity provider of development, which signs a token for any account. Production has none. */
export class DevIssuer {
  private constructor(
    private readonly privateKey: JWK,
    readonly settings: AccountTokenSettings,
  ) {}

  /** Loads the signing key from `dataDir`, or creates it there, so that tokens stay valid after a restart. */
  static async open(dataDir: string, settings: AccountTokenSettings): Promise<DevIssuer> {
    const file = join(dataDir, 'dev-issuer-key.json');
    const stored = await readFile(file, 'utf8').catch(() => null);
    if (stored) return new DevIssuer(JSON.parse(stored), settings);
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: 'ES256', use: 'sig' };
    await openDataDir(dataDir);
    // If several processes start at once, one creates the key and all use it.
    const temporary = `${file}.${crypto.randomUUID()}`;
    await writeFile(temporary, JSON.stringify(jwk), { mode: 0o600 });
    await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(temporary);
    return new DevIssuer(JSON.parse(await readFile(file, 'utf8')), settings);
  }

  async sign(request: TokenAccount): Promise<string> {
    const { issuer, audience, rolesClaim, adminRole } = this.settings;
    const claims = {
      [rolesClaim]: request.admin ? [adminRole] : [],
      ...(request.email && { email: request.email }),
      ...(request.emailVerified != null && { email_verified: request.emailVerified }),
      ...(request.name && { name: request.name }),
    };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: this.privateKey.kid ?? '', typ: 'at+jwt' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(request.accountUserId)
      .setIssuedAt(now())
      .setExpirationTime(new Date(nowMs() + tokenLifetimeSeconds * 1000))
      .setJti(crypto.randomUUID())
      .sign(await importJWK(this.privateKey));
  }

  get issuer(): string {
    return this.settings.issuer;
  }

  get keys(): JWTVerifyGetKey {
    return createLocalJWKSet(this.publicKeys);
  }

  get publicKeys(): JSONWebKeySet {
    const { d: _, ...publicKey } = this.privateKey;
    return { keys: [publicKey] };
  }
}
