import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { status } from './receiver.js';
import { adminDeliveries, anAdminEndpoint, sharedWebhooks } from './webhooks.js';

const hooks = beforeTests(sharedWebhooks);

describe('adminWebhookDeliveries', () => {
  it('lists the requests and the responses (D169)', async () => {
    const address = hooks.receiver.address(status(500, 'not today'));
    const { id } = await anAdminEndpoint(hooks.service, { url: address.url });
    await hooks.service.administer('testAdminWebhook', { id });
    const delivery = await until(async () => {
      const [first] = await adminDeliveries(hooks.service, id);
      return first?.status === 'FAILED' && first;
    });
    expect(delivery).toMatchObject({
      type: 'webhook.test',
      requestBody: address.inbox()[0]?.body,
      attempts: [{ number: 1, url: address.url, responseStatus: 500, responseBody: 'not today' }],
    });
  });
});
