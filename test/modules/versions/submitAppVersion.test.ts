import { describe, expect, it } from '@jest/globals';
import type { ConnectionJson, VersionJson } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { aTime } from '../../support/matchers.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

describe('submitAppVersion over graphql', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const submit = (id: string, bearer = ada.key) =>
    service.client.call<VersionJson>('graphql', 'submitAppVersion', { id }, bearer);

  it.each(['DRAFT', 'REJECTED'] as const)(
    'queues a version that is %s; the live listing stays (D18, D26)',
    async (status) => {
      const { app, version } = await service.aVersion(ada, status);
      const { data: live } = await service.client.call('rest', 'app', { slug: app.slug });
      const outcome = expectSuccess(await submit(version.id));
      expect(outcome).toMatchObject({
        id: version.id,
        status: 'PENDING',
        revision: 1,
        submittedAt: aTime,
        rejection: version.rejection,
        review: { stage: 'QUEUED', submittedAt: outcome.submittedAt },
      });
      expect((await service.client.call('rest', 'app', { slug: app.slug })).data).toEqual(live);
      const { edges } = await service.administer<ConnectionJson<{ version: { id: string } | null }>>(
        'reviewQueue',
        { first: 100 },
      );
      expect(edges.filter(({ node }) => node.version?.id === version.id)).toHaveLength(1);
    },
  );

  it('lists the missing fields, and leaves it a draft (D22)', async () => {
    const { version } = await service.aVersion(ada, 'DRAFT', { screenshots: [] });
    const outcome = await submit(version.id);
    expectError(outcome, 'VALIDATION_FAILED', ['screenshots: too_few']);
    expect(outcome.details[0]?.message).toContain('it has 0');
    await service.client.must('updateAppVersion', { id: version.id, name: 'Still a draft' }, ada.token);
  });

  it('refuses while the app is suspended, and works once it is restored (D61)', async () => {
    const { app, version } = await service.aVersion(ada);
    await service.administer('suspendApp', { id: app.id, reason: 'It misbehaves.' });
    expectError(await submit(version.id), 'APP_SUSPENDED');
    await service.administer('restoreApp', { id: app.id });
    expectSuccess(await submit(version.id));
  });
});
