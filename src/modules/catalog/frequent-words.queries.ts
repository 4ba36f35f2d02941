import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { fillInstallLevels } from './install-level.queries.js';

/** From which numbers on the words of a catalog are counted (D314). */
export interface FrequentWordLimits {
  /** Public apps. */
  readonly minApps: number;
  /** Apps with the word. */
  readonly minHits: number;
  /** Apps that are marked as popular. */
  readonly minPopular: number;
}

/** As in migration 0042, which marks the popular apps when the catalog is rebuilt. */
const limitsFor = (apps: number): FrequentWordLimits => ({
  minApps: 20_000,
  minHits: Math.max(1_000, apps / 500),
  minPopular: Math.min(20_000, Math.floor(apps / 5)),
});

/** Number of apps in which frequent words are looked for. */
const sampleSize = 10_000;
/** Rows of a word that a search may have to add up; more are replaced by their sums. */
const maxCountRows = 200;

const catalogSize = sql<{ apps: number }>`
  select greatest(reltuples, 0)::integer as apps from pg_class where oid = 'app_search'::regclass`;

const newFrequentWords = (apps: number, minHits: number) => sql<{ word: string }>`
  with sampled as materialized (
    select document from app_search tablesample system (${Math.min(100, (sampleSize * 100) / apps)}::float4))
  select w.word from sampled s cross join unnest(tsvector_to_array(s.document)) w (word)
  where w.word not like '=%' and not exists (select from frequent_words f where f.word = w.word)
  group by w.word having count(*) >= ${minHits / apps}::float8 * (select count(*) from sampled)`;

/**
 * Every change of an app holds `changes` too, together with the others, until it is committed. If a worker holds it alone,
 * all earlier changes are visible, and all later ones know what is counted and marked. A word is counted by one process
 * at a time, which holds `counts`.
 */
const locks = { changes: 'frequent words', counts: 'word counts' };
const takeLock = (lock: keyof typeof locks) => sql`
  select pg_advisory_xact_lock(hashtextextended(${locks[lock]}, 0))`;
/** Changes of apps wait behind a lock that is waited for, so each wait is short. */
const limitWait = sql`set local lock_timeout = 200`;
const lockTries = 10;
const lockPauseMs = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

const addWords = (words: readonly string[]) => sql`
  insert into frequent_words (word, counted) select unnest(${sql.val(words)}::text[]), false on conflict do nothing`;
const uncountedWords = sql<{ word: string }>`select word from frequent_words where not counted order by word`;

/** A change that this statement does not see has rows in `word_counts` that it does not see either, and they remain. */
const countWord = (word: string) => sql`
  with uncounted as materialized (select word from frequent_words where word = ${word} and not counted),
  gone as (delete from word_counts c using uncounted u where c.word = u.word),
  found as (
    insert into word_counts (word, category, environment, featured, apps)
    select u.word, s.category, s.environment, s.featured, count(*)
    from uncounted u join app_search s on s.document @@ quote_literal(u.word)::tsquery group by 1, 2, 3, 4)
  update frequent_words f set counted = true from uncounted u where f.word = u.word`;

const addUp = sql`
  with gone as (
    delete from word_counts where word in (
      select word from word_counts group by word having count(*) > ${sql.lit(maxCountRows)})
    returning *)
  insert into word_counts (word, category, environment, featured, apps)
  select word, category, environment, featured, sum(apps) from gone group by 1, 2, 3, 4 having sum(apps) <> 0`;

/** The level from which on enough apps are marked, if it must change. Up to twice as many apps as needed are left as they are. */
const newLevel = (minPopular: number) => sql<{ level: number }>`
  select l.level from (select fitting_popular_level(${minPopular}::integer) as level) l
  where l.level is not null and not exists (
    select from popular_level p where l.level between p.marked and p.marked + 1)`;
/** The higher of two levels is complete if the lower one was. */
const markFrom = (level: number) => sql`
  insert into popular_level as p (marked) values (${level})
  on conflict (is_only_row) do update set marked = excluded.marked,
    complete = case when p.complete is not null then greatest(p.complete, excluded.marked) end`;
/** `version` is another one after any change of the row. */
const markedLevel = sql<{ version: string }>`select xmin::text as version from popular_level`;
const setComplete = (version: string) =>
  sql`update popular_level set complete = marked where xmin::text = ${version} and complete is distinct from marked`;

/**
 * Finds the words that very many apps have and counts these apps, and marks the apps with the most installs, for the
 * searches for such words (D314). Pauses for as long as each word took. It can be stopped at any time, and killed; the next
 * run continues.
 */
export async function maintainFrequentWords(
  fork: () => EntityManager,
  signal: AbortSignal,
  given?: FrequentWordLimits,
): Promise<void> {
  const db = () => fork().getKysely();
  const { apps } = (await catalogSize.execute(db())).rows[0]!;
  const { minApps, minHits, minPopular } = given ?? limitsFor(apps);
  if (apps >= minApps) {
    const { rows: added } = await newFrequentWords(apps, minHits).execute(db());
    if (added.length > 0) await holding('changes', addWords(added.map(({ word }) => word)), fork, signal);
    for (const { word } of (await uncountedWords.execute(db())).rows) {
      if (signal.aborted) return;
      const startedAt = performance.now();
      await holding('counts', countWord(word), fork, signal);
      await delay(performance.now() - startedAt);
    }
    for (const { level } of (await newLevel(minPopular).execute(db())).rows)
      await holding('changes', markFrom(level), fork, signal);
  }
  const [marked] = (await markedLevel.execute(db())).rows;
  await fillInstallLevels(fork, signal);
  if (marked && !signal.aborted) await setComplete(marked.version).execute(db());
}

/** Replaces the rows of words that changed often by their sums. */
export const addUpWordCounts = (fork: () => EntityManager, signal: AbortSignal): Promise<void> =>
  holding('counts', addUp, fork, signal);

/** Executes a statement that sees all that was committed before it took the lock. If the lock is not free in time, the next run does. */
async function holding(
  lock: keyof typeof locks,
  statement: RawBuilder<unknown>,
  fork: () => EntityManager,
  signal: AbortSignal,
): Promise<void> {
  const execute = async (em: EntityManager) => {
    for (const each of [limitWait, takeLock(lock), statement]) await each.execute(em.getKysely());
    return true;
  };
  for (let tries = 0; tries < lockTries && !signal.aborted; tries += 1) {
    const isDone = await fork()
      .transactional(execute)
      .catch((error: { code?: string }) => {
        if (error.code !== LOCK_NOT_AVAILABLE) throw error;
        return false;
      });
    if (isDone) return;
    await delay(lockPauseMs);
  }
}
