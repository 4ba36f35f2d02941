import { sql } from 'kysely';
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

const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;

/**
 * One look into two indexes, with each request, on the primary: nothing is kept in memory, so a revoked key is dead at
 * the next request wherever it goes. By hand, since an entity would cost more to build than the row to find.
 */
export const keyByHash = (hash: Buffer) => sql<KeyRow>`
  select k.id, to_jsonb(k.scopes) as scopes, ${ms('k.expires_at')} as "expiresMs",
    ${ms('k.last_used_at')} as "lastUsedMs", ${ms('k.revoked_at')} as "revokedMs", d.id as "developerId", d.status as "developerStatus"
  from api_keys k join developers d on d.id = k.developer_id
  where k.hash = ${hash}`;

/** The developer of an account, if it has registered. */
export const developerByAccount = (accountUserId: string) => sql<{ id: string; status: DeveloperStatus }>`
  select id, status from developers where account_user_id = ${accountUserId}`;
