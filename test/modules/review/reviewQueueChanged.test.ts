import { beforeAll, describe, expect, it } from '@jest/globals';
import { aRejection } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { Live } from '../../support/live.js';
import { sharedService } from '../../support/service.js';

let admin: string;
const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());
beforeAll(async () => {
  admin = await service.admin();
});

const query =
  'subscription { reviewQueueChanged { app { id name status review { stage } } counts { total } } }';
const follow = () => Live.to(service.url, { query, bearer: admin });
const event = (app: object | null, total?: number) => ({
  data: { reviewQueueChanged: { app, ...(total !== undefined && { counts: { total } }) } },
});
const waiting = async () => ((await service.administer('reviewCounts', {})) as { total: number }).total;

describe('reviewQueueChanged', () => {
  it('reports submissions, claims, edits and decisions, with the numbers of the queue (D142)', async () => {
    const { id } = await service.anApp(ada);
    const total = await waiting();
    const live = await follow();
    await service.client.must('submitApp', { id }, ada.key);
    await live.expectNext(event({ id, status: 'PENDING', review: { stage: 'QUEUED' } }, total + 1));
    await service.administer('claimReview', { id });
    await live.expectNext(event({ id, review: { stage: 'IN_REVIEW' } }, total + 1));
    await service.client.must('updateApp', { id, name: 'Renamed' }, ada.key);
    await live.expectNext(event({ id, name: 'Renamed' }));
    await service.administer('rejectApp', { id, ...aRejection(2) });
    await live.expectNext(event({ id, status: 'REJECTED', review: null }, total));
    live.close();
  });

  it('reports nothing about edits of drafts and rejected apps', async () => {
    const [draft, rejected] = [await service.anApp(ada), await service.anApp(ada, 'REJECTED')];
    const live = await follow();
    await service.client.must('updateApp', { id: draft.id, name: 'A draft' }, ada.key);
    await service.client.must('updateApp', { id: rejected.id, name: 'A rejected one' }, ada.key);
    await service.client.must('submitApp', { id: rejected.id }, ada.key);
    await live.expectNext(event({ id: rejected.id, status: 'PENDING' }));
    expect(JSON.stringify(live.results)).not.toContain(draft.id);
    live.close();
  });

  it('reports the suspension of a developer, whose submissions leave the queue (D119)', async () => {
    const eve = await service.aDeveloper();
    await service.anApp(eve, 'PENDING');
    const total = await waiting();
    const live = await follow();
    await service.administer('suspendDeveloper', { id: eve.id, reason: 'It must be.' });
    await live.expectNext(event(null, total - 1));
    live.close();
  });
});
