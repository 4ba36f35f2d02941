import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { InstallBatcher } from '../../../src/modules/installs/install-batcher.service.js';
import { beforeTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);

/** Returns the number of scans of the stored responses: of the whole table, and by an index. */
const scans = async () =>
  (
    await service.sql<{ whole: number; byIndex: number }>(
      `select seq_scan::int as whole, idx_scan::int as "byIndex"
       from pg_stat_user_tables where relname = 'stored_responses'`,
    )
  )[0]!;

describe('the plan of a batch', () => {
  it('reads stored responses by their keys, also if the table was empty when it was made', async () => {
    const { slug } = await service.anApp(await service.aDeveloper(), 'APPROVED');
    // PostgreSQL takes a table that it has vacuumed for as small as it is.
    await service.sql('vacuum analyze stored_responses');
    const before = await scans();
    const batcher = new InstallBatcher(service.databaseUrl, pino({ level: 'silent' }));
    const counts: (number | null)[] = [];
    for (let count = 0; count < 3; count += 1) {
      const install = {
        id: randomUUID(),
        slug,
        installationId: null,
        accountUserId: null,
        version: null,
      };
      const key = { id: randomBytes(32), bodyHash: randomBytes(32) };
      counts.push((await batcher.record(install, key)).installCount);
    }
    // A connection reports its figures when it ends.
    await batcher.close();
    const isReported = async () => {
      const { whole, byIndex } = await scans();
      return whole + byIndex >= before.whole + before.byIndex + 3;
    };
    await until(isReported, () => 'the connection has not reported its figures');
    expect(counts).toEqual([1, 2, 3]);
    expect((await scans()).whole).toBe(before.whole);
  });
});
