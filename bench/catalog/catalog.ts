import { createHash } from 'node:crypto';
import type pg from 'pg';
import { hashApiKey, maskApiKey, newApiKeyToken } from '../../src/auth/api-key-token.js';
import { migrations, textOf } from '../../src/db/migrations/list.js';
import { nameSkeleton, skeletonRule } from '../../src/modules/names/name.rules.js';
import { migrateDatabase } from '../../src/process/migrate.js';
import type { Cluster } from '../cluster.js';
import type { Progress } from '../progress.js';
import * as statements from './statements.js';
import {
  audiences,
  brands,
  categories,
  commonTopics,
  nouns,
  paragraphs,
  topics,
  verbs,
} from './vocabulary.js';

const BATCH = 5000;
const WRITERS = 2;

/** Returns the name of the database of a catalog. It contains a hash of the schema and the data, so that a change gets a new catalog. */
export function catalogName(apps: number): string {
  const made = JSON.stringify([
    migrations.map(({ name, class: migration }) => [name, textOf(migration)]),
    statements,
    nouns,
    commonTopics(apps).length,
    paragraphs()[0],
  ]); // prettier-ignore
  return `catalog_${apps}_${createHash('sha256').update(made).digest('hex').slice(0, 8)}`;
}

/** Returns the database of the catalog, from which copies are made; migrates and loads it if it does not exist. */
export async function ensureCatalog(cluster: Cluster, apps: number, progress: Progress): Promise<string> {
  const name = catalogName(apps);
  if (await cluster.has(name)) return name;
  const partial = `${name}_partial`;
  await cluster.create(partial);
  await migrateDatabase(cluster.url(partial));
  await cluster.withClient(partial, async (client) => {
    const started = performance.now();
    await prepare(client, apps);
    const triggers = await disableTriggers(client);
    const indexes = await dropIndexes(client);
    await insertApps(cluster, partial, apps, progress);
    client.on('notice', ({ message }) => progress.log(`Derived data: ${message}`));
    await afterLoad(client);
    for (const [index, { name: label, definition }] of indexes.entries()) {
      progress.log(`Index ${index + 1} of ${indexes.length}: ${label}`);
      await client.query(definition);
    }
    for (const trigger of triggers) await client.query(`alter table apps enable trigger ${trigger}`);
    progress.log('Vacuum and analyze');
    await client.query('drop table bench_topics, bench_brands');
    await client.query('vacuum analyze');
    await client.query('checkpoint');
    progress.log(
      `${apps.toLocaleString('en')} apps in ${((performance.now() - started) / 1000).toFixed(1)} s`,
    );
  });
  await cluster.rename(partial, name);
  return name;
}

/**
 * Returns the catalog of the baselines: the same rows, with the indexes that a programmer would create for these
 * requests, and without our triggers and indexes, which would cost them time.
 */
export async function ensureBaseline(cluster: Cluster, catalog: string, progress: Progress): Promise<string> {
  const name = `${catalog}_baseline`;
  if (await cluster.has(name)) return name;
  progress.log('Indexes of the baselines');
  const partial = `${catalog}_partial`;
  await cluster.create(partial, catalog);
  await cluster.withClient(partial, async (client) => {
    await dropIndexes(client);
    for (const statement of statements.baseline) await client.query(statement);
    await client.query('vacuum analyze');
  });
  await cluster.rename(partial, name);
  return name;
}

/** Disables the triggers that maintain other tables during the load. Building those tables once is much faster. */
async function disableTriggers(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select tgname as name from pg_trigger
    where tgrelid = 'apps'::regclass and not tgisinternal and tgtype & 2 = 0 and tgtype & 4 = 4`);
  for (const { name } of rows) await client.query(`alter table apps disable trigger ${name}`);
  return rows.map(({ name }) => name);
}

/** Builds the derived data that the triggers would have written. Extend this if `rebuild_catalog()` does not cover a new table. */
async function afterLoad(client: pg.Client): Promise<void> {
  const found = await client.query("select to_regprocedure('rebuild_catalog()') is not null as found");
  if (found.rows[0]?.found) await client.query('select rebuild_catalog()');
  await fillSkeletons(client);
}

/** Computes the skeletons of names, which a worker would otherwise do while the gateway is measured. */
async function fillSkeletons(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ id: string; name: string }>(
    'select app_id as id, name from app_names where skeleton is null',
  );
  await client.query(
    `update app_names n set skeleton = g.skeleton, rule = $3
     from unnest($1::uuid[], $2::text[]) g (id, skeleton) where n.app_id = g.id`,
    [rows.map(({ id }) => id), rows.map(({ name }) => nameSkeleton(name)), skeletonRule],
  );
}

async function prepare(client: pg.Client, apps: number): Promise<void> {
  await client.query('set synchronous_commit = off');
  await client.query(statements.insertDevelopers, [brands()]);
  await client.query(statements.createBrandTable);
  await client.query(statements.insertBrands, [brands()]);
  const all = [...topics(), ...commonTopics(apps)];
  const values = [all.map(({ word }) => word), all.map((topic) => topic.apps), apps];
  // `create table as` accepts no parameters. The values are our own, so they can be part of the text.
  const [words, counts] = values as [string[], number[], number];
  const literal = statements.createTopicTable
    .replace('$1', `'{${words.join(',')}}'`)
    .replace('$2', `'{${counts.join(',')}}'`)
    .replaceAll('$3', String(apps));
  await client.query(literal);
  await client.query(statements.indexTopicTable);
  await client.query('analyze bench_topics, bench_brands');
}

/** Drops all indexes except those of constraints, and returns them: building them after the load is faster. */
async function dropIndexes(client: pg.Client): Promise<{ name: string; definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'public' and tablename in ('apps', 'app_figures', 'search_words')
      and not exists (select from pg_constraint where conname = indexname) order by 1`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows;
}

async function insertApps(cluster: Cluster, database: string, apps: number, progress: Progress) {
  const words = [brands().length, nouns, verbs, audiences, paragraphs(), categories];
  let next = 0;
  let done = 0;
  const writer = () =>
    cluster.withClient(database, async (client) => {
      await client.query('set synchronous_commit = off');
      while (next < apps) {
        const [first, last] = [next, Math.min(next + BATCH, apps) - 1];
        next = last + 1;
        await client.query(statements.insertApps, [first, last, apps, ...words]);
        done += last - first + 1;
        progress.count('Apps', done, apps);
      }
    });
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

/** Gives each of the first developers an API key; the keys are new in every run. */
export async function insertKeys(cluster: Cluster, database: string, keys: readonly string[]): Promise<void> {
  const text = `
    insert into api_keys (id, developer_id, name, scopes, hash, masked_key, expires_at, created_at)
    select gen_random_uuid(), d.id, 'bench', '{APP_READ}', key.hash, key.masked, now() + interval '1 day', now()
    from unnest($1::bytea[], $2::text[]) with ordinality as key (hash, masked, n)
    join developers d on d.account_user_id = 'bench-' || key.n - 1`;
  const values = [keys.map(hashApiKey), keys.map(maskApiKey)];
  await cluster.withClient(database, (client) => client.query(text, values));
}

export const newKeys = () => Array.from({ length: statements.KEY_HOLDERS }, newApiKeyToken);
