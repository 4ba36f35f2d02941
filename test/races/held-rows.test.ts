import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { WriteQueue } from '../../src/operations/write-queue.js';
import { aListing, atOnce, type Developer } from '../support/actors.js';
import { apis, type Outcome } from '../support/api-client.js';
import { duringTests } from '../support/before-tests.js';
import { secondGateway, startService } from '../support/service.js';
import { expectHealthy, patient, racing, tally, winners } from './race.js';

const isBusy = ({ code, status, headers }: Outcome) =>
  code === 'UNAVAILABLE' && status === 503 && Number(headers.get('retry-after')) > 0;

describe('an app whose row is held', () => {
  let ada: Developer;
  let bob: Developer;
  const service = duringTests(() =>
    startService({}, undefined, { ...patient, writeBounds: { waitMs: 1_000 } }),
  );
  beforeAll(async () => {
    [ada, bob] = await Promise.all([service.aDeveloper(), service.aDeveloper()]);
  });
  const { holdRows, waitingFor } = racing(service);

  it('delays only changes of this app: other reads and writes go on, and most waiters get 503 (D241)', async () => {
    const [held, other] = await Promise.all([service.anApp(ada), service.anApp(ada)]);
    const release = await holdRows('select from apps where id = $1 for update', [held.id]);
    const changes = Array.from({ length: 40 }, (_, index) =>
      service.client.call('rest', 'updateApp', { id: held.id, description: `Text ${index}` }, ada.key),
    );
    try {
      await waitingFor(2);
      for (const api of apis) {
        expect(await service.client.call(api, 'me', {}, bob.key)).toMatchObject({ code: null });
        expect(await service.client.call(api, 'myApp', { id: held.id }, ada.key)).toMatchObject({
          code: null,
        });
        const renamed = await service.client.call(api, 'updateMe', { name: `Bob by ${api}` }, bob.key);
        expect(renamed).toMatchObject({ code: null });
        const changed = { id: other.id, description: `Changed by ${api}` };
        expect(await service.client.call(api, 'updateApp', changed, ada.key)).toMatchObject({ code: null });
      }
      // Only the two that wait for the row itself have no response yet.
      const refused = await Promise.all(changes.map(firstOf(changes, 38)));
      expect(refused.filter((outcome) => outcome !== null).every(isBusy)).toBe(true);
    } finally {
      await release();
    }
    const outcomes = await Promise.all(changes);
    expect(tally(outcomes)).toEqual({ OK: 2, UNAVAILABLE: 38 });
    const [row] = await service.sql<{ revision: number }>('select revision from apps where id = $1', [
      held.id,
    ]);
    expect(row).toEqual({ revision: 3 });
  });

  it('delays only its own ratings, whoever rates (D241)', async () => {
    const [held, other] = await Promise.all([service.anApp(ada, 'APPROVED'), service.anApp(bob, 'APPROVED')]);
    const tokens = await atOnce(20, (index) => service.token(`rater-${index}`));
    const release = await holdRows('select from apps where id = $1 for update', [held.id]);
    const rate = (slug: string, token: string) => service.call('rateApp', { slug, rating: 5 }, token);
    const ratings = tokens.map((token) => rate(held.slug, token));
    try {
      await waitingFor(2);
      expect(await rate(other.slug, tokens[0]!)).toMatchObject({ code: null });
    } finally {
      await release();
    }
    const { OK = 0, UNAVAILABLE = 0 } = tally(await Promise.all(ratings));
    expect([OK + UNAVAILABLE, OK >= 2]).toEqual([20, true]);
  });
});

/** Resolves with null for those that have no outcome when this many others have one. */
function firstOf(all: readonly Promise<Outcome>[], count: number) {
  let settled = 0;
  const enough = Promise.withResolvers<null>();
  for (const each of all)
    void each.then(() => {
      settled += 1;
      if (settled >= count) enough.resolve(null);
    });
  return (each: Promise<Outcome>) => Promise.race([each, enough.promise]);
}

describe('300 creations of one name at once on two gateways', () => {
  it.each([1, 30])('by %i developers: each gets a slug of its own (D241)', async (count) => {
    // Longer than any machine needs: the creations of one developer are written one after the other.
    const options = { ...patient, writeBounds: { waitMs: 55_000 } };
    await using service = await startService({}, undefined, options);
    await using second = await secondGateway(service, { QUOTA_APPS: '0' }, options);
    const developers = await atOnce(count, () => service.aDeveloper());
    const create = (index: number) => {
      const { client } = index % 2 ? service : second;
      const key = developers[index % count]!.key;
      return client.call<{ slug: string }>('rest', 'createApp', aListing({ name: 'Popular' }), key);
    };
    const outcomes = await atOnce(300, (index) => create(index));
    expect(tally(outcomes)).toEqual({ OK: 300 });
    expect(new Set(winners(outcomes).map(({ slug }) => slug)).size).toBe(300);
    await expectHealthy(service);
  });

  it('are refused with 503 beyond the number that may wait, and what is refused is not done (D241)', async () => {
    await using service = await startService({}, undefined, {
      ...patient,
      writeBounds: { maxWaiting: 40, waitMs: 55_000 },
    });
    const ada = await service.aDeveloper();
    const outcomes = await atOnce(300, () =>
      service.client.call('rest', 'createApp', aListing({ name: 'Popular' }), ada.key),
    );
    const { OK = 0 } = tally(outcomes);
    expect(OK).toBeGreaterThanOrEqual(20);
    expect(outcomes.filter(isBusy)).toHaveLength(300 - OK);
    const [row] = await service.sql<{ count: number }>('select count(*)::int from apps');
    expect(row!.count).toBe(OK);
  });
});

describe('the queue of write transactions', () => {
  const pending = () => Promise.withResolvers<void>();

  it('leaves connections to reads, starts waiters in their order, and skips those that cannot start (D241)', async () => {
    const queue = new WriteQueue(4, { perCaller: 9, perResource: 1, waitMs: 60_000 });
    const order: string[] = [];
    const gates = ['a1', 'a2', 'b1', 'c1', 'c2'].map((name) => ({ name, gate: pending() }));
    const runs = gates.map(({ name, gate }) =>
      queue.run({ caller: 'ada', resources: [name[0]!] }, async () => {
        order.push(name);
        await gate.promise;
      }),
    );
    // a2 waits for a1 although there is room in total, and c1 is the third and last of four connections.
    expect([order, queue.figures]).toEqual([['a1', 'b1', 'c1'], { running: 3, waiting: 2 }]);
    const end = async (name: string) => {
      const index = gates.findIndex((each) => each.name === name);
      gates[index]!.gate.resolve();
      await runs[index];
      await nextTurn();
    };
    await end('b1');
    expect(order).toEqual(['a1', 'b1', 'c1']);
    await end('c1');
    await end('a1');
    expect(order).toEqual(['a1', 'b1', 'c1', 'c2', 'a2']);
    await Promise.all([end('c2'), end('a2')]);
    expect(queue.figures).toEqual({ running: 0, waiting: 0 });
  });

  it('releases the turn of a transaction that fails', async () => {
    const queue = new WriteQueue(1);
    const fail = () => queue.run({ caller: 'ada', resources: [] }, () => Promise.reject(new Error('failed')));
    await expect(fail()).rejects.toThrow('failed');
    await expect(fail()).rejects.toThrow('failed');
    expect(queue.figures).toEqual({ running: 0, waiting: 0 });
  });
});
