import { describe, expect, it } from '@jest/globals';
import type { VersionJson } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { expectSuccess } from '../../support/outcomes.js';
import { startService } from '../../support/service.js';

describe('withdrawAppVersion over graphql', () => {
  const service = duringTests(startService);
  const ada = beforeTests(() => service.aDeveloper());

  const withdraw = (id: string, bearer = ada.key) =>
    service.client.call<VersionJson>('graphql', 'withdrawAppVersion', { id }, bearer);

  it('makes it a draft again, removes it from the queue, and loses nothing (D18, D26)', async () => {
    const { version } = await service.aVersion(ada, 'PENDING');
    expect(expectSuccess(await withdraw(version.id))).toMatchObject({
      status: 'DRAFT',
      revision: version.revision,
      description: version.description,
      submittedAt: null,
      review: null,
    });
    expect(await service.administer('reviewCounts')).toMatchObject({ total: 0 });
  });
});
