import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, unique } from '../../support/actors.js';
import { linesOf } from '../../support/audit.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { reportsOf } from './reports.js';

describe('dismissAppReports', () => {
  let admin: string;
  const service = beforeTests(sharedService);
  beforeAll(async () => {
    admin = await service.admin();
  });

  const dismiss = (id: string, token = admin) =>
    service.client.call<Json>('graphql', 'dismissAppReports', { id }, token);

  it('closes all reports at once and leaves the app as it is; again it changes nothing (D40, D380)', async () => {
    const app = await service.anApp(await service.aDeveloper(), 'APPROVED');
    for (const account of [unique('one'), unique('two')])
      await service.client.must(
        'reportApp',
        { slug: app.slug, reason: 'SPAM' },
        await service.token(account),
      );
    const lines = await linesOf(service, async () => {
      expect((await dismiss(app.id)).data).toMatchObject({ id: app.id, status: 'APPROVED' });
      expect((await dismiss(app.id)).data).toMatchObject({ id: app.id });
    });
    expect(lines).toMatchObject([
      { kind: 'app.reports_dismissed', before: { reports: 2 }, after: { reports: 0 } },
    ]);
    expect(await reportsOf(service, app.id)).toEqual([]);
  });

  it('stands until the listing changes: a place among the featured apps does not count (D380)', async () => {
    const { id, slug } = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const token = await service.token(unique('reporter'));
    const report = () => service.client.call('graphql', 'reportApp', { slug, reason: 'SPAM' }, token);
    expectSuccess(await report());
    await dismiss(id);
    await service.administer('featureApp', { id, featured: true });
    expectError(await report(), 'INVALID_TRANSITION');
    await service.administer('editApp', { id, name: unique('Edited'), reason: 'It must be.' });
    expectSuccess(await report());
  });
});
