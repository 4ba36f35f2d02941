import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import { maxPrepared, Reader } from '../../src/db/reader.js';
import { duringTests } from '../support/before-tests.js';
import { createTestDatabase } from '../support/database.js';

const database = duringTests(createTestDatabase, (database) => database.drop());
const reader = duringTests(() => new Reader({ url: database.url, max: 1, log: pino({ level: 'silent' }) }));

it('closes a connection that has prepared very many statements, so that their plans are freed', async () => {
  const text = `select pg_backend_pid() as pid, (select count(*)::integer from pg_prepared_statements) as prepared`;
  const read = async (name: string) =>
    (await reader.rows<{ pid: number; prepared: number }>({ name, text, values: [] }))[0]!;
  const { pid } = await read('same');
  for (let n = 0; n < 2 * maxPrepared; n += 1) expect((await read('same')).pid).toBe(pid);
  const pids = new Set<number>();
  for (let n = 0; n < 2 * maxPrepared; n += 1) {
    const row = await read(`statement ${n}`);
    pids.add(row.pid);
    expect(row.prepared).toBeLessThanOrEqual(maxPrepared + 1);
  }
  expect(pids.size).toBe(2);
});
