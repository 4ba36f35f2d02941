import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unique } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { sharedService } from '../../support/service.js';
import { becomesOverdue, startOverdueWorker } from '../../support/workers.js';

let workers: Awaited<ReturnType<typeof startOverdueWorker>>[];
const reviewer = `${unique('reviews')}@market.example`;
const service = beforeTests(sharedService);
beforeAll(async () => {
  workers = await Promise.all(
    Array.from({ length: 4 }, () => startOverdueWorker(service.databaseUrl, [reviewer])),
  );
});
afterAll(async () => {
  for (const worker of workers) await worker.close();
});

const linesAbout = (appId: string) =>
  service.sql<{ data: { dueAt: string; versionId: string | null } }>(
    "select data, actor_kind from audit_events where app_id = $1 and kind = 'review.overdue' order by position",
    [appId],
  );
const look = () => Promise.all(workers.map((worker) => worker.look()));

describe('a review that is overdue (D168)', () => {
  it('is recorded once for each submission, by four workers at the same time', async () => {
    const ada = await service.aDeveloper();
    const apps = await Promise.all(Array.from({ length: 12 }, () => service.anApp(ada, 'PENDING')));
    for (const { id } of apps) await becomesOverdue(service, id);
    await look();
    await look();
    for (const { id } of apps) {
      expect(await linesAbout(id)).toMatchObject([{ actor_kind: 'system', data: { versionId: null } }]);
      const mails = await service.sql(
        "select from pgboss.job where data->>'appId' = $1 and data->>'kind' = 'review.overdue' and data->>'recipient' = $2",
        [id, reviewer],
      );
      expect(mails).toHaveLength(1);
    }
  });

  it('is not recorded before it is due, after the decision, or while the developer is suspended', async () => {
    const ada = await service.aDeveloper();
    const [early, decided, hidden] = [
      await service.anApp(ada, 'PENDING'),
      await service.anApp(ada, 'PENDING'),
      await service.anApp(await service.aDeveloper(), 'PENDING'),
    ];
    await becomesOverdue(service, decided.id);
    await service.administer('approveApp', { id: decided.id, revision: 1 });
    await becomesOverdue(service, hidden.id);
    const [{ developer_id: id }] = (await service.sql('select developer_id from apps where id = $1', [
      hidden.id,
    ])) as [{ developer_id: string }];
    await service.administer('suspendDeveloper', { id, reason: 'It sent spam.' });
    await look();
    for (const app of [early, decided, hidden]) expect(await linesAbout(app.id)).toEqual([]);
    await service.administer('reinstateDeveloper', { id });
    await look();
    expect(await linesAbout(hidden.id)).toHaveLength(1);
  });

  it('is recorded again for the next submission, and for a version with its id', async () => {
    const ada = await service.aDeveloper();
    const { app, version } = await service.aVersion(ada, 'PENDING');
    await becomesOverdue(service, app.id);
    await look();
    await service.client.must('withdrawAppVersion', { id: version.id }, ada.token);
    await service.client.must('updateAppVersion', { id: version.id, description: 'Better.' }, ada.token);
    await service.client.must('submitAppVersion', { id: version.id }, ada.token);
    await look();
    expect(await linesAbout(app.id)).toHaveLength(1);
    await becomesOverdue(service, app.id);
    await look();
    const ids = (await linesAbout(app.id)).map(({ data }) => data.versionId);
    expect(ids).toEqual([version.id, version.id]);
  });
});
