import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { status, verified } from './receiver.js';
import { adminDeliveries, anAdminEndpoint, type IssuedJson, sharedWebhooks } from './webhooks.js';

const hooks = beforeTests(sharedWebhooks);

describe('enableAdminWebhook', () => {
  it('enables an endpoint that responded 410; the other endpoints of the administration were told (D169)', async () => {
    const { service, receiver } = hooks;
    const { client } = service;
    const admin = await service.admin();
    const [gone, watching] = [receiver.address(status(410)), receiver.address()];
    const { id } = await anAdminEndpoint(service, { url: gone.url, events: ['app.submitted'] });
    const { secret } = await client.must<IssuedJson>(
      'createAdminWebhook',
      { url: watching.url, events: ['webhook.disabled'] },
      admin,
    );
    const ada = await service.aDeveloper();
    const developers = receiver.address();
    await hooks.endpoint(ada, { url: developers.url, events: ['webhook.disabled'] });
    await hooks.anEvent(ada);
    const message = await until(() => watching.inbox()[0]);
    expect(verified(secret, message)).toMatchObject({
      type: 'webhook.disabled',
      data: { developer: null, app: null, endpointId: id, host: receiver.host },
    });
    expect(developers.inbox()).toEqual([]);
    expect(await client.must('enableAdminWebhook', { id }, admin)).toMatchObject({
      status: 'ENABLED',
      disabledReason: null,
    });
    gone.behave(status(204));
    await hooks.anEvent(ada);
    await until(async () => (await adminDeliveries(service, id))[0]?.status === 'DELIVERED');
  });
});
