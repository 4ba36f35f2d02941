import type { Statement } from '../db/reader.js';
import type { DeveloperStatus } from './developer-status.js';
import type { Scope } from './scope.js';

/** A key and whose it is: all that every request with a key needs to know. */
export interface KeyRow {
  id: string;
  scopes: Scope[];
  expiresAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  developerId: string;
  developerStatus: DeveloperStatus;
}

/**
 * One look into two indexes, with each request, on the primary: nothing is kept in memory, so a revoked key is dead at
 * the next request wherever it goes. By hand, since an entity would cost more to build than the row to find.
 */
export const keyByHash = (hash: Buffer): Statement => ({
  name: 'key-by-hash',
  text: `
    select k.id, k.scopes, k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt",
      d.id as "developerId", d.status as "developerStatus"
    from api_keys k join developers d on d.id = k.developer_id
    where k.hash = $1`,
  values: [hash],
});

/** The developer of an account, if it has registered. */
export const developerByAccount = (accountUserId: string): Statement => ({
  name: 'developer-by-account',
  text: 'select id, status from developers where account_user_id = $1',
  values: [accountUserId],
});
