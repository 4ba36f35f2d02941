import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { verified } from './receiver.js';
import { anAdminEndpoint, type IssuedJson, sharedWebhooks } from './webhooks.js';

const hooks = beforeTests(sharedWebhooks);

describe('rotateAdminWebhookSecret', () => {
  it('signs with both secrets (D169)', async () => {
    const address = hooks.receiver.address();
    const { id, secret: former } = await anAdminEndpoint(hooks.service, { url: address.url });
    const { secret } = await hooks.service.administer<IssuedJson>('rotateAdminWebhookSecret', { id });
    await hooks.service.administer('testAdminWebhook', { id });
    const message = await until(() => address.inbox()[0]);
    expect(secret).not.toBe(former);
    for (const each of [secret, former]) expect(verified(each, message).type).toBe('webhook.test');
  });
});
