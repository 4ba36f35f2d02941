import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { sharedService } from '../../support/service.js';
import { anAdminEndpoint } from './webhooks.js';

const service = beforeTests(sharedService);

describe('adminWebhooks', () => {
  it('lists the endpoints of the administration for every administrator, newest first, without secrets (D169)', async () => {
    const { secret: _, ...first } = await anAdminEndpoint(service);
    const another = await service.anAdministrator();
    const { secret: __, ...second } = await service.client.must<{ secret: string }>(
      'createAdminWebhook',
      { url: 'https://other.example/' },
      another.token,
    );
    for (const token of [await service.admin(), another.token])
      expect(await service.client.must('adminWebhooks', {}, token)).toEqual([second, first]);
  });
});
