import type { EntityManager } from '@mikro-orm/postgresql';

const keptForDays = 400;
const atOnce = 10_000;

/**
 * Prunes old installs, which `installs_daily` has counted (D74). Those without an installationId are removed; of the
 * others stays what decides that they are not counted again.
 */
export async function pruneInstalls(em: EntityManager): Promise<void> {
  const oldest = new Date(Date.now() - keptForDays * 24 * 60 * 60 * 1000);
  let pruned: { count: number } | undefined;
  do {
    [pruned] = await em.execute<{ count: number }[]>(prune, [oldest, atOnce]);
  } while (pruned?.count === atOnce);
}

/** Some of them at a time, so that nobody waits long; what another worker is pruning is left to it. */
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
