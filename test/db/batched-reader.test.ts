import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { BatchedReader } from '../../src/db/batched-reader.js';
import type { Statement } from '../../src/db/reader.js';
import { duringTests } from '../support/before-tests.js';
import { createTestDatabase } from '../support/database.js';

let sent: Statement[] = [];
let failure: Error | null = null;
const database = duringTests(createTestDatabase, (database) => database.drop());
const pool = duringTests(
  () => new pg.Pool({ connectionString: database.url, max: 4 }),
  (pool) => pool.end(),
);
beforeAll(async () => {
  pool.on('error', () => undefined);
});

/** A reader of three statements at once. */
function reader(connections = pool): BatchedReader {
  sent = [];
  failure = null;
  const rows = async <Row extends object>(statement: Statement): Promise<Row[]> => {
    sent.push(statement);
    if (failure) throw failure;
    return (await connections.query({ ...statement, values: [...statement.values] })).rows as Row[];
  };
  return new BatchedReader({ rows }, 3);
}

/** The multiples of a number, the largest first: none for zero, and an error for a negative one. */
const multiples = (of: number, label: string | null = 'x'): Statement => ({
  name: 'multiples',
  text: `select n * $1::integer as multiple, $2::text as label from generate_series(1, sqrt($1::integer)::integer) n
    order by n desc limit $1::integer`,
  values: [of, label],
});
const read = async (batched: BatchedReader, of: number, label?: string | null) => {
  const rows = await batched.rows<{ multiple: number; label: string }>(multiples(of, label));
  return rows.map((row) => [row.multiple, row.label]);
};

describe('statements with the same text at the same time', () => {
  it('are sent as one, and each gets its own rows in their order', async () => {
    const batched = reader();
    const odd = `"{a,b}\\ ', null`;
    expect(await Promise.all([read(batched, 9, odd), read(batched, 0), read(batched, 4, null)])).toEqual([
      [
        [27, odd],
        [18, odd],
        [9, odd],
      ],
      [],
      [
        [8, null],
        [4, null],
      ],
    ]);
    expect(sent).toHaveLength(1);
  });

  it('are at most as many as allowed, and one alone is sent as it is', async () => {
    const batched = reader();
    await Promise.all([1, 1, 1, 1].map((of) => read(batched, of)));
    expect(sent.map(({ name }) => name)).toEqual(['batch of multiples', 'multiples']);
    expect(sent[1]).toEqual(multiples(1));
  });

  it('are sent apart if their texts differ', async () => {
    const batched = reader();
    const other = { name: 'other', text: 'select $1::integer as one', values: [1] };
    const [rows] = await Promise.all([batched.rows(other), read(batched, 1)]);
    expect(rows).toEqual([{ one: 1 }]);
    expect(sent.map(({ name }) => name)).toEqual(['other', 'multiples']);
  });

  it('do not fail for the error of another one', async () => {
    const batched = reader();
    const results = await Promise.allSettled([read(batched, 1), read(batched, -1), read(batched, 4)]);
    expect(results).toEqual([
      { status: 'fulfilled', value: [[1, 'x']] },
      { status: 'rejected', reason: expect.objectContaining({ code: '2201F' }) },
      {
        status: 'fulfilled',
        value: [
          [8, 'x'],
          [4, 'x'],
        ],
      },
    ]);
  });

  it('do not fail for the time that another one takes', async () => {
    const impatient = new pg.Pool({ connectionString: database.url, max: 3, statement_timeout: 400 });
    const batched = reader(impatient);
    const text = 'select pg_sleep($1::double precision)::text as slept';
    const sleep = (seconds: number) => batched.rows({ name: 'sleep', text, values: [seconds] });
    const results = await Promise.allSettled([sleep(0), sleep(60), sleep(0)]);
    await impatient.end();
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('are sent again if the connection was lost, and not if the database cannot be reached', async () => {
    const batched = reader();
    const connection = await pool.connect();
    const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid');
    await connection.query('begin; lock table apps in access exclusive mode');
    const counts = ['a', 'b'].map((label) =>
      batched.rows({
        name: 'count',
        text: 'select count(*)::integer as n, $1::text as label from apps',
        values: [label],
      }),
    );
    const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    let waits: { pid: number }[] = [];
    while (waits.length === 0) ({ rows: waits } = await pool.query<{ pid: number }>(waiting));
    expect(waits[0]?.pid).not.toBe(rows[0]?.pid);
    await pool.query('select pg_terminate_backend($1)', [waits[0]?.pid]);
    await connection.query('rollback');
    connection.release();
    expect(await Promise.all(counts)).toEqual([[{ n: 0, label: 'a' }], [{ n: 0, label: 'b' }]]);

    failure = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
    sent = [];
    const failed = await Promise.allSettled([read(batched, 1), read(batched, 4)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(sent).toHaveLength(1);
  });
});
