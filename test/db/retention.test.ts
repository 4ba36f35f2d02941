import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { PgBoss } from 'pg-boss';
import { pino } from 'pino';
import { ormOptions } from '../../mikro-orm.config.js';
import { loadConfig, settingNames } from '../../src/config.js';
import { retentionRules } from '../../src/db/retention.js';
import { Jobs } from '../../src/jobs.js';
import { duringTests } from '../support/before-tests.js';
import { connectTo, createTestDatabase } from '../support/database.js';
import { openRetention } from '../support/retention.js';

const database = duringTests(createTestDatabase, (database) => database.drop());
const client = duringTests(
  () => connectTo(database.url),
  (client) => client.end(),
);

const rulesWith = <Key extends string>(key: Key) =>
  Object.entries(retentionRules).flatMap(([table, rule]) => (key in rule ? [{ table, ...rule }] : []));

describe('the rules of retention (D268)', () => {
  it('cover every table, and no other', async () => {
    const { rows } = await client.query<{ name: string }>(
      `select case nspname when 'public' then relname else nspname || '.' || relname end as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where relkind in ('r', 'p') and not relispartition and nspname !~ '^(pg_|information_schema$)'`,
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(retentionRules).sort());
  });

  it('say that rows are deleted with another row only where a foreign key does it', async () => {
    const { rows } = await client.query<{ pair: string }>(
      `select conrelid::regclass || ' ' || confrelid::regclass as pair from pg_constraint where confdeltype = 'c'`,
    );
    const pairs = rows.map(({ pair }) => pair);
    const rules = rulesWith('perRowOf') as { table: string; perRowOf: string }[];
    expect(rules.filter(({ table, perRowOf }) => !pairs.includes(`${table} ${perRowOf}`))).toEqual([]);
  });

  it('are in docs/operations.md, with their settings', () => {
    const page = readFileSync('docs/operations.md', 'utf8');
    const [, section = ''] = /^## Retention$([\s\S]*?)^## /m.exec(page) ?? [];
    const cells = [...section.matchAll(/^\| (`[\w.`, ]+`) \|/gm)].map(([, cell = '']) => cell);
    const documented = cells.flatMap((cell) => cell.match(/[\w.]+/g) ?? []);
    expect(documented.sort()).toEqual(Object.keys(retentionRules).sort());
    const settings = settingNames.filter((name) => name.startsWith('RETENTION_'));
    expect(settings.filter((name) => !section.includes(name))).toEqual([]);
  });
});

describe('a year of days (D268)', () => {
  const dayMs = 24 * 60 * 60 * 1000;
  const environment = {
    RETENTION_MAILS_DAYS: '7',
    RETENTION_DELIVERIES_DAYS: '30',
    RETENTION_INSTALLS_DAYS: '60',
    RETENTION_REPORTS_DAYS: '90',
  };
  /** The most days whose rows are there, of ten rows a day; and one delivery that waits. */
  const daysKept = {
    mails: 8,
    webhook_deliveries: 31,
    webhook_attempts: 31,
    stored_responses: 2,
    rate_limits: 1,
    replication_marks: 2,
    rating_reports: 91,
    app_reports: 91,
    publisher_tokens: 2,
    profile_changes: 31,
  };
  const start = Date.parse('2026-01-01T12:00:00Z');

  beforeAll(async () => {
    await client.query(fixture);
    await client.query(tenADay, [new Date(start)]);
  });

  const count = async (table: string, condition = 'true') => {
    const { rows } = await client.query(`select count(*)::int as count from ${table} where ${condition}`);
    return rows[0].count as number;
  };

  it('leaves as many rows as the settings allow', async () => {
    const retention = await openRetention(database.url);
    // A worker that runs every fifth day is enough to show it.
    for (let day = 0; day <= 365; day += 5)
      await retention.removeOldRows(new Date(start + day * dayMs), environment);
    await retention.close();
    for (const [table, days] of Object.entries(daysKept)) {
      const rows = await count(table);
      expect({ table, isBounded: rows <= days * 10 + 1, isKept: rows >= (days - 1) * 10 }).toEqual({
        table,
        isBounded: true,
        isKept: true,
      });
    }
  });

  it('has every table to which a rule applies', () => {
    const bounded = [...Object.keys(daysKept), 'installations', 'installs_daily'];
    expect(rulesWith('remove').filter(({ table }) => !bounded.includes(table))).toEqual([]);
  });

  it('keeps of old installs their number, and what recognises an installation', async () => {
    expect(await count('installations', 'installation_id is null')).toBeLessThanOrEqual(61 * 5);
    expect(await count('installations', 'account_user_id is not null')).toBeLessThanOrEqual(61 * 10);
    expect(await count('installations', 'installation_id is not null')).toBe(366 * 5);
    // Ten versions a day for the last days, and one row for each day before.
    expect(await count('installs_daily')).toBeLessThanOrEqual(61 * 10 + 306);
    const { rows } = await client.query(
      'select sum(installs)::int as installs, count(distinct day)::int as days from installs_daily',
    );
    expect(rows).toEqual([{ installs: 366 * 10, days: 366 }]);
  });

  it('keeps a delivery that is waiting for its next attempt, and no other that is old', async () => {
    expect(await count('webhook_deliveries', "status = 'PENDING' and created_at < '2026-06-01'")).toBe(1);
  });

  it('removes more rows than a batch has', async () => {
    await client.query(
      `insert into mails (id, created_at, kind, recipient, subject, message_id)
       select gen_random_uuid(), '2025-01-01', 'a', 'b@example.com', 'c', 'd' from generate_series(1, 10500)`,
    );
    const retention = await openRetention(database.url);
    await Promise.all([1, 2].map(() => retention.removeOldRows(new Date(start + 365 * dayMs), environment)));
    await retention.close();
    expect(await count('mails', "created_at < '2026-01-01'")).toBe(0);
  });

  it('leaves the jobs of the last days', async () => {
    const orm = await MikroORM.init(ormOptions(database.url, 1));
    const retentionDays = loadConfig({ RETENTION_JOBS_DAYS: '3' }).retention.jobsDays;
    const jobs = await Jobs.open(database.url, pino({ level: 'silent' }), { retentionDays });
    for (let day = 0; day < 30; day += 1) await jobs.enqueue(orm.em.fork(), 'notifications', { day });
    await jobs.close();
    await orm.close();
    await client.query(
      `update pgboss.job set state = 'completed', completed_on = now() - (data->>'day')::int * interval '1 day' - interval '1 hour'`,
    );
    const boss = new PgBoss({
      connectionString: database.url,
      supervise: false,
      schedule: false,
      migrate: false,
    });
    await boss.start();
    await boss.supervise();
    await boss.stop({ graceful: false });
    const { rows } = await client.query<{ day: string }>(
      "select data->>'day' as day from pgboss.job order by 1",
    );
    expect(rows.map(({ day }) => day)).toEqual(['0', '1', '2']);
  });
});

/** A developer with a webhook endpoint, and a rated app. */
const fixture = `
  insert into developers (id, account_user_id, name, email, status, verified_at, created_at, updated_at)
  values (gen_random_uuid(), 'ada', 'Ada', 'ada@example.com', 'VERIFIED', now(), now(), now());
  insert into apps (id, developer_id, slug, name, description, category, environment, screenshots, status, featured,
    review_count, average_rating, revision, submitted_at, approved_at, created_at, updated_at)
  select gen_random_uuid(), id, 'app', 'App', 'Counts', 'UTILITIES', 'production', '["a", "b"]', 'APPROVED', false, 0, 0, 1,
    now(), now(), now(), now() from developers;
  insert into ratings (id, app_id, account_user_id, rating, created_at, updated_at)
  select gen_random_uuid(), id, 'grace', 1, now(), now() from apps;
  insert into webhook_endpoints (id, developer_id, url, events, signing_secret, created_at, updated_at)
  select gen_random_uuid(), id, 'https://hooks.example', '{}', 'whsec_x', now(), now() from developers`;

/** Ten rows in each table for each day of a year, from a day on. One delivery waits for its next attempt. */
const tenADay = `
  with days as (select at, n, row_number() over () as number
    from generate_series($1::timestamptz, $1::timestamptz + interval '365 days', interval '1 day') at, generate_series(1, 10) n),
  mailed as (
    insert into mails (id, created_at, kind, recipient, subject, message_id)
    select gen_random_uuid(), at, 'a', 'b@example.com', 'c', 'd' from days),
  delivered as (
    insert into webhook_deliveries (id, created_at, endpoint_id, event_id, type, request_body, status, attempt_count,
      try_count, next_attempt_at, delivered_at, job_id)
    select gen_random_uuid(), at, e.id, gen_random_uuid(), 'app.created', '{}',
      case when number < 3 then 'PENDING' else 'DELIVERED' end, 1, 1,
      case number when 1 then at when 2 then at + interval '365 days' end, at, gen_random_uuid()
    from days, webhook_endpoints e returning id, created_at),
  attempted as (
    insert into webhook_attempts (id, created_at, delivery_id, number, url, request_headers, duration_ms)
    select gen_random_uuid(), created_at, id, 1, 'https://hooks.example', '{}', 1 from delivered),
  kept as (
    insert into stored_responses (id, body_hash, status, body, created_at)
    select sha256(number::text::bytea), sha256(''), 200, '{}', at from days),
  limited as (
    insert into rate_limits select number::text, 1, extract(epoch from at + interval '1 minute') * 1000 from days),
  marked as (insert into replication_marks select gen_random_uuid(), at from days),
  reported as (
    insert into rating_reports (id, rating_id, account_user_id, reason, closed_at, created_at, updated_at)
    select gen_random_uuid(), r.id, number::text, 'Spam', at, at, at from days, ratings r),
  reported_apps as (
    insert into app_reports (id, app_id, account_user_id, reason, closed_at, created_at, updated_at)
    select gen_random_uuid(), a.id, number::text, 'SPAM', at, at, at from days, apps a),
  exchanged as (insert into publisher_tokens select 'https://gitlab.com', number::text, at from days),
  changed as (
    insert into profile_changes (id, developer_id, key_id, before, undo_hash, created_at)
    select gen_random_uuid(), d.id, gen_random_uuid(), '{}', sha256(number::text::bytea), at from days, developers d),
  installed as (
    insert into installations (id, app_id, installation_id, account_user_id, version, created_at)
    select gen_random_uuid(), a.id, case when n > 5 then number::text end, 'grace', n::text, at from days, apps a)
  insert into installs_daily (app_id, day, environment, version, installs, unique_installations)
  select a.id, (at at time zone 'utc')::date, 'production', n::text, 1, 0 from days, apps a`;
