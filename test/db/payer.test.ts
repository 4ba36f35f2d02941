import { beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { CatalogVersion } from '../../src/cache/catalog-version.js';
import { batchedLookup } from '../../src/db/batched-lookup.js';
import { BatchedReader } from '../../src/db/batched-reader.js';
import { chargedTo, remainingMs, runFor } from '../../src/db/payer.js';
import { Reader, type Statement } from '../../src/db/reader.js';
import { BatchQueue } from '../../src/modules/installs/install-queue.service.js';
import { duringTests } from '../support/before-tests.js';
import { createTestDatabase } from '../support/database.js';

const sleepMs = 300;

const database = duringTests(createTestDatabase, (database) => database.drop());
/** One connection, so that statements wait for each other. */
const reader = duringTests(() => new Reader({ url: database.url, max: 1, log: pino({ level: 'silent' }) }));
beforeAll(async () => {
  await reader.rows({ name: 'open', text: 'select 1', values: [] });
});

class Purse {
  ms = 0;
  chargeDatabaseTime(ms: number): void {
    this.ms += ms;
  }
}
const purses = (count: number) => Array.from({ length: count }, () => new Purse());
const sumOf = (all: readonly Purse[]) => all.reduce((sum, { ms }) => sum + ms, 0);
/** Returns how long an action takes, as the payers see it. */
async function elapsedMs(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await act();
  return performance.now() - startedAt;
}

const sleep = (key: string): Statement => ({
  name: 'sleep',
  text: `select $1::text as key, pg_sleep(${sleepMs / 1000})::text as slept`,
  values: [key],
});

describe('the time of a statement (D321)', () => {
  it('is charged without the wait for a connection', async () => {
    const payers = purses(3);
    const allMs = await elapsedMs(() =>
      Promise.all(payers.map((payer) => chargedTo(payer, () => reader.rows(sleep('one'))))),
    );
    for (const { ms } of payers) expect(ms).toBeGreaterThan(sleepMs * 0.95);
    // With the waits it would be twice as much.
    expect(sumOf(payers)).toBeLessThan(allMs * 1.1);
  });

  it('is charged where the statement fails', async () => {
    const [payer] = purses(1) as [Purse];
    const failing = { name: 'failing', text: `${sleep('x').text}, 1 / (length($1) - 1)`, values: ['x'] };
    await expect(chargedTo(payer, () => reader.rows(failing))).rejects.toThrow('division by zero');
    expect(payer.ms).toBeGreaterThan(0);
  });

  it('is charged in equal parts to those who share it, and to nobody for those who do not pay', async () => {
    const [first, second] = purses(2) as [Purse, Purse];
    const slept = { name: 'sleeps', text: `select pg_sleep(${sleepMs / 1000})::text`, values: [] };
    const lookUp = batchedLookup(async (keys) => {
      await reader.rows(slept);
      return keys.map((key) => ({ key }));
    });
    const allMs = await elapsedMs(() =>
      Promise.all([
        chargedTo(first, () => lookUp('a')),
        chargedTo(second, () => lookUp('b')),
        chargedTo(null, () => lookUp('c')),
        lookUp('d'),
      ]),
    );
    for (const { ms } of [first, second]) {
      expect(ms).toBeGreaterThan((sleepMs / 4) * 0.95);
      expect(ms).toBeLessThan((allMs / 4) * 1.1);
    }
  });

  it('is charged in equal parts for statements that are sent as one', async () => {
    const payers = purses(4);
    const batched = new BatchedReader(reader, 4);
    await Promise.all(payers.map((payer) => chargedTo(payer, () => batched.rows(sleep('alike')))));
    const sum = sumOf(payers);
    for (const payer of payers) expect(payer.ms).toBeCloseTo(sum / 4);
    expect(sum).toBeGreaterThan(sleepMs * 0.95);
  });
});

describe('work that two requests share (D329)', () => {
  const within = <T>(ms: number, run: () => Promise<T>) =>
    runFor({ deadlineAt: performance.now() + ms }, new Purse(), run);
  const batched = () => {
    const reading = new BatchedReader(reader, 8);
    return (key: string) => reading.rows(sleep(key));
  };
  const lookUp = () =>
    batchedLookup<{ key: string }>((keys) =>
      reader.rows({
        name: 'slow look-up',
        text: `select key, pg_sleep(${sleepMs / 1000})::text from unnest($1::text[]) key`,
        values: [keys],
      }),
    );
  const shared = () => {
    const [catalog, operation] = [new CatalogVersion(() => true), {}];
    return () => catalog.share(operation, 'the same', () => reader.rows(sleep('shared')));
  };

  it.each<[string, () => (key: string) => Promise<unknown>]>([
    ['statements of one moment', batched],
    ['look-ups of one moment', lookUp],
    ['a query in progress', shared],
  ])('fails for the one whose time is over, and not for the other: %s', async (_, start) => {
    const ask = start();
    const startedAt = performance.now();
    const late = within(100, () => ask('late')).then(
      () => 'answered',
      () => performance.now() - startedAt,
    );
    await expect(within(12_000, () => ask('in time'))).resolves.toBeDefined();
    expect(await late).toBeLessThan(sleepMs);
  });

  it('has no deadline where a queue is sent for all', async () => {
    const sent: number[] = [];
    const queue = new BatchQueue<string>(async () => void sent.push(remainingMs()));
    await within(100, async () => queue.add('an install'));
    await queue.drained();
    expect(sent).toEqual([Number.POSITIVE_INFINITY]);
  });
});
