import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { PipelineIdentity } from '../../auth/pipeline-token.js';

/** Records that a token was exchanged; returns false if it was before. Of two requests at once, the second waits for the first. */
export async function markTokenUsed(
  em: EntityManager,
  { issuer, tokenId, expiresAt }: PipelineIdentity,
): Promise<boolean> {
  const { rows } = await sql`
    insert into publisher_tokens (issuer, token_id, expires_at) values (${issuer}, ${tokenId}, ${expiresAt})
    on conflict do nothing returning token_id`.execute(em.getKysely());
  return rows.length > 0;
}
