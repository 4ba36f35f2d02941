import type { EntityManager } from '@mikro-orm/postgresql';
import { ServiceError } from '../errors.js';
import { ApiKey } from '../modules/api-keys/api-key.entity.js';
import { Developer } from '../modules/developers/developer.entity.js';
import type { AccountTokens } from './account-token.js';
import { hashApiKey, isWellFormedApiKey, looksLikeApiKey } from './api-key-token.js';
import type { AccountCaller, Caller, KeyCaller } from './caller.js';

/** Reads the credential of an Authorization header; null where there is none. */
export function bearerOf(authorization: string | undefined): string | null {
  return /^bearer +(.+)$/i.exec(authorization?.trim() ?? '')?.[1] ?? null;
}

/** Turns credentials into callers: one indexed query for a key, a signature check and a look-up for a token. */
export class Authenticator {
  constructor(
    private readonly tokens: AccountTokens,
    private readonly onKeyUsed: (key: { id: string; lastUsedAt: Date | null }) => void,
  ) {}

  async authenticate(em: EntityManager, bearer: string): Promise<Caller> {
    return looksLikeApiKey(bearer) ? this.byKey(em, bearer) : this.byToken(em, bearer);
  }

  private async byKey(em: EntityManager, token: string): Promise<KeyCaller> {
    const key = isWellFormedApiKey(token)
      ? await em.findOne(ApiKey, { hash: hashApiKey(token) }, { populate: ['developer'] })
      : null;
    if (!key)
      throw new ServiceError(
        'INVALID_API_KEY',
        'There is no such API key. Check that it was copied whole, or create a new one.',
      );
    if (key.revokedAt)
      throw new ServiceError(
        'API_KEY_REVOKED',
        `This API key was revoked on ${key.revokedAt.toISOString()}. Create a new one.`,
      );
    if (key.expiresAt <= new Date())
      throw new ServiceError(
        'API_KEY_EXPIRED',
        `This API key expired on ${key.expiresAt.toISOString()}. Create a new one.`,
      );
    this.onKeyUsed(key);
    const { id, status } = key.developer.getEntity();
    return {
      kind: 'key',
      keyId: key.id,
      scopes: new Set(key.scopes),
      expiresAt: key.expiresAt,
      developer: { id, status },
    };
  }

  private async byToken(em: EntityManager, token: string): Promise<AccountCaller> {
    const claims = await this.tokens.verify(token);
    const developer = await em.findOne(Developer, { accountUserId: claims.accountUserId });
    return {
      kind: 'account',
      ...claims,
      developer: developer && { id: developer.id, status: developer.status },
    };
  }
}
