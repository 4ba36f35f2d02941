import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

const pageSize = 1_000;
const appsAfter = (id: string) => sql<{ id: string; isUnknown: boolean }>`
  select app_id as id, install_level is null as "isUnknown" from app_search
  where app_id > ${id} order by app_id limit ${sql.lit(pageSize)}`;

const indexAgain = (id: string) => sql`select index_apps(array[${id}::uuid])`;

/**
 * Indexes the apps again whose level of installs is not known, as after the migration (D308). Pauses for as long as each
 * took. It can be stopped at any time; the next run continues.
 */
export async function fillInstallLevels(fork: () => EntityManager, signal: AbortSignal): Promise<void> {
  const db = () => fork().getKysely();
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await appsAfter(last).execute(db());
    // One at a time: several would lock the rows of an app while they wait for those of another.
    for (const { id } of rows.filter(({ isUnknown }) => isUnknown)) {
      if (signal.aborted) return;
      const startedAt = performance.now();
      await indexAgain(id).execute(db());
      await delay(performance.now() - startedAt);
    }
    if (rows.length < pageSize) return;
    last = rows.at(-1)!.id;
  }
}
