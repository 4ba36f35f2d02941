import { describe, expect, it } from '@jest/globals';
import type { AppStatus, ConnectionJson, Json } from '../../support/actors.js';
import { type Api, apis, type Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());

const remove = (api: Api, id: string, fields: Input = {}) =>
  service.client.call<Json>(api, 'deleteApp', { id, ...fields }, ada.key);
const read = (id: string) => service.client.call('graphql', 'myApp', { id }, ada.key);

describe.each(apis)('deleteApp over %s', (api) => {
  it.each<AppStatus>(['DRAFT', 'PENDING', 'REJECTED'])(
    'deletes an app that is %s, and returns its id (D3, D18, D19)',
    async (status) => {
      const { id } = await service.anApp(ada, status);
      expect(expectSuccess(await remove(api, id))).toEqual({ id, deleted: true });
      expectError(await read(id), 'NOT_FOUND');
      expectError(await remove(api, id), 'NOT_FOUND');
    },
  );

  it.each([
    ['APPROVED', 'APP_APPROVED'],
    ['SUSPENDED', 'APP_SUSPENDED'],
  ] as const)('refuses to delete an app that is %s (D18, D19)', async (status, code) => {
    const { id } = await service.anApp(ada, status);
    expectError(await remove(api, id), code);
    expectError(await remove(api, id, { revision: 99 }), code);
    expectSuccess(await read(id));
  });

  it('takes a pending app out of the review queue (D19)', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    await remove(api, id);
    const queue = await service.administer<ConnectionJson<{ app: Json }>>('reviewQueue', {
      first: 100,
    });
    expect(queue.edges.map(({ node }) => node.app.id)).not.toContain(id);
  });

  it('compares the revision that the caller read (D19)', async () => {
    const { id } = await service.anApp(ada);
    await service.client.must('updateApp', { id, name: 'Two' }, ada.key);
    expectError(await remove(api, id, { revision: 1 }), 'REVISION_CONFLICT');
    expectSuccess(await read(id));
    expectSuccess(await remove(api, id, { revision: 2 }));
  });
});
