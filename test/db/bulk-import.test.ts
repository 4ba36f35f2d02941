import { beforeAll, describe, expect, it } from '@jest/globals';
import { duringTests } from '../support/before-tests.js';
import { connectTo, createTestDatabase } from '../support/database.js';

describe('many apps in one transaction', () => {
  const database = duringTests(createTestDatabase, (database) => database.drop());
  const client = duringTests(
    () => connectTo(database.url),
    (client) => client.end(),
  );
  beforeAll(async () => {
    await client.query(
      `insert into developers (id, account_user_id, name, email, status, verified_at, created_at, updated_at)
       select gen_random_uuid(), 'account-' || n, 'Developer ' || n, n || '@example.com', 'VERIFIED', now(), now(), now()
       from generate_series(1, 20) n`,
    );
  });

  /** Inserts approved apps with the numbers `from` to `to`, in one statement. */
  const insertApps = (from: number, to: number) =>
    client.query(
      `insert into apps (id, developer_id, slug, name, description, category, environment, screenshots, status, featured,
         review_count, average_rating, revision, submitted_at, approved_at, created_at, updated_at)
       select gen_random_uuid(), (select id from developers where account_user_id = 'account-' || 1 + n % 20),
         'app-' || n, 'App ' || n, 'Counts to ' || n, 'UTILITIES', 'production', '["a", "b"]', 'APPROVED', n % 2 = 0,
         0, 0, 1, now(), now(), now(), now()
       from generate_series($1::integer, $2) n`,
      [from, to],
    );
  /** Rows that were read, and versions of rows that were written, by all transactions so far. */
  const work = async (table: string) => {
    await client.query('select pg_stat_force_next_flush()');
    const { rows } = await client.query<{ read: number; written: number }>(
      `select (seq_tup_read + idx_tup_fetch)::int as read, (n_tup_ins + n_tup_upd)::int as written
       from pg_stat_user_tables where relname = $1`,
      [table],
    );
    return rows[0]!;
  };
  const publicApps = async () => {
    const { rows } = await client.query(
      `select (select count(*)::int from app_search) as searched, (select sum(apps)::int from app_counts) as counted,
         (select count(*)::int from app_figures where listed) as figures, (select count(*)::int from app_names) as names`,
    );
    return rows[0];
  };

  it('reads each app a few times, however many there are before it', async () => {
    await client.query('begin');
    for (let n = 1; n <= 300; n += 1) await insertApps(n, n);
    await client.query('commit');
    const { read } = await work('apps');
    expect(read).toBeLessThan(300 * 10);
    expect(await publicApps()).toEqual({
      searched: 300,
      counted: 300,
      figures: 300,
      names: 300,
    });
  });

  it('updates no counter more than 64 times', async () => {
    const { rows } = await client.query<{ most: number }>('select max(apps) as most from app_counts');
    expect(rows[0]!.most).toBeLessThanOrEqual(64);
  });

  it('counts the apps of one statement together', async () => {
    const before = await work('app_counts');
    await insertApps(301, 800);
    const after = await work('app_counts');
    expect(after.written - before.written).toBe(2);
    expect(await publicApps()).toEqual({
      searched: 800,
      counted: 800,
      figures: 800,
      names: 800,
    });
  });

  it('announces the change, and no app that is not public', async () => {
    const payloads: string[] = [];
    client.on('notification', ({ channel, payload }) => payloads.push(`${channel}: ${payload}`));
    await client.query('listen catalog; listen changes');
    await insertApps(801, 802);
    await client.query(
      `insert into apps (id, developer_id, slug, name, description, category, environment, screenshots, status, featured,
         review_count, average_rating, revision, created_at, updated_at)
       select gen_random_uuid(), id, 'draft', 'Draft', 'Not yet', 'UTILITIES', 'production', '[]', 'DRAFT', false, 0, 0, 1,
         now(), now() from developers limit 1`,
    );
    await client.query('unlisten *');
    expect(payloads).toEqual(['catalog: listings', 'changes: listing app-801', 'changes: listing app-802']);
    expect(await publicApps()).toMatchObject({ searched: 802, counted: 802 });
  });

  it('leaves what a rebuilt catalog has', async () => {
    const derived = async () =>
      (
        await client.query(
          `select to_jsonb(s) as row from app_search s union all select to_jsonb(w) from search_words w
           union all select to_jsonb(n) from app_names n union all select to_jsonb(f) from app_figures f
           union all select to_jsonb(c) from (
             select category, environment, featured, sum(apps) from app_counts group by 1, 2, 3) c
           order by 1`,
        )
      ).rows;
    const byTriggers = await derived();
    await client.query('select rebuild_catalog()');
    expect(await derived()).toEqual(byTriggers);
  });
});
