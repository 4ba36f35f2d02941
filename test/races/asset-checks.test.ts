import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { pino } from 'pino';
import { ormOptions } from '../../mikro-orm.config.js';
import { Jobs } from '../../src/jobs.js';
import { App } from '../../src/modules/listings/app.entity.js';
import { AssetCheckService } from '../../src/modules/preflight/asset-check.service.js';
import { AssetChecker, type AssetResult } from '../../src/modules/preflight/asset-checker.service.js';
import { GuardedFetcher } from '../../src/net/guarded-fetch.js';
import { words } from '../support/words.js';
import { racing } from './race.js';

const fields = words(`
  bannerUrl logoUrl screenshots.0.url screenshots.1.url screenshots.2.url websiteUrl`);
const results: AssetResult[] = fields.map((field) => ({
  field,
  url: `https://pictures.example/${field}`,
  ok: true,
  width: 1280,
  height: 720,
  type: 'png',
  bytes: 1_000,
  sha256: 'a'.repeat(64),
  host: 'pictures.example',
  problem: null,
  checkedAt: new Date(),
}));

describe('two workers that store the same picture checks', () => {
  let orm: MikroORM;
  let jobs: Jobs;
  const fetcher = new GuardedFetcher();
  const { service, holdRows, waitingFor } = racing();
  beforeAll(async () => {
    orm = await MikroORM.init(ormOptions(service.databaseUrl, 10));
    jobs = await Jobs.open(service.databaseUrl, pino({ level: 'silent' }));
  });
  afterAll(async () => {
    await jobs.close();
    await orm.close();
    await fetcher.close();
  });

  it.each([1, 2, 3, 4, 5])('never deadlock, whatever order their results have (round %i)', async () => {
    const { id } = await service.anApp(await service.aDeveloper(), 'PENDING');
    const store = async (found: AssetResult[]) => {
      const em = orm.em.fork() as EntityManager;
      const app = await em.findOneOrFail(App, { id });
      const checks = new AssetCheckService(em, jobs, new AssetChecker(fetcher), 'enforce');
      await checks.attach(app, { revision: app.revision, results: found });
    };
    await store(results);
    // Both writers stop at a row in the middle. In opposite orders each would by then hold what the other needs next.
    const release = await holdRows(
      'select from asset_checks where listing_id = $1 and field = $2 for update',
      [id, 'screenshots.0.url'],
    );
    const stored = Promise.all([store(results), store(results.toReversed())]);
    await waitingFor(2);
    await release();
    await stored;
    const rows = await service.sql('select from asset_checks where listing_id = $1', [id]);
    expect(rows).toHaveLength(fields.length);
  });
});
