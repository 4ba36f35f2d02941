import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { nameSkeleton } from './name.skeleton.js';

/** Few enough for no request to notice, whatever the names are. */
const batchSize = 50;
const pauseMs = 10;
/** As many as are done before the worker calls again. */
const batchesOfRun = 1_000;

const waitingNames = sql<{ id: string; name: string }>`
  select app_id as id, name from app_names where skeleton is null
  order by app_id limit ${sql.lit(batchSize)} for update skip locked`;

/** A name that changed meanwhile has a row that waits again, and keeps waiting. */
const fillIn = (rows: readonly { id: string; name: string }[]) => sql`
  update app_names n set skeleton = g.skeleton
  from unnest(${sql.val(rows.map(({ id }) => id))}::uuid[], ${sql.val(rows.map(({ name }) => name))}::text[],
    ${sql.val(rows.map(({ name }) => nameSkeleton(name)))}::text[]) g (id, name, skeleton)
  where n.app_id = g.id and n.name = g.name`;

/** Computes the skeletons of some names that have none; answers whether there may be more. */
export async function fillSomeSkeletons(em: EntityManager): Promise<boolean> {
  const { rows } = await waitingNames.execute(em.getKysely());
  if (rows.length > 0) await fillIn(rows).execute(em.getKysely());
  return rows.length === batchSize;
}

/** The same for many, after a migration or a bulk load; can be stopped at any time, and goes on with the next run. */
export async function fillSkeletons(fork: () => EntityManager, signal: AbortSignal): Promise<void> {
  for (let batch = 0; batch < batchesOfRun && !signal.aborted; batch += 1) {
    if (!(await fillSomeSkeletons(fork()))) return;
    await delay(pauseMs);
  }
}
