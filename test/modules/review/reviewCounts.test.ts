import { describe, expect, it } from '@jest/globals';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { expectSuccess } from '../../support/outcomes.js';
import { startService } from '../../support/service.js';

describe('reviewCounts over graphql', () => {
  const service = duringTests(startService);
  const ada = beforeTests(() => service.aDeveloper());

  const counts = async () => service.callAsAdmin('reviewCounts', {});
  const sinceDue = (interval: string, id: string) =>
    service.sql('update submissions set due_at = now() - $2::interval where app_id = $1', [id, interval]);

  it('counts pending, overdue, claimed and version submissions, and none that has ended', async () => {
    expectSuccess(await counts());
    expect((await counts()).data).toEqual({ total: 0, overdue: 0, claimed: 0, versions: 0 });
    const late = await service.anApp(ada, 'PENDING');
    const claimed = await service.anApp(ada, 'PENDING');
    const left = await service.anApp(ada, 'PENDING');
    const { version } = await service.aVersion(ada, 'PENDING');
    for (const status of ['DRAFT', 'REJECTED', 'APPROVED'] as const) await service.aVersion(ada, status);
    await sinceDue('1 second', late.id);
    await sinceDue('-1 hour', claimed.id);
    for (const id of [claimed.id, left.id, version.id]) await service.administer('claimReview', { id });
    await service.sql('update submissions set claimed_until = now() where app_id = $1', [left.id]);
    expect((await counts()).data).toEqual({ total: 4, overdue: 1, claimed: 2, versions: 1 });

    await service.client.must('withdrawApp', { id: late.id }, ada.token);
    await service.administer('approveApp', { id: claimed.id, revision: 1 });
    await service.client.must('discardAppVersion', { id: version.id }, ada.token);
    expect((await counts()).data).toEqual({ total: 1, overdue: 0, claimed: 0, versions: 0 });
  });
});
