import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { eventsWithIds } from '../../src/modules/events/audit-event.queries.js';
import { migrateDatabase } from '../../src/process/migrate.js';
import { duringTests } from '../support/before-tests.js';
import { connectTo, createEmptyDatabase } from '../support/database.js';
import { compiler } from '../support/statements.js';

describe('the audit log by month (D282)', () => {
  const database = duringTests(createEmptyDatabase, (database) => database.drop());
  const client = duringTests(
    () => connectTo(database.url),
    (client) => client.end(),
  );
  beforeAll(async () => {
    await migrateDatabase(database.url);
  });

  const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
    (await client.query<Row & Record<string, unknown>>(sql, values)).rows as Row[];
  /** Records an event some months from now, with a prepared statement, as a gateway does. */
  const record = async (months: number) =>
    client.query({
      name: 'record',
      text: `insert into audit_events (id, created_at, kind, actor_kind, developer_id, data, request_id)
        select gen_random_uuid(), now() + $1 * interval '1 month', 'developer.updated', 'system',
          '00000000-0000-7000-8000-000000000000', '{}', 'month ' || $1::text`,
      values: [months],
    });
  const read = () =>
    client.query<{ request_id: string; position: string }>({
      name: 'read',
      text: 'select request_id, position from audit_events order by position',
    });
  const partitions = async () =>
    query<{ name: string; bounds: string }>(
      `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
       from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit_events'::regclass order by 1`,
    );
  /** The plan of a page of the log, in the form that the service reads. */
  const planOf = async (where: string) => {
    await client.query('set enable_seqscan = off');
    const rows = await query<{ 'QUERY PLAN': string }>(
      `explain (costs off) select * from audit_events where ${where} order by created_at desc, id desc limit 21`,
    );
    await client.query('reset enable_seqscan');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  it('has one partition for all events before the coming months', async () => {
    await record(-14);
    await record(0);
    const rows = await query<{ partition: string }>(
      'select distinct tableoid::regclass::text as partition from audit_events',
    );
    expect(rows).toEqual([{ partition: expect.stringMatching(/^audit_events_before_\d{4}_\d\d$/) }]);
    const [first, second] = (await read()).rows;
    expect(Number(second!.position)).toBe(Number(first!.position) + 1);
  });

  it('can be migrated again, after a crash before the migration was recorded', async () => {
    const before = await partitions();
    await client.query(
      "update schema_migrations set name = '0042-frequent-words' where name = '0100-baseline'",
    );
    await migrateDatabase(database.url);
    expect(await partitions()).toEqual(before);
    expect((await read()).rows).toHaveLength(2);
  });

  it('has a partition for each of the next twelve months, once they are created', async () => {
    await Promise.all(
      [1, 2].map(async () => {
        await using worker = await connectTo(database.url);
        await worker.query('select create_audit_partitions(12)');
      }),
    );
    for (let month = 1; month <= 12; month += 1) await record(month);
    const rows = await query<{ partition: string; month: string }>(
      `select tableoid::regclass::text as partition, to_char(created_at at time zone 'utc', 'YYYY_MM') as month
       from audit_events where created_at > now() + interval '40 days' order by created_at`,
    );
    expect(rows.length).toBeGreaterThanOrEqual(10);
    expect(rows.filter(({ partition, month }) => partition !== `audit_events_${month}`)).toEqual([]);
    expect(await query('select from audit_events_default')).toEqual([]);
  });

  it('reads a page by index, without sorting, and only the months that the filter allows', async () => {
    const all = await planOf('true');
    expect(all).not.toMatch(/^ *(->)? *(Incremental )?Sort$/m);
    expect(all.match(/Index.* Scan/g)!.length).toBeGreaterThan(12);
    const filtered = await planOf("kind = 'app.created'");
    expect(filtered.match(/Index.* Scan .*_kind_(first|created_at_id_idx)/g)!.length).toBeGreaterThan(12);
    const pruned = await planOf("created_at <= now() - interval '1 year'");
    expect(pruned.match(/Index.* Scan/g)).toHaveLength(1);
    expect(pruned).toMatch('Subplans Removed');
  });

  it('looks up an event by id in the month of the id and in the first partition alone', async () => {
    const planOfIds = async (ids: string[]) => {
      const { sql: text, parameters } = eventsWithIds(ids, sql`id`).compile(compiler);
      const { rows } = await client.query(`explain (costs off) ${text}`, [...parameters]);
      return new Set(JSON.stringify(rows).match(/(?<= on )audit_events_\w+/g)).size;
    };
    const inMonths = (months: number) => newId({ msecs: Date.now() + months * 30.4 * 24 * 3_600_000 });
    expect((await partitions()).length).toBeGreaterThan(12);
    for (const months of [-20, 0, 4, 8]) expect(await planOfIds([inMonths(months)])).toBeLessThanOrEqual(3);
    expect(await planOfIds([inMonths(3), inMonths(6)])).toBeGreaterThan(3);
  });

  it('records an event for which there is no partition, and leaves its month there', async () => {
    await record(30);
    expect(await query('select request_id from audit_events_default')).toEqual([{ request_id: 'month 30' }]);
    await client.query('select create_audit_partitions(31)');
    const names = (await partitions()).map(({ name }) => name);
    const months = await query<{ name: string }>(
      `select 'audit_events_' || to_char(now() at time zone 'utc' + n * interval '1 month', 'YYYY_MM') as name
       from generate_series(29, 31) n`,
    );
    expect(months.map(({ name }) => names.includes(name))).toEqual([true, false, true]);
  });

  it('is append-only, as a whole and in each partition', async () => {
    for (const { name } of [{ name: 'audit_events' }, ...(await partitions())])
      for (const change of [`delete from ${name}`, `update ${name} set kind = 'x'`, `truncate ${name}`])
        await expect(client.query(change)).rejects.toThrow('the audit log is append-only');
  });
});
