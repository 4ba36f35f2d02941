import { describe, expect, it } from '@jest/globals';
import type { VersionJson } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { expectSuccess } from '../../support/outcomes.js';
import { startService } from '../../support/service.js';

describe('discardAppVersion over graphql', () => {
  const service = duringTests(startService);
  const ada = beforeTests(() => service.aDeveloper());

  const discard = (id: string, bearer = ada.key) =>
    service.client.call<VersionJson>('graphql', 'discardAppVersion', { id }, bearer);

  it.each(['DRAFT', 'PENDING', 'REJECTED'] as const)(
    'discards a version that is %s, removes it from the queue, and leaves the app unchanged (D26)',
    async (status) => {
      const { app, version } = await service.aVersion(ada, status);
      expect(expectSuccess(await discard(version.id))).toMatchObject({
        id: version.id,
        status: 'DISCARDED',
        review: null,
      });
      expect(await service.administer('reviewCounts')).toMatchObject({
        total: 0,
      });
      expect(await service.client.must('myApp', { id: app.id }, ada.token)).toEqual(app);
    },
  );
});
