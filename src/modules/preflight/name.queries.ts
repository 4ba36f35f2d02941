import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { publicApps } from '../catalog/catalog.queries.js';
import { nameSkeleton } from './name.rules.js';

/** A listing with the skeleton of its name. */
export interface NamedListing {
  id: string;
  skeleton: string;
}

const idsOf = (listings: readonly NamedListing[]) => sql`${sql.val(listings.map(({ id }) => id))}::uuid[]`;

/**
 * Finds the listings whose name looks like the name of another developer's public app, with that name. A public name
 * without a skeleton yet is compared by its lower-case letters. Both comparisons use an index.
 */
export const listingsWithNamesOfOthers = (listings: readonly NamedListing[]) => sql<{
  id: string;
  name: string;
}>`
  select mine.id, other.name
  from (
    select id, name, developer_id from apps where id = any(${idsOf(listings)})
    union all
    select version.id, version.name, app.developer_id
    from app_versions version join apps app on app.id = version.app_id
    where version.id = any(${idsOf(listings)})) mine
  join unnest(${idsOf(listings)}, ${sql.val(listings.map(({ skeleton }) => skeleton))}::text[])
    given (id, skeleton) on given.id = mine.id
  cross join lateral (
    (select a.name ${publicApps} and a.sort_name = lower(mine.name) and a.developer_id <> mine.developer_id limit 1)
    union all
    (select a.name ${publicApps} and a.developer_id <> mine.developer_id
      and a.id in (select n.app_id from app_names n where n.skeleton = nullif(given.skeleton, '')) limit 1)
    limit 1) other`;

/** Small enough that a request that fills in one batch is not noticeably slower. */
const batchSize = 50;
const pauseMs = 10;
const maxBatchesPerRun = 1_000;

const namesWithoutSkeleton = sql<{ id: string; name: string }>`
  select app_id as id, name from app_names where skeleton is null
  order by app_id limit ${sql.lit(batchSize)} for update skip locked`;

/** Compares the name too: a name that changed in the meantime gets its skeleton in a later batch. */
const storeSkeletons = (rows: readonly { id: string; name: string }[]) => sql`
  update app_names n set skeleton = g.skeleton
  from unnest(${sql.val(rows.map(({ id }) => id))}::uuid[], ${sql.val(rows.map(({ name }) => name))}::text[],
    ${sql.val(rows.map(({ name }) => nameSkeleton(name)))}::text[]) g (id, name, skeleton)
  where n.app_id = g.id and n.name = g.name`;

/** Computes one batch of missing skeletons; returns true if there may be more. */
export async function fillSkeletonBatch(em: EntityManager): Promise<boolean> {
  const { rows } = await namesWithoutSkeleton.execute(em.getKysely());
  if (rows.length > 0) await storeSkeletons(rows).execute(em.getKysely());
  return rows.length === batchSize;
}

/** Computes all missing skeletons, for example after a migration. It can be stopped at any time; the next run continues. */
export async function fillSkeletons(fork: () => EntityManager, signal: AbortSignal): Promise<void> {
  for (let batch = 0; batch < maxBatchesPerRun && !signal.aborted; batch += 1) {
    if (!(await fillSkeletonBatch(fork()))) return;
    await delay(pauseMs);
  }
}
