import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { aTime } from '../../support/matchers.js';
import { status, verified } from './receiver.js';
import { type EndpointJson, sharedWebhooks, type Webhooks } from './webhooks.js';

const hooks = beforeTests(sharedWebhooks);

const disabled = (developer: Parameters<Webhooks['endpointNow']>[0], id: string) =>
  until(async () => {
    const endpoint = await hooks.endpointNow(developer, id);
    return endpoint?.status === 'DISABLED' && endpoint;
  });
const failingFor = (id: string, interval: string) =>
  hooks.service.sql('update webhook_endpoints set failing_since = now() - $2::interval where id = $1', [
    id,
    interval,
  ]);

describe('an endpoint that fails', () => {
  it('is disabled when a delivery is given up after three days of failures, with a mail (D53)', async () => {
    const [failing, watching] = [hooks.receiver.address(status(500)), hooks.receiver.address()];
    const ada = await hooks.service.aDeveloper();
    const { id } = await hooks.endpoint(ada, { url: failing.url, events: ['app.submitted'] });
    const { secret } = await hooks.endpoint(ada, { url: watching.url, events: ['webhook.disabled'] });
    await failingFor(id, '2 days 23 hours');
    await hooks.anEvent(ada);
    await hooks.delivery(ada, id, (each) => each.status === 'FAILED');
    expect((await hooks.endpointNow(ada, id))?.status).toBe('ENABLED');

    await failingFor(id, '3 days');
    await hooks.anEvent(ada);
    const endpoint = await disabled(ada, id);
    expect(endpoint).toMatchObject({
      disabledAt: aTime,
      disabledReason: expect.stringMatching(/^Every attempt has failed since \d{4}-/),
    });
    expect((await hooks.deliveries(ada, id)).map((each) => each.status)).toEqual(['FAILED', 'FAILED']);

    const mail = await until(async () => {
      const [row] = await hooks.service.sql<{ subject: string; text: string }>(
        "select subject, text from mails where recipient = $1 and kind = 'webhook.disabled'",
        [ada.email],
      );
      return row;
    });
    expect(mail.subject).toBe(`Your webhook to ${hooks.receiver.host} was disabled`);
    expect(mail.text).toContain(String(endpoint.disabledReason));
    const told = await until(() => watching.inbox()[0]);
    expect(verified(secret, told)).toMatchObject({
      type: 'webhook.disabled',
      data: { endpointId: id, host: hooks.receiver.host, reason: endpoint.disabledReason },
    });
  });
});

describe('enableWebhookEndpoint', () => {
  it('sends events again, and resets the failures; an enabled one is unchanged (D16, D37)', async () => {
    const { ada, id, address } = await hooks.anEndpoint({ answer: status(410), events: ['key.created'] });
    await hooks.service.aKey(ada);
    await disabled(ada, id);
    address.behave(status(200));
    const enable = () => hooks.service.client.must<EndpointJson>('enableWebhookEndpoint', { id }, ada.token);
    const enabled = await enable();
    expect(enabled).toMatchObject({
      status: 'ENABLED',
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
    });
    expect(await enable()).toEqual(enabled);
    await hooks.service.aKey(ada);
    await until(() => address.inbox().length === 2);
  });
});
