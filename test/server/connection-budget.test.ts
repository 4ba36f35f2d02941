import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.js';
import { type ConnectionShares, gatewayShares, workerShares } from '../../src/db/budget.js';
import { openWorker } from '../../src/process/open-worker.js';
import { unique } from '../support/actors.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { until } from '../support/mail-server.js';
import { startService } from '../support/service.js';

const total = 12;
const settings = {
  DATABASE_POOL: String(total),
  WORKER: 'inline',
  RATE_LIMITS: 'write=100000',
  RATE_LIMITS_STORE: 'postgres',
};

describe('the connections of a process (D235)', () => {
  let slug: string;
  const service = duringTests(() => startService(settings));
  const ada = beforeTests(() => service.aDeveloper());
  beforeAll(async () => {
    ({ slug } = await service.anApp(ada, 'APPROVED'));
  });

  /** Returns the open connections by purpose. */
  const counts = async (): Promise<Record<string, number>> => {
    const rows = await service.sql<{ purpose: string; count: number }>(
      `select substr(application_name, 21) as purpose, count(*)::int as count from pg_stat_activity
       where datname = current_database() and application_name like 'marketplace-gateway %' group by 1`,
    );
    return Object.fromEntries(rows.map(({ purpose, count }) => [purpose, count]));
  };

  /** Counts the connections again and again until the work is done, and returns the highest numbers. */
  const highest = async (work: Promise<unknown>) => {
    const found: Record<string, number> = { all: 0 };
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      const now = await counts();
      const all = Object.values(now).reduce((sum, count) => sum + count, 0);
      for (const [purpose, count] of Object.entries({ ...now, all }))
        found[purpose] = Math.max(found[purpose] ?? 0, count);
    }
    await done;
    return found;
  };

  it('are never more than DATABASE_POOL, and each purpose keeps its share, under load', async () => {
    const { client } = service;
    const load = Array.from({ length: 300 }, (_, i) => {
      if (i % 4 === 0) return client.call('graphql', 'updateMe', { name: unique('Ada') }, ada.token);
      if (i % 4 === 1) return client.call('rest', 'recordInstall', { slug, installationId: unique('i') });
      if (i % 4 === 2) return client.call('rest', 'browseApps', { search: unique('x') });
      return client.call('graphql', 'me', {}, ada.key);
    });
    const found = await highest(Promise.all(load));
    expect(found.all).toBeLessThanOrEqual(total);
    const shares = gatewayShares(loadConfig(settings));
    for (const [purpose, share] of Object.entries(shares))
      expect([purpose, found[purpose] ?? 0, (found[purpose] ?? 0) <= share]).toEqual([
        purpose,
        expect.any(Number),
        true,
      ]);
    // The load was large enough for the bounds to matter; a part of the writes' is left to reads by the queue of writes.
    expect(found.reads).toBe(shares.reads);
    expect(found.writes).toBeGreaterThanOrEqual(shares.writes - 1);
  });

  it('of a worker are never more than DATABASE_POOL', async () => {
    const before = await counts();
    const config = loadConfig({ DATABASE_URL: service.databaseUrl, DATABASE_POOL: String(total) });
    const opened = openWorker(config, { databaseUrl: service.databaseUrl, log: pino({ level: 'silent' }) });
    await highest(opened);
    try {
      const { jobs = 0 } = await counts();
      expect(jobs - (before.jobs ?? 0)).toBeLessThanOrEqual(workerShares(config).jobs);
      // A worker listens as soon as it can; its start does not wait for that.
      await until(async () => (await counts()).listen === 2, 'the worker does not listen');
    } finally {
      await (await opened)();
    }
  });
});

describe('the shares of DATABASE_POOL (D235)', () => {
  const sumOf = (shares: ConnectionShares) => Object.values(shares).reduce((sum, share) => sum + share, 0);
  const choices = ['10', '11', '16', '32', '100', '500'].flatMap((DATABASE_POOL) =>
    ['inline', 'off'].flatMap((WORKER) =>
      ['memory', 'postgres'].map((RATE_LIMITS_STORE) => ({ DATABASE_POOL, WORKER, RATE_LIMITS_STORE })),
    ),
  );

  it.each(choices)('add up to it, and every purpose has one: %j', (choice) => {
    const shares = gatewayShares(loadConfig(choice));
    expect(sumOf(shares)).toBe(Number(choice.DATABASE_POOL));
    expect(shares.writes).toBeGreaterThanOrEqual(3);
    expect(shares.reads).toBeGreaterThanOrEqual(2);
    expect(sumOf(workerShares(loadConfig(choice)))).toBe(Number(choice.DATABASE_POOL));
  });

  it('are those of docs/operations.md', () => {
    const text = readFileSync('docs/operations.md', 'utf8');
    const sharesOf = (column: number) =>
      Object.fromEntries(
        [...text.matchAll(/^\| `(writes|reads|installs|jobs|limits|listen)` \|(.*)\|$/gm)].map(
          ([, purpose, cells]) => [purpose, Number(cells!.split('|')[column]!.trim())],
        ),
      );
    expect(sharesOf(1)).toEqual(gatewayShares(loadConfig({})));
    expect(sharesOf(2)).toEqual(gatewayShares(loadConfig({ ...settings, DATABASE_POOL: '32' })));
    expect(sharesOf(3)).toEqual(workerShares(loadConfig({})));
  });
});
