import type { EntityManager } from '@mikro-orm/postgresql';
import { nowMs } from '../../db/clock.js';

const retentionDays = 400;
const batchSize = 10_000;

/**
 * Prunes old installs; their counts stay in `installs_daily` (D74). Installs without an installationId are deleted.
 * The others keep the app and the installationId, so that the same installation is not counted again.
 */
export async function pruneInstalls(em: EntityManager): Promise<void> {
  const oldest = new Date(nowMs() - retentionDays * 24 * 60 * 60 * 1000);
  let pruned: { count: number } | undefined;
  do {
    [pruned] = await em.execute<{ count: number }[]>(prune, [oldest, batchSize]);
  } while (pruned?.count === batchSize);
}

/** Prunes one batch, so that locks are short, and skips rows that another worker is pruning. */
const prune = `
  with old as (
    select id, installation_id from installations
    where created_at < ? and (installation_id is null or account_user_id is not null or version is not null)
    order by created_at limit ? for update skip locked),
  removed as (
    delete from installations where id in (select id from old where installation_id is null) returning id),
  reduced as (
    update installations set account_user_id = null, version = null
    where id in (select id from old where installation_id is not null) returning id)
  select ((select count(*) from removed) + (select count(*) from reduced))::int as count`;
