import { expect, it } from '@jest/globals';
import { batchedLists, batchedLookup } from '../../src/db/batched-lookup.js';

const rowOf = (key: string) => ({ key, read: `row ${key}` });

it('reads the rows of look-ups at the same time once, and gives each its own', async () => {
  const reads: string[][] = [];
  const lookUp = batchedLookup(async (keys) => {
    reads.push([...keys]);
    return keys.filter((key) => key !== 'none').map(rowOf);
  });
  const found = await Promise.all(['b', 'none', 'a', 'b'].map(lookUp));
  expect(found).toEqual([rowOf('b'), null, rowOf('a'), rowOf('b')]);
  expect(reads).toEqual([['b', 'none', 'a', 'b']]);
});

it('reads again for a look-up that is requested while a statement runs', async () => {
  const statements: ((rows: { key: string; version: number }[]) => void)[] = [];
  const lookUp = batchedLookup<{ key: string; version: number }>(
    () => new Promise((resolve) => statements.push(resolve)),
  );
  const first = lookUp('a');
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(statements).toHaveLength(1);
  const second = lookUp('a');
  statements[0]!([{ key: 'a', version: 1 }]);
  expect(await first).toEqual({ key: 'a', version: 1 });
  await new Promise(setImmediate);
  expect(statements).toHaveLength(2);
  statements[1]!([{ key: 'a', version: 2 }]);
  expect(await second).toEqual({ key: 'a', version: 2 });
});

it('fails all look-ups of a statement that fails, and none after it', async () => {
  let fails = true;
  const lookUp = batchedLookup(async (keys) => {
    if (fails) throw new Error('the connection is lost');
    return keys.map(rowOf);
  });
  const results = await Promise.allSettled([lookUp('a'), lookUp('b')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await lookUp('a')).toEqual(rowOf('a'));
});

it('reads lists at the same time in statements of a few keys, and gives each its own rows in order', async () => {
  const reads: string[][] = [];
  const listOf = batchedLists(async (keys) => {
    reads.push([...keys]);
    return ['b2', 'a1', 'b1', 'a3', 'c1']
      .filter((read) => keys.includes(read[0]!))
      .map((read) => ({ key: read[0]!, read }));
  }, 4);
  const lists = await Promise.all(['b', 'none', 'a', 'b', 'c'].map(listOf));
  expect(lists.map((rows) => rows.map(({ read }) => read))).toEqual([
    ['b2', 'b1'],
    [],
    ['a1', 'a3'],
    ['b2', 'b1'],
    ['c1'],
  ]);
  expect(reads).toEqual([['b', 'none', 'a', 'b'], ['c']]);
});

it.each([
  [true, Object.assign(new Error('terminating connection'), { code: '57P01' })],
  [true, new Error('Connection terminated unexpectedly')],
  [true, Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
  [false, Object.assign(new Error('the database was silent for too long'), { code: 'ETIMEDOUT' })],
  [false, Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })],
  [false, Object.assign(new Error('syntax error'), { code: '42601' })],
])('reads again, once (%s), after %s', async (isRepeated, error) => {
  for (const failures of [1, 2]) {
    let reads = 0;
    const read = async (keys: readonly string[]) => {
      reads += 1;
      if (reads <= failures) throw error;
      return keys.map(rowOf);
    };
    for (const lookUp of [batchedLookup(read), batchedLists(read, 8)]) {
      reads = 0;
      const [result] = await Promise.allSettled([lookUp('a')]);
      expect(result!.status).toBe(isRepeated && failures === 1 ? 'fulfilled' : 'rejected');
      expect(reads).toBe(isRepeated ? 2 : 1);
    }
  }
});
