import { describe, expect, it } from '@jest/globals';
import type { AppJson, VersionJson } from '../../support/actors.js';
import { apis } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { type Service, sharedService } from '../../support/service.js';

describe('a submission with the revision that was read', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const call = <T = AppJson>(
    operation: Parameters<Service['client']['call']>[1],
    input: Record<string, unknown>,
  ) => service.client.call<T>('graphql', operation, input, ada.key);

  it('of an app fails if somebody has changed it since, and says what (D406)', async () => {
    const { id } = await service.anApp(ada);
    await service.client.must('updateApp', { id, description: 'Other words.' }, ada.key);
    const outcome = await call('submitApp', { id, revision: 1 });
    expectError(outcome, 'REVISION_CONFLICT');
    expectSuccess(await call('submitApp', { id, revision: 2 }));
  });

  it('of an app fails over REST in the same way, by If-Match (D406)', async () => {
    const { id } = await service.anApp(ada);
    const submit = (revision: number) =>
      service.client.request('POST', `/api/dev/apps/${id}/submit`, {
        bearer: ada.key,
        headers: { 'if-match': `"${revision}"` },
      });
    expect((await submit(2)).status).toBe(409);
    expect((await submit(1)).status).toBe(200);
  });

  it('of a version fails in the same way, and before its state it is not checked (D7, D406)', async () => {
    const { version } = await service.aVersion(ada, 'DRAFT');
    const { id } = version;
    await service.client.must('updateAppVersion', { id, description: 'Other words.' }, ada.key);
    expectError(await call('submitAppVersion', { id, revision: 1 }), 'REVISION_CONFLICT');
    expectSuccess(await call<VersionJson>('submitAppVersion', { id, revision: 2 }));
    expectError(await call('submitAppVersion', { id, revision: 1 }), 'INVALID_TRANSITION');
  });

  it('a version begins from the revision of the live listing that was read (D406)', async () => {
    const { id: appId, revision } = await service.anApp(ada, 'APPROVED');
    const edit = { id: appId, description: 'Other words.', reason: 'A slip.' };
    await service.administer('editApp', edit);
    expectError(await call('createAppVersion', { appId, name: 'Two', revision }), 'REVISION_CONFLICT');
    const outcome = await call<VersionJson>('createAppVersion', {
      appId,
      name: 'Two',
      revision: revision + 1,
    });
    expect(outcome.data).toMatchObject({ baseRevision: revision + 1 });
  });

  it('is not checked without one, over any API', async () => {
    for (const api of apis) {
      const { id } = await service.anApp(ada);
      expectSuccess(await service.client.call(api, 'submitApp', { id }, ada.key));
    }
  });
});
