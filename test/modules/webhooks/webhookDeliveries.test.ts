import { describe, expect, it } from '@jest/globals';
import type { ConnectionJson } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { removeOldRowsOf } from '../../support/retention.js';
import { eventually, status } from './receiver.js';
import { type DeliveryJson, patientWebhooks } from './webhooks.js';

const hooks = beforeTests(patientWebhooks);

describe('webhookDeliveries', () => {
  it('pages through the log, newest first, each delivery with its attempts (D37)', async () => {
    const address = hooks.receiver.address();
    const ada = await hooks.service.anUnverifiedDeveloper();
    const { id } = await hooks.endpoint(ada, { url: address.url });
    const sent: string[] = [];
    for (let count = 0; count < 5; count += 1)
      sent.unshift(
        (await hooks.service.client.must<DeliveryJson>('testWebhookEndpoint', { id }, ada.token)).id,
      );
    await eventually(async () =>
      (await hooks.deliveries(ada, id)).every((each) => each.status === 'DELIVERED'),
    );
    const page = (first: number, after: string | null) =>
      hooks.service.client.must<ConnectionJson<DeliveryJson>>(
        'webhookDeliveries',
        { endpointId: id, first, after },
        ada.token,
      );
    const one = await page(3, null);
    const two = await page(3, one.pageInfo.endCursor);
    expect([...one.edges, ...two.edges].map(({ node }) => node.id)).toEqual(sent);
    expect(one.edges.map(({ node }) => node.attempts.length)).toEqual([1, 1, 1]);
    expect([one.totalCount, one.pageInfo.hasNextPage, two.pageInfo.hasNextPage]).toEqual([5, true, false]);
  });

  it('is also a field of the endpoint, newest first, counted only if it is asked for (D151)', async () => {
    const ada = await hooks.service.anUnverifiedDeveloper();
    const { id } = await hooks.endpoint(ada, { url: hooks.receiver.address().url });
    const sent: string[] = [];
    for (let count = 0; count < 3; count += 1)
      sent.unshift(
        (await hooks.service.client.must<DeliveryJson>('testWebhookEndpoint', { id }, ada.token)).id,
      );
    const page = async (args: string, fields = '') =>
      (
        await hooks.service.client.queryData<{
          myWebhookEndpoints: { deliveries: ConnectionJson<DeliveryJson> }[];
        }>(
          `{ myWebhookEndpoints { deliveries(${args}) { edges { node { id } } pageInfo { endCursor hasNextPage } ${fields} } } }`,
          {},
          ada.token,
        )
      ).myWebhookEndpoints[0]!.deliveries;
    const first = await page('first: 2', 'totalCount');
    expect(first.edges.map(({ node }) => node.id)).toEqual(sent.slice(0, 2));
    expect([first.totalCount, first.pageInfo.hasNextPage]).toEqual([3, true]);
    const rest = await page(`first: 2, after: "${first.pageInfo.endCursor}"`);
    expect(rest.edges.map(({ node }) => node.id)).toEqual(sent.slice(2));
    expect((await page('last: 1')).edges.map(({ node }) => node.id)).toEqual(sent.slice(2));
  });

  it('goes back thirty days (D54)', async () => {
    const address = hooks.receiver.address();
    const ada = await hooks.service.aDeveloper();
    const { id } = await hooks.endpoint(ada, { url: address.url, events: ['key.created'] });
    await hooks.service.aKey(ada);
    const old = await hooks.delivery(ada, id, (each) => each.status === 'DELIVERED');
    await hooks.service.sql(
      "update webhook_deliveries set created_at = now() - interval '31 days' where id = $1",
      [old.id],
    );
    await hooks.service.aKey(ada);
    await eventually(() => address.inbox().length === 2);
    await removeOldRowsOf(hooks.service.databaseUrl);
    expect(await hooks.deliveries(ada, id)).toMatchObject([
      { eventId: expect.not.stringMatching(old.eventId) },
    ]);
  });
});

describe('an endpoint', () => {
  it('that responds 410 is disabled at once, and gets nothing more, not even queued deliveries (D37)', async () => {
    const address = hooks.receiver.address(status(500));
    const ada = await hooks.service.aDeveloper();
    const { id } = await hooks.endpoint(ada, { url: address.url });
    await hooks.anEvent(ada);
    await hooks.delivery(ada, id, (each) => each.attemptCount === 1);
    address.behave(status(410));
    await hooks.anEvent(ada);
    const { disabledReason } = await eventually(async () => {
      const endpoint = await hooks.endpointNow(ada, id);
      return endpoint?.status === 'DISABLED' && endpoint;
    });
    expect(disabledReason).toMatch('410 Gone');
    const sent = address.inbox().length;
    const itsTimeHasCome =
      "update pgboss.job set start_after = now() where group_id = $1 and state = 'created'";
    expect(await hooks.service.sql(`${itsTimeHasCome} returning id`, [id])).toHaveLength(1);
    const [, first] = await eventually(async () => {
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
