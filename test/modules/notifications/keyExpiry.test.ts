import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Developer } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { notificationsOf } from '../../support/notifications.js';
import { startService } from '../../support/service.js';
import { startKeyExpiryWorker } from '../../support/workers.js';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

let workers: Awaited<ReturnType<typeof startKeyExpiryWorker>>[];
let developer: Developer;
const service = beforeTests(startService);
beforeAll(async () => {
  workers = await Promise.all(Array.from({ length: 4 }, () => startKeyExpiryWorker(service.databaseUrl)));
});
afterAll(async () => {
  for (const worker of workers) await worker.close();
  await service.close();
});
beforeEach(async () => {
  developer = await service.aDeveloper();
});

/** Lets the developer's key, made 90 days before its end, have this long to live. */
const keyEndsIn = async (leftMs: number, livesMs = 90 * dayMs) => {
  const end = Date.now() + leftMs;
  await service.sql('update api_keys set created_at = $2, expires_at = $3 where developer_id = $1', [
    developer.id,
    new Date(end - livesMs),
    new Date(end),
  ]);
};
const notices = async () =>
  (await notificationsOf(service, developer.id))
    .filter(({ kind }) => kind === 'key.expiring')
    .map(({ daysBefore }) => daysBefore);
const look = () => workers[0]!.giveNotices();

describe('a key about to expire (D33, D46)', () => {
  it('is announced 14, 3 and 1 days before, each once, however many workers run, and however often', async () => {
    const given: unknown[][] = [];
    for (const leftMs of [
      15 * dayMs,
      14 * dayMs - hourMs,
      4 * dayMs,
      3 * dayMs - hourMs,
      23 * hourMs,
      hourMs,
    ]) {
      await keyEndsIn(leftMs);
      await Promise.all([...workers, ...workers].map((worker) => worker.giveNotices()));
      await look();
      given.push(await notices());
    }
    expect(given).toEqual([[], [14], [14], [14, 3], [14, 3, 1], [14, 3, 1]]);
  });

  it('is announced once, not three times, after no worker ran for a long time', async () => {
    await keyEndsIn(20 * hourMs);
    await look();
    await look();
    expect(await notices()).toEqual([1]);
  });

  it('is not announced for days before its creation: a key for a week needs no notice of 14 days', async () => {
    await keyEndsIn(7 * dayMs - hourMs, 7 * dayMs);
    await look();
    expect(await notices()).toEqual([]);
    await keyEndsIn(2 * dayMs, 7 * dayMs);
    await look();
    expect(await notices()).toEqual([3]);
  });

  it('is not announced when it is revoked or expired, or its developer suspended', async () => {
    await keyEndsIn(2 * dayMs);
    const change = (set: string) =>
      service.sql(`update api_keys set ${set} where developer_id = $1`, [developer.id]);
    await change('revoked_at = now()');
    await look();
    await change("revoked_at = null, expires_at = now() - interval '1 second'");
    await look();
    await keyEndsIn(2 * dayMs);
    await service.administer('suspendDeveloper', { id: developer.id, reason: 'Spam.' });
    await look();
    expect(await notices()).toEqual([]);
    await service.administer('reinstateDeveloper', { id: developer.id });
    await look();
    expect(await notices()).toEqual([3]);
  });

  it('is announced by the system, as the audit log says', async () => {
    await keyEndsIn(2 * dayMs);
    await look();
    const [line] = await service.sql(
      "select actor_kind, data from audit_events where kind = 'key.expiring' and developer_id = $1",
      [developer.id],
    );
    expect(line).toMatchObject({ actor_kind: 'system', data: { daysBefore: 3 } });
  });
});
