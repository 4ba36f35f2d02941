import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { nameSkeleton, skeletonRule } from './name.rules.js';
import { keySeparator, storedNearKeys } from './near-name.rules.js';

/** Names per batch. Small, because requests compute batches too. */
const batchSize = 50;
const pauseMs = 10;
const maxBatchesPerRun = 1_000;

/** The tables of names with their skeletons, each with the column of the owner. Triggers insert the names. */
const owners = { app_names: 'app_id', developer_names: 'developer_id' } as const;
type NameTable = keyof typeof owners;

interface OwnedName {
  id: string;
  name: string;
}

const namesWithoutSkeleton = (table: NameTable) => sql<OwnedName>`
  select ${sql.ref(owners[table])} as id, name from ${sql.table(table)} where rule < ${sql.lit(skeletonRule)}
  order by rule, ${sql.ref(owners[table])} limit ${sql.lit(batchSize)} for update skip locked`;

/** Only names of apps are compared with names that are almost the same. */
const nearKeysOf = (table: NameTable) =>
  table === 'app_names' ? sql`, near = string_to_array(g.near, ${keySeparator})` : sql``;

/**
 * Stores the skeletons of names, such as those that a transaction has just made public, so that it leaves none to compute.
 * Compares the name too: a name that changed in the meantime gets its skeleton in a later batch.
 */
export const storeSkeletons = (table: NameTable, rows: readonly OwnedName[]) => sql`
  update ${sql.table(table)} n set skeleton = g.skeleton, rule = ${sql.lit(skeletonRule)}${nearKeysOf(table)}
  from unnest(${sql.val(rows.map(({ id }) => id))}::uuid[], ${sql.val(rows.map(({ name }) => name))}::text[],
    ${sql.val(rows.map(({ name }) => nameSkeleton(name)))}::text[],
    ${sql.val(rows.map(({ name }) => storedNearKeys(name).join(keySeparator)))}::text[]) g (id, name, skeleton, near)
  where n.${sql.ref(owners[table])} = g.id and n.name = g.name`;

/**
 * Makes transactions that give the same look to names run one after the other, until each ends. Without it two of them
 * could each find that nobody else has the name.
 */
export async function lockNames(
  em: EntityManager,
  table: NameTable,
  skeletons: readonly string[],
): Promise<void> {
  // Sorted, so that two transactions with the same names cannot deadlock.
  for (const skeleton of [...new Set(skeletons)].sort())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${table}:${skeleton}`}, 0))`.execute(
      em.getKysely(),
    );
}

/** Computes one batch of missing skeletons; returns true if there may be more. */
export async function fillSkeletonBatch(em: EntityManager, table: NameTable = 'app_names'): Promise<boolean> {
  const { rows } = await namesWithoutSkeleton(table).execute(em.getKysely());
  if (rows.length > 0) await storeSkeletons(table, rows).execute(em.getKysely());
  return rows.length === batchSize;
}

/** Computes all missing skeletons, for example after a migration. It can be stopped at any time; the next run continues. */
export async function fillSkeletons(fork: () => EntityManager, signal: AbortSignal): Promise<void> {
  for (const table of Object.keys(owners) as NameTable[]) {
    let hasMore = true;
    for (let batch = 0; hasMore && batch < maxBatchesPerRun && !signal.aborted; batch += 1) {
      hasMore = await fillSkeletonBatch(fork(), table);
      await delay(pauseMs);
    }
  }
}
