import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { anId, aTime } from '../../support/matchers.js';
import { status, verified } from './receiver.js';
import { patientWebhooks } from './webhooks.js';

const hooks = beforeTests(patientWebhooks);

describe('testWebhookEndpoint', () => {
  it('sends a webhook.test event to that endpoint only, whatever it subscribed to, in the shape of the others (D37, D54)', async () => {
    const [address, other] = [hooks.receiver.address(), hooks.receiver.address()];
    const profile = { companyName: 'Analytical Engines', websiteUrl: 'https://ada.example' };
    const ada = await hooks.service.anUnverifiedDeveloper(profile);
    const { id, secret } = await hooks.endpoint(ada, { url: address.url, events: ['app.approved'] });
    await hooks.endpoint(ada, { url: other.url });
    const delivery = await hooks.service.client.must('testWebhookEndpoint', { id }, ada.token);
    expect(delivery).toMatchObject({ id: anId, type: 'webhook.test', status: 'PENDING', attempts: [] });
    const message = await until(() => address.inbox()[0]);
    expect(verified(secret, message)).toEqual({
      type: 'webhook.test',
      timestamp: aTime,
      data: { developer: { id: ada.id, name: 'Ada', ...profile }, app: null, endpointId: id },
    });
    expect(message.headers['webhook-id']).toBe(delivery.eventId);
    expect(other.inbox()).toHaveLength(0);
  });

  it('is tried once, and its failure does not count against the endpoint (D54)', async () => {
    const address = hooks.receiver.address(status(500));
    const ada = await hooks.service.anUnverifiedDeveloper();
    const { id } = await hooks.endpoint(ada, { url: address.url });
    await hooks.service.client.must('testWebhookEndpoint', { id }, ada.token);
    expect(await hooks.delivery(ada, id, (each) => each.status === 'FAILED')).toMatchObject({
      attemptCount: 1,
    });
    expect((await hooks.endpointNow(ada, id))?.failingSince).toBeNull();
  });

  it('also works for a disabled endpoint, to test it before it is enabled (D54)', async () => {
    const address = hooks.receiver.address(status(410));
    const ada = await hooks.service.anUnverifiedDeveloper();
    const { id } = await hooks.endpoint(ada, { url: address.url });
    const test = () => hooks.service.client.must('testWebhookEndpoint', { id }, ada.token);
    await test();
    await until(async () => (await hooks.endpointNow(ada, id))?.status === 'DISABLED');
    address.behave(status(200));
    await test();
    await hooks.delivery(ada, id, (each) => each.status === 'DELIVERED');
    expect((await hooks.endpointNow(ada, id))?.status).toBe('DISABLED');
  });
});
