import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { expectError } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { anAdminEndpoint, type EndpointJson } from './webhooks.js';

const service = beforeTests(sharedService);

describe('updateAdminWebhook', () => {
  it('changes only the fields that are sent, and refuses what creation refuses (D169)', async () => {
    const { id, url } = await anAdminEndpoint(service);
    const update = async (changes: object) =>
      service.callAsAdmin<EndpointJson>('updateAdminWebhook', { id, ...changes });
    expect((await update({ events: ['review.overdue'] })).data).toMatchObject({
      url,
      events: ['review.overdue'],
    });
    expect((await update({ description: 'The desk' })).data).toMatchObject({
      events: ['review.overdue'],
      description: 'The desk',
    });
    expectError(await update({ url: 'https://10.0.0.1/', events: ['app.approved'] }), 'VALIDATION_FAILED', [
      'url: not_public',
      'events.0: invalid_value',
    ]);
  });
});
