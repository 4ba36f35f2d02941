import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { aTime } from '../../support/matchers.js';
import { verified } from './receiver.js';
import { anAdminEndpoint, sharedWebhooks } from './webhooks.js';

const hooks = beforeTests(sharedWebhooks);

describe('testAdminWebhook', () => {
  it('sends a webhook.test event without developer and app, whatever the endpoint subscribed to (D169)', async () => {
    const address = hooks.receiver.address();
    const input = { url: address.url, events: ['review.overdue'] };
    const { id, secret } = await anAdminEndpoint(hooks.service, input);
    await hooks.service.administer('testAdminWebhook', { id });
    const message = await until(() => address.inbox()[0]);
    expect(verified(secret, message)).toEqual({
      type: 'webhook.test',
      timestamp: aTime,
      data: { developer: null, app: null, endpointId: id },
    });
  });
});
