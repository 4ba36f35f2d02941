import { describe, expect, it } from '@jest/globals';
import type { AppJson } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { aTime } from '../../support/matchers.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

describe('restoreApp over graphql', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const restore = async (id: string) => service.callAsAdmin<AppJson>('restoreApp', { id });

  it('makes an app that was taken down public again, approved when it was approved (D18, D29)', async () => {
    const suspended = await service.anApp(ada, 'SUSPENDED');
    expect(expectSuccess(await restore(suspended.id))).toEqual({
      ...suspended,
      status: 'APPROVED',
      updatedAt: aTime,
    });
    for (const api of ['rest', 'graphql'] as const)
      expectSuccess(await service.client.call(api, 'app', { slug: suspended.slug }));
  });

  it('keeps the installs it had', async () => {
    const { id, slug } = await service.anApp(ada, 'APPROVED');
    await service.client.must('recordInstall', { slug });
    await service.administer('suspendApp', { id, reason: 'For a while.' });
    expect((await restore(id)).data.installCount).toBe(1);
  });

  it('returns the same record when it is public already, and notifies nobody (D40)', async () => {
    const developer = await service.aDeveloper();
    const app = await service.anApp(developer, 'APPROVED');
    expect(expectSuccess(await restore(app.id))).toEqual(app);
    const kinds = (await notificationsOf(service, developer.id)).map(({ kind }) => kind);
    expect(kinds).not.toContain('app.restored');
  });
});
