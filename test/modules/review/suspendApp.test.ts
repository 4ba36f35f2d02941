import { describe, expect, it } from '@jest/globals';
import type { AppJson } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { aTime } from '../../support/matchers.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

describe('suspendApp over graphql', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const suspend = async (id: string, reason: unknown = 'It misbehaves.') =>
    service.callAsAdmin<AppJson>('suspendApp', { id, reason });

  it('takes a public app down at once, and changes nothing else (D18, D29)', async () => {
    const approved = await service.anApp(ada, 'APPROVED');
    expect(expectSuccess(await suspend(approved.id))).toEqual({
      ...approved,
      status: 'SUSPENDED',
      updatedAt: aTime,
    });
    for (const api of ['rest', 'graphql'] as const)
      expectError(await service.client.call(api, 'app', { slug: approved.slug }), 'NOT_FOUND');
  });

  it('returns the same record when it is suspended already, and notifies the developer once (D16) (D40)', async () => {
    const developer = await service.aDeveloper();
    const app = await service.anApp(developer, 'SUSPENDED');
    expect(expectSuccess(await suspend(app.id, 'Again.'))).toEqual(app);
    const told = (await notificationsOf(service, developer.id)).filter(
      ({ kind }) => kind === 'app.suspended',
    );
    expect(told).toEqual([expect.objectContaining({ appId: app.id, reason: 'It misbehaves.' })]);
  });
});
