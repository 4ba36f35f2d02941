import { describe, expect, it } from '@jest/globals';
import { waitingFor } from '../../races/race.js';
import type { Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { connectTo } from '../../support/database.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { idsOf, pageOfApps } from './app-connection.js';

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper({ name: 'Ada' }));

const must = (input: Input = {}) => pageOfApps(service, input);

describe('the catalog after changes', () => {
  /** The derived tables of the catalog, to compare triggers with a rebuild. */
  const kept = () =>
    service.sql(`
      select jsonb_agg(row order by row::text) as rows from (
        select to_jsonb(s) as row from app_search s union all
        select to_jsonb(c) from (select category, environment, featured, sum(apps) as apps from app_counts group by 1, 2, 3) c
        where apps <> 0) everything`);

  it('finds apps by the current name of their developer (D65)', async () => {
    const grace = await service.aDeveloper({ name: 'Grace Hopper', companyName: 'Navy' });
    const { id } = await service.anApp(grace, 'APPROVED', { name: 'Compiler' });
    expect(idsOf(await must({ search: 'hopper compiler' }))).toEqual([id]);
    await service.client.must('updateMe', { name: 'Grace Murray', companyName: null }, grace.token);
    expect(idsOf(await must({ search: 'hopper' }))).toEqual([]);
    expect(idsOf(await must({ search: 'navy' }))).toEqual([]);
    expect(idsOf(await must({ search: 'murray' }))).toEqual([id]);
    await service.administer('editApp', { id, name: 'Linker', category: 'AI_ML', reason: 'Renamed.' });
    expect(idsOf(await must({ search: 'compiler' }))).toEqual([]);
    expect(idsOf(await must({ search: 'linker', category: 'AI_ML' }))).toEqual([id]);
  });

  it('never shows an app that was approved while its developer was suspended (D29, D119)', async () => {
    const eve = await service.aDeveloper();
    const { id, revision } = await service.anApp(eve, 'PENDING', { name: 'Sneaky' });
    const other = await connectTo(service.databaseUrl);
    await other.query('begin');
    await other.query(
      "update developers set status = 'SUSPENDED', status_before_suspension = status where id = $1",
      [eve.id],
    );
    const approval = service.callAsAdmin('approveApp', { id, revision });
    await waitingFor(service, 1);
    await other.query('commit');
    await other.end();
    expectError(await approval, 'INVALID_TRANSITION');
    expect(idsOf(await must({ search: 'sneaky' }))).toEqual([]);
  });

  it('counts concurrent approvals, and equals a rebuilt catalog (D65)', async () => {
    const before = (await must({ category: 'BUSINESS' })).totalCount;
    const pending = [];
    for (let at = 0; at < 8; at += 1)
      pending.push(await service.anApp(ada, 'PENDING', { category: 'BUSINESS', name: `Ledger ${at}` }));
    const approvals = await Promise.all(
      pending.map(({ id, revision }) => service.callAsAdmin('approveApp', { id, revision })),
    );
    for (const approval of approvals) expectSuccess(approval);
    expect((await must({ category: 'BUSINESS' })).totalCount).toBe(before + 8);
    const asKept = await kept();
    await service.sql('select rebuild_catalog()');
    expect(await kept()).toEqual(asKept);
  });
});
