import { describe, expect, it } from '@jest/globals';
import { duringTests } from '../support/before-tests.js';
import { connectTo, createTestDatabase } from '../support/database.js';

interface HotTable {
  fill: string;
  update: string;
  /** The columns that identify a row. */
  key: string;
}

/** Tables whose rows are updated all the time: how to make a thousand rows, and the update that the service makes. */
const hotTables: Record<string, HotTable> = {
  rate_limits: {
    fill: "insert into rate_limits select 'write:developer-' || n, 1, 0 from generate_series(1, 1000) n",
    update: 'update rate_limits set points = points + 1, expire = expire + 60000',
    key: 'key',
  },
  installs_daily: {
    fill: `insert into installs_daily select gen_random_uuid(), current_date, 'production', '1.0', 1, 1
      from generate_series(1, 1000)`,
    update:
      'update installs_daily set installs = installs + 1, unique_installations = unique_installations + 1',
    key: 'app_id::text',
  },
  app_counts: {
    fill: `insert into app_counts select category, environment, featured, shard, 1
      from unnest(array['UTILITIES', 'FINANCE', 'OTHER', 'BUSINESS', 'AI_ML', 'EDUCATION', 'ANALYTICS']) category,
        unnest(array['localhost', 'staging', 'production']) environment, unnest(array[true, false]) featured,
        generate_series(0, 15) shard`,
    update: 'update app_counts set apps = apps + 1',
    key: 'category || environment || featured || shard',
  },
  api_keys: {
    fill: `with owner as (
        insert into developers (id, account_user_id, name, email, status, created_at, updated_at)
        values (gen_random_uuid(), 'ada', 'Ada', 'ada@example.com', 'UNVERIFIED', now(), now()) returning id)
      insert into api_keys (id, developer_id, name, scopes, hash, masked_key, expires_at, created_at)
      select gen_random_uuid(), owner.id, 'Key ' || n, '{APP_READ}', sha256(n::text::bytea), 'mgk_…' || n, now(), now()
      from owner, generate_series(1, 1000) n`,
    update: 'update api_keys set last_used_at = now()',
    key: 'id::text',
  },
};

describe('tables that are updated all the time (D267)', () => {
  const database = duringTests(createTestDatabase, (database) => database.drop());
  const client = duringTests(
    () => connectTo(database.url),
    (client) => client.end(),
  );

  /** Updates a tenth of the rows, each row in another tenth. */
  const updateTenth = async ({ key, update }: HotTable, tenth: number) =>
    client.query(`${update} where abs(hashtext(${key})) % 10 = ${tenth}`);
  const bytesOf = async (table: string) => {
    const { rows } = await client.query<{ bytes: number }>(
      'select (pg_relation_size($1::regclass) + pg_indexes_size($1::regclass))::int as bytes',
      [table],
    );
    return rows[0]!.bytes;
  };
  const updatesOf = async (table: string) => {
    await client.query('select pg_stat_force_next_flush()');
    const { rows } = await client.query<{ all: number; hot: number }>(
      'select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables where relname = $1',
      [table],
    );
    return rows[0]!;
  };

  // Each vacuum stands for the cleaning of a page by the next update.
  it.each(Object.entries(hotTables))('%s has room for updates in place', async (table, statements) => {
    await client.query(statements.fill);
    for (let update = 0; update < 40; update += 1) {
      await updateTenth(statements, update % 10);
      await client.query(`vacuum ${table}`);
    }
    const { all, hot } = await updatesOf(table);
    expect(all).toBeGreaterThan(2_500);
    // Without room it is 0.4 to 0.8. A snapshot of another session can keep a vacuum from cleaning, so a few may not fit.
    expect(hot / all).toBeGreaterThan(0.95);
  });

  it.each([
    [
      'app_figures',
      ['autovacuum_vacuum_scale_factor=0.002', 'autovacuum_vacuum_cost_delay=0', 'vacuum_truncate=false'],
    ],
    ['pgboss.job_common', ['autovacuum_vacuum_scale_factor=0.02', 'autovacuum_vacuum_cost_delay=0']],
  ])('%s is vacuumed after few updates, without pauses', async (table, options) => {
    const { rows } = await client.query<{ options: string[] }>(
      'select reloptions as options from pg_class where oid = $1::regclass',
      [table],
    );
    expect(rows[0]!.options).toEqual(expect.arrayContaining(options));
  });

  it('app_figures stays within the size that it has after one round of updates, if it is vacuumed', async () => {
    await client.query(`
      create table figures (like app_figures including all);
      insert into figures select gen_random_uuid(), n, true, now(), 'UTILITIES', 'production', n % 50 = 0
      from generate_series(1, 1000) n`);
    const bytes: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      await client.query('update figures set install_count = install_count + 1');
      await client.query('vacuum figures');
      bytes.push(await bytesOf('figures'));
    }
    expect(Math.max(...bytes)).toBeLessThanOrEqual(bytes[0]! * 1.3);
  });
});
