import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { removeOldRowsOf } from '../../support/retention.js';
import { status } from './receiver.js';
import { type DeliveryJson, patientWebhooks } from './webhooks.js';

const hooks = beforeTests(patientWebhooks);

describe('webhookDeliveries', () => {
  it('lists the log, newest first, each delivery with its attempts (D37)', async () => {
    const address = hooks.receiver.address();
    const ada = await hooks.service.anUnverifiedDeveloper();
    const { id } = await hooks.endpoint(ada, { url: address.url });
    const sent: string[] = [];
    for (let count = 0; count < 3; count += 1)
      sent.unshift(
        (await hooks.service.client.must<DeliveryJson>('testWebhookEndpoint', { id }, ada.token)).id,
      );
    await until(async () => (await hooks.deliveries(ada, id)).every((each) => each.status === 'DELIVERED'));
    const listed = await hooks.deliveries(ada, id);
    expect(listed.map((each) => each.id)).toEqual(sent);
    expect(listed.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1]);
  });

  it('is also a field of the endpoint, newest first (D151)', async () => {
    const ada = await hooks.service.anUnverifiedDeveloper();
    const { id } = await hooks.endpoint(ada, { url: hooks.receiver.address().url });
    const test = () => hooks.service.client.must<DeliveryJson>('testWebhookEndpoint', { id }, ada.token);
    const sent = [await test(), await test()];
    const edges = sent.toReversed().map((each) => ({ node: { id: each.id } }));
    const query = '{ myWebhookEndpoints { deliveries { edges { node { id } } } } }';
    expect(await hooks.service.client.queryData(query, {}, ada.token)).toEqual({
      myWebhookEndpoints: [{ deliveries: { edges } }],
    });
  });

  it('goes back thirty days (D54)', async () => {
    const { ada, id, address } = await hooks.anEndpoint({ events: ['key.created'] });
    await hooks.service.aKey(ada);
    const old = await hooks.delivery(ada, id, (each) => each.status === 'DELIVERED');
    await hooks.service.sql(
      "update webhook_deliveries set created_at = now() - interval '31 days' where id = $1",
      [old.id],
    );
    await hooks.service.aKey(ada);
    await until(() => address.inbox().length === 2);
    await removeOldRowsOf(hooks.service.databaseUrl);
    expect(await hooks.deliveries(ada, id)).toMatchObject([
      { eventId: expect.not.stringMatching(old.eventId) },
    ]);
  });
});

describe('an endpoint', () => {
  it('that responds 410 is disabled at once, and gets nothing more, not even queued deliveries (D37)', async () => {
    const { ada, id, address } = await hooks.anEndpoint({ answer: status(500) });
    await hooks.anEvent(ada);
    await hooks.delivery(ada, id, (each) => each.attemptCount === 1);
    address.behave(status(410));
    await hooks.anEvent(ada);
    const { disabledReason } = await until(async () => {
      const endpoint = await hooks.endpointNow(ada, id);
      return endpoint?.status === 'DISABLED' && endpoint;
    });
    expect(disabledReason).toMatch('410 Gone');
    const sent = address.inbox().length;
    const itsTimeHasCome =
      "update pgboss.job set start_after = now() where group_id = $1 and state = 'created'";
    expect(await hooks.service.sql(`${itsTimeHasCome} returning id`, [id])).toHaveLength(1);
    const [, first] = await until(async () => {
      const all = await hooks.deliveries(ada, id);
      return all.every((each) => each.status === 'FAILED') && all;
    });
    expect(first).toMatchObject({
      attemptCount: 1,
      failure: 'The endpoint was disabled before the event could be sent.',
    });
    await hooks.anEvent(ada);
    expect(address.inbox()).toHaveLength(sent);
    expect(await hooks.deliveries(ada, id)).toHaveLength(2);
  });
});
