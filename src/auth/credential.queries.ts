import type { Statement } from '../db/reader.js';
import type { DeveloperStatus } from './developer-status.js';
import type { Scope } from './scope.js';

/** An API key with the developer it belongs to. */
export interface KeyRow {
  /** The hash of the key. */
  key: string;
  id: string;
  scopes: Scope[];
  expiresAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  developerId: string;
  developerStatus: DeveloperStatus;
  /** Both are null for a key of a person. */
  appId: string | null;
  publisherId: string | null;
}

/**
 * Finds API keys by their hashes. It runs with every request and is not cached, so a revoked key is rejected by every
 * gateway at once. It is plain SQL, so that no entity is built for each request.
 */
export const keysByHash = (hashes: readonly string[]): Statement => ({
  name: 'keys-by-hash',
  text: `
    select encode(k.hash, 'hex') as key, k.id, k.scopes, k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt",
      k.revoked_at as "revokedAt", d.id as "developerId", d.status as "developerStatus", k.app_id as "appId",
      k.trusted_publisher_id as "publisherId"
    from api_keys k join developers d on d.id = k.developer_id
    where k.hash = any($1::bytea[])`,
  values: [hashes.map((hash) => `\\x${hash}`)],
});

/** Finds the developer of an account; no row if the account has not registered. */
export const developerByAccount = (accountUserId: string): Statement => ({
  name: 'developer-by-account',
  text: 'select id, status from developers where account_user_id = $1',
  values: [accountUserId],
});

/** Finds those of the given keys and developers that are no longer accepted: revoked, expired or suspended. */
export const endedCredentials = (keyIds: readonly string[], developerIds: readonly string[]): Statement => ({
  name: 'ended-credentials',
  text: `
    select k.id from api_keys k join developers d on d.id = k.developer_id
    where k.id = any($1::uuid[]) and (k.revoked_at is not null or k.expires_at <= now() or d.status = 'SUSPENDED')
    union all
    select id from developers where id = any($2::uuid[]) and status = 'SUSPENDED'`,
  values: [keyIds, developerIds],
});
