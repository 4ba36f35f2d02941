import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { InstallBatcher } from '../../src/modules/installs/install-batcher.service.js';
import { type AppJson, atOnce } from '../support/actors.js';
import { duringTests } from '../support/before-tests.js';
import { secondGateway, startService } from '../support/service.js';
import { racing, tally } from './race.js';

describe('installs on two gateways while one app is held', () => {
  let apps: AppJson[];
  const service = duringTests(startService);
  const second = duringTests(() => secondGateway(service));
  const { holdRows } = racing(service);
  beforeAll(async () => {
    const ada = await service.aDeveloper();
    apps = await atOnce(5, () => service.anApp(ada, 'APPROVED'));
    // Batches of both gateways meet all the time if each holds its rows a little longer.
    await service.sql(
      "create function linger() returns trigger language plpgsql as 'begin perform pg_sleep(0.01); return null; end'",
    );
    await service.sql(
      'create trigger linger after update on app_figures for each statement execute function linger()',
    );
  });

  const install = (index: number, slug: string) =>
    (index % 2 ? service : second).client.call('rest', 'recordInstall', { slug });

  it('are never skipped because of a batch of the other', async () => {
    const log = pino({ level: 'silent' });
    const batchers = [1, 2].map(() => new InstallBatcher(service.databaseUrl, log));
    const nothing = { installationId: null, accountUserId: null, version: null };
    const caller = async (index: number) => {
      for (let round = 0; round < 10; round += 1) {
        const { slug } = apps[(index + round) % 4]!;
        const { installCount } = await batchers[index % 2]!.record({ id: randomUUID(), slug, ...nothing });
        expect(installCount).not.toBeNull();
      }
    };
    try {
      await atOnce(40, (index) => caller(index));
      expect(batchers.map(({ figures }) => figures)).toEqual(
        batchers.map(() => ({ queued: 0, locked: 0, skipped: 0 })),
      );
    } finally {
      for (const batcher of batchers) await batcher.close();
      await service.sql('update app_figures set install_count = 0');
      await service.sql('truncate installations, installs_daily');
    }
  });

  it('wait only if they install that app, however often the batches of both meet (D73)', async () => {
    const [held, ...others] = apps as [AppJson, ...AppJson[]];
    const release = await holdRows('select from app_figures where id = $1 for update', [held.id]);
    const late = Array.from({ length: 10 }, (_, index) => install(index, held.slug));
    try {
      const caller = async (index: number) => {
        const outcomes = [];
        for (let round = 0; round < 25; round += 1)
          outcomes.push(await install(index, others[(index + round) % others.length]!.slug));
        return outcomes;
      };
      const outcomes = await atOnce(40, (index) => caller(index));
      expect(tally(outcomes.flat())).toEqual({ OK: 1_000 });
    } finally {
      await release();
    }
    // On a slow machine they have waited for too long.
    const { OK: recorded = 0, UNAVAILABLE: refused = 0 } = tally(await Promise.all(late));
    expect(recorded + refused).toBe(10);
    const counts = await service.sql<{ count: number; rows: number }>(
      `select install_count as count, (select count(*)::int from installations where app_id = f.id) as rows
       from app_figures f where id = any($1::uuid[]) order by count`,
      [apps.map(({ id }) => id)],
    );
    expect(counts).toEqual([recorded, 250, 250, 250, 250].map((count) => ({ count, rows: count })));
  });
});
