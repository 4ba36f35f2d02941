import { describe, expect, it } from '@jest/globals';
import { type AppJson, aRejection, type ConnectionJson, type Json } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { aTime } from '../../support/matchers.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());

const withdraw = (id: string) => service.client.call<AppJson>('graphql', 'withdrawApp', { id }, ada.key);
const read = (id: string) => service.client.must<AppJson>('myApp', { id }, ada.key);

describe('withdrawApp', () => {
  it('makes a pending app a draft again, and leaves its revision (D18, D19)', async () => {
    const app = await service.anApp(ada, 'PENDING');
    const data = expectSuccess(await withdraw(app.id));
    expect(data).toEqual({ ...app, status: 'DRAFT', submittedAt: null, updatedAt: aTime });
    expect(await read(app.id)).toEqual(data);
  });

  it('removes the app from the review queue, so that nobody can decide on it (D18)', async () => {
    const { id, revision } = await service.anApp(ada, 'PENDING');
    await withdraw(id);
    const queue = await service.administer<ConnectionJson<{ app: Json }>>('reviewQueue', {
      first: 100,
    });
    expect(queue.edges.map(({ node }) => node.app.id)).not.toContain(id);
    expectError(await service.callAsAdmin('approveApp', { id, revision }), 'INVALID_TRANSITION');
    expectError(
      await service.callAsAdmin('rejectApp', { id, ...aRejection(revision) }),
      'INVALID_TRANSITION',
    );
  });

  it('in one document with other mutations counts the submissions anew for each', async () => {
    const { id } = await service.anApp(ada, 'DRAFT');
    const count = '(id: $id) { submissions { totalCount } }';
    const document = `mutation ($id: ID!) { a: submitApp${count} b: withdrawApp${count} c: submitApp${count} }`;
    const { data } = await service.client.graphql(document, { id }, ada.key);
    const [first, again] = [{ totalCount: 1 }, { totalCount: 2 }].map((submissions) => ({ submissions }));
    expect(data).toEqual({ a: first, b: first, c: again });
  });
});
