import type { EntityManager } from '@mikro-orm/postgresql';
import { ServiceError } from '../errors.js';
import type { AccountTokens } from './account-token.js';
import { hashApiKey, isWellFormedApiKey, looksLikeApiKey } from './api-key-token.js';
import type { AccountCaller, Caller, KeyCaller } from './caller.js';
import { developerByAccount, keyByHash } from './credential.queries.js';

/** Reads the credential of an Authorization header; null where there is none. */
export function bearerOf(authorization: string | undefined): string | null {
  return /^bearer +(.+)$/i.exec(authorization?.trim() ?? '')?.[1] ?? null;
}

/** Turns credentials into callers: one indexed query for a key, a signature check and a look-up for a token. */
export class Authenticator {
  constructor(
    private readonly tokens: AccountTokens,
    private readonly onKeyUsed: (key: { id: string; lastUsedMs: number | null }) => void,
  ) {}

  async authenticate(em: EntityManager, bearer: string): Promise<Caller> {
    return looksLikeApiKey(bearer) ? this.byKey(em, bearer) : this.byToken(em, bearer);
  }

  private async byKey(em: EntityManager, token: string): Promise<KeyCaller> {
    const key = isWellFormedApiKey(token)
      ? (await keyByHash(hashApiKey(token)).execute(em.getKysely())).rows[0]
      : null;
    if (!key)
      throw new ServiceError(
        'INVALID_API_KEY',
        'There is no such API key. Check that it was copied whole, or create a new one.',
      );
    if (key.revokedMs !== null)
      throw new ServiceError(
        'API_KEY_REVOKED',
        `This API key was revoked on ${new Date(key.revokedMs).toISOString()}. Create a new one.`,
      );
    const expiresAt = new Date(key.expiresMs);
    if (expiresAt <= new Date())
      throw new ServiceError(
        'API_KEY_EXPIRED',
        `This API key expired on ${expiresAt.toISOString()}. Create a new one.`,
      );
    this.onKeyUsed(key);
    return {
      kind: 'key',
      keyId: key.id,
      scopes: new Set(key.scopes),
      expiresAt,
      developer: { id: key.developerId, status: key.developerStatus },
    };
  }

  private async byToken(em: EntityManager, token: string): Promise<AccountCaller> {
    const claims = await this.tokens.verify(token);
    const { rows } = await developerByAccount(claims.accountUserId).execute(em.getKysely());
    return { kind: 'account', ...claims, developer: rows[0] ?? null };
  }
}
