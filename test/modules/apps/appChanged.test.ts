import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { Live } from '../../support/live.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());

const query = `subscription ($id: ID!) {
  appChanged(id: $id) {
    app { id name status openVersion { name } messages(last: 1) { edges { node { text } } } }
  }
}`;
const follow = (id: string, bearer: string) => Live.to(service.url, { query, variables: { id }, bearer });
const event = (app: object | null) => ({ data: { appChanged: { app } } });

describe('appChanged', () => {
  it('reports each change to the developer and to administrators, with the app as it is now (D142)', async () => {
    const { id } = await service.anApp(ada);
    const admin = await service.admin();
    const streams = [await follow(id, ada.key), await follow(id, ada.token), await follow(id, admin)];
    const expectAll = async (app: object) => {
      for (const live of streams) await live.expectNext(event({ id, ...app }));
    };
    await service.client.must('updateApp', { id, name: 'Renamed' }, ada.key);
    await expectAll({ name: 'Renamed', status: 'DRAFT' });
    await service.client.must('submitApp', { id }, ada.key);
    await expectAll({ status: 'PENDING' });
    await service.administer('messageDeveloper', { id, text: 'A question.' });
    await expectAll({ messages: { edges: [{ node: { text: 'A question.' } }] } });
    for (const live of streams) live.close();
  });

  it('reports changes of a version, and none of other apps', async () => {
    const { id } = await service.anApp(ada, 'APPROVED');
    const other = await service.anApp(ada);
    const live = await follow(id, ada.key);
    await service.client.must('updateApp', { id: other.id, name: 'Other' }, ada.key);
    await service.client.must('createAppVersion', { appId: id, name: 'Better' }, ada.key);
    await live.expectNext(event({ id, openVersion: { name: 'Better' } }));
    await service.administer('suspendApp', { id, reason: 'It must be.' });
    await live.expectNext(event({ id, status: 'SUSPENDED' }));
    expect(JSON.stringify(live.results)).not.toContain(other.id);
    live.close();
  });

  it('reports that the app has moved up in the queue, and nothing of others once it has left (D142)', async () => {
    const [first, second] = [await service.anApp(ada, 'PENDING'), await service.anApp(ada, 'PENDING')];
    const place = 'subscription ($id: ID!) { appChanged(id: $id) { app { status review { position } } } }';
    const live = await Live.to(service.url, { query: place, variables: { id: second.id }, bearer: ada.key });
    const positionOf = async () => {
      const { myApp } = await service.client.queryData<{ myApp: { review: { position: number } } }>(
        'query ($id: ID!) { myApp(id: $id) { review { position } } }',
        { id: second.id },
        ada.key,
      );
      return myApp.review.position;
    };
    const before = await positionOf();
    await service.client.must('withdrawApp', { id: first.id }, ada.key);
    await live.expectNext(event({ status: 'PENDING', review: { position: before - 1 } }));
    await service.client.must('withdrawApp', { id: second.id }, ada.key);
    await live.expectNext(event({ status: 'DRAFT', review: null }));
    live.close();
  });

  it('reports a deletion without the app', async () => {
    const { id } = await service.anApp(ada);
    const live = await follow(id, ada.key);
    await service.client.must('deleteApp', { id }, ada.key);
    await live.expectNext(event(null));
    live.close();
  });
});
