import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

const pageSize = 1_000;
/** Small, because each app has some two hundred entries in indexes, and installs of these apps wait for the batch. */
const batchSize = 20;

const appsAfter = (id: string) => sql<{ id: string; isUnknown: boolean }>`
  select app_id as id, install_level is null as "isUnknown" from app_search
  where app_id > ${id} order by app_id limit ${sql.lit(pageSize)}`;

const indexAgain = (ids: readonly string[]) => sql`select index_apps(${sql.val(ids)}::uuid[])`;

/**
 * Indexes the apps again whose level of installs is not known, as after the migration (D308). Pauses for as long as each
 * batch took. It can be stopped at any time; the next run continues.
 */
export async function fillInstallLevels(fork: () => EntityManager, signal: AbortSignal): Promise<void> {
  const db = () => fork().getKysely();
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await appsAfter(last).execute(db());
    const unknown = rows.filter(({ isUnknown }) => isUnknown).map(({ id }) => id);
    for (let from = 0; from < unknown.length; from += batchSize) {
      if (signal.aborted) return;
      const startedAt = performance.now();
      await indexAgain(unknown.slice(from, from + batchSize)).execute(db());
      await delay(performance.now() - startedAt);
    }
    if (rows.length < pageSize) return;
    last = rows.at(-1)!.id;
  }
}
