import { batchedLookup } from '../db/batched-lookup.js';
import { now } from '../db/clock.js';
import { chargedTo } from '../db/payer.js';
import type { Reader } from '../db/reader.js';
import { ServiceError } from '../errors.js';
import type { AccountTokens } from './account-token.js';
import { hashApiKey, isWellFormedApiKey, looksLikeApiKey } from './api-key-token.js';
import type { AccountCaller, Caller, DeveloperIdentity, KeyCaller } from './caller.js';
import { developerByAccount, type KeyRow, keysByHash } from './credential.queries.js';
import { keyRevoked } from './policy.js';

/** Returns the bearer token of an Authorization header, or null without one. */
export function bearerOf(authorization: string | undefined): string | null {
  return /^bearer +(.+)$/i.exec(authorization?.trim() ?? '')?.[1] ?? null;
}

/** Resolves credentials to callers: an API key with one indexed query, an account token with a signature check and one. */
export class Authenticator {
  private readonly keyByHash = batchedLookup((hashes) => this.reader.rows<KeyRow>(keysByHash(hashes)));

  constructor(
    private readonly tokens: AccountTokens,
    private readonly reader: Reader,
    private readonly onKeyUsed: (key: { id: string; lastUsedAt: Date | null }) => void,
    private readonly onAccountUsed: (
      account: Pick<AccountCaller, 'accountUserId' | 'name' | 'isAdmin'>,
    ) => void,
  ) {}

  /** Its statements are free: whom to charge is known afterwards. */
  async authenticate(bearer: string): Promise<Caller> {
    return chargedTo(null, () => (looksLikeApiKey(bearer) ? this.byKey(bearer) : this.byToken(bearer)));
  }

  private async byKey(token: string): Promise<KeyCaller> {
    const key = isWellFormedApiKey(token) ? await this.keyByHash(hashApiKey(token).toString('hex')) : null;
    if (!key)
      throw new ServiceError(
        'INVALID_API_KEY',
        'There is no such API key. Check that it was copied whole, or create a new one.',
      );
    if (key.revokedAt) throw keyRevoked(key.revokedAt);
    if (key.expiresAt <= now())
      throw new ServiceError(
        'API_KEY_EXPIRED',
        `This API key expired on ${key.expiresAt.toISOString()}. Create a new one.`,
      );
    this.onKeyUsed(key);
    const { appId, publisherId } = key;
    return {
      kind: 'key',
      keyId: key.id,
      scopes: new Set(key.scopes),
      expiresAt: key.expiresAt,
      developer: { id: key.developerId, status: key.developerStatus },
      pipeline: appId && publisherId ? { appId, publisherId } : null,
    };
  }

  private async byToken(token: string): Promise<AccountCaller> {
    const claims = await this.tokens.verify(token);
    this.onAccountUsed(claims);
    const [developer] = await this.reader.rows<DeveloperIdentity>(developerByAccount(claims.accountUserId));
    return { kind: 'account', ...claims, developer: developer ?? null };
  }
}
