import type { EntityManager } from '@mikro-orm/postgresql';
import { keyRevoked } from '../../auth/policy.js';

/**
 * Rejects a caller whose API key was revoked since it was authenticated, such as while the caller waited for a lock. Null:
 * an account token. With `for key share` the key is not revoked before the transaction ends.
 */
export async function requireUnrevokedKey(
  em: EntityManager,
  keyId: string | null,
  lock: '' | 'for key share' = '',
): Promise<void> {
  if (keyId === null) return;
  const [row] = await em.execute<{ revoked_ms: number | null }[]>(
    `select (extract(epoch from revoked_at) * 1000)::float8 as revoked_ms from api_keys where id = ? ${lock}`,
    [keyId],
  );
  if (row?.revoked_ms != null) throw keyRevoked(new Date(row.revoked_ms));
}
