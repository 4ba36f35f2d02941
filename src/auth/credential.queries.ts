import type { Statement } from '../db/reader.js';
import type { Scope } from '../modules/api-keys/api-key.entity.js';
import type { DeveloperStatus } from '../modules/developers/developer.entity.js';

/** A key and whose it is, with times in milliseconds: all that every request with a key needs to know. */
export interface KeyRow {
  id: string;
  scopes: Scope[];
  expiresMs: number;
  lastUsedMs: number | null;
  revokedMs: number | null;
  developerId: string;
  developerStatus: DeveloperStatus;
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

/**
 * One look into two indexes, with each request, on the primary: nothing is kept in memory, so a revoked key is dead at
 * the next request wherever it goes. By hand, since an entity would cost more to build than the row to find.
 */
export const keyByHash = (hash: Buffer): Statement => ({
  name: 'key by hash',
  text: `
    select k.id, to_jsonb(k.scopes) as scopes, ${ms('k.expires_at')} as "expiresMs",
      ${ms('k.last_used_at')} as "lastUsedMs", ${ms('k.revoked_at')} as "revokedMs", d.id as "developerId",
      d.status as "developerStatus"
    from api_keys k join developers d on d.id = k.developer_id
    where k.hash = $1`,
  values: [hash],
});

/** The developer of an account, if it has registered. */
export const developerByAccount = (accountUserId: string): Statement => ({
  name: 'developer by account',
  text: 'select id, status from developers where account_user_id = $1',
  values: [accountUserId],
});
