import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { BoundedReader } from '../../src/db/bounded-reader.js';
import { Reader, type Statement } from '../../src/db/reader.js';
import { duringTests } from '../support/before-tests.js';
import { createTestDatabase } from '../support/database.js';

const connections = 4;
const database = duringTests(createTestDatabase, (database) => database.drop());
const reader = duringTests(
  () => new Reader({ url: database.url, max: connections, log: pino({ level: 'silent' }) }),
);

const sleep = (ms: number): Statement => ({
  name: 'sleep',
  text: 'select pg_sleep($1::double precision)::text',
  values: [ms / 1000],
});
const quick: Statement = { name: 'quick', text: 'select 1 as one', values: [] };

describe('searches and counts (D360)', () => {
  it('use half of the connections, and the others stay free', async () => {
    const bounded = new BoundedReader(reader, connections);
    const searches = Array.from({ length: 10 }, () => bounded.rows(sleep(200)));
    expect(bounded.figures).toEqual({ running: 2, waiting: 8 });
    await reader.rows(quick);
    // It did not wait for its turn behind the searches.
    expect(bounded.figures.waiting).toBeGreaterThan(0);
    await Promise.all(searches);
    expect(bounded.figures).toEqual({ running: 0, waiting: 0 });
  });

  it('run in the order of their arrival, also after one that fails', async () => {
    const bounded = new BoundedReader(reader, 2);
    const ended: number[] = [];
    const failing = { name: 'failing', text: 'select 1 / $1::integer as one', values: [0] };
    const statements = [sleep(50), failing, quick, failing, quick, quick];
    const results = await Promise.allSettled(
      statements.map((statement, index) => bounded.rows(statement).finally(() => ended.push(index))),
    );
    expect(ended).toEqual([0, 1, 2, 3, 4, 5]);
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([
      true,
      false,
      true,
      false,
      true,
      true,
    ]);
    expect(bounded.figures).toEqual({ running: 0, waiting: 0 });
  });

  it('are rejected at once if too many wait, and are not executed', async () => {
    const bounded = new BoundedReader(reader, 2);
    const results = await Promise.allSettled([
      bounded.rows(sleep(300)),
      ...Array.from({ length: 40 }, () => bounded.rows(quick)),
    ]);
    const rejected = results.filter(({ status }) => status === 'rejected');
    expect(rejected).toHaveLength(8);
    for (const { reason } of rejected as PromiseRejectedResult[])
      expect(reason).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: expect.any(Number) });
    expect(await bounded.rows(quick)).toEqual([{ one: 1 }]);
  });

  it('are rejected if their turn does not come in time', async () => {
    const bounded = new BoundedReader(reader, 2);
    const long = bounded.rows(sleep(3_500));
    await expect(bounded.rows(quick)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(bounded.figures).toEqual({ running: 1, waiting: 0 });
    await long;
    expect(await bounded.rows(quick)).toEqual([{ one: 1 }]);
  });
});
