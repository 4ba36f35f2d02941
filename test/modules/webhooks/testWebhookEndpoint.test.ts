import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anId, aTime, nobody } from '../../support/answers.js';
import { expectRefusal } from '../../support/refusals.js';
import { eventually, status, verified } from './receiver.js';
import { type ConnectionJson, type DeliveryJson, startWebhooks, type Webhooks } from './webhooks.js';

let hooks: Webhooks;
beforeAll(async () => {
  hooks = await startWebhooks({ pausesMs: [60_000] });
});
afterAll(() => hooks.close());

describe('testWebhookEndpoint', () => {
  it('sends a webhook.test event to that endpoint alone, whatever it subscribed to (D37)', async () => {
    const [address, other] = [hooks.receiver.address(), hooks.receiver.address()];
    const ada = await hooks.service.anUnverifiedDeveloper();
    const { id, secret } = await hooks.endpoint(ada, { url: address.url, events: ['app.approved'] });
    await hooks.endpoint(ada, { url: other.url });
    const delivery = await hooks.service.doors.must('testWebhookEndpoint', { id }, ada.token);
    expect(delivery).toMatchObject({ id: anId, type: 'webhook.test', status: 'PENDING', attempts: [] });
    const message = await eventually(() => address.inbox()[0]);
    expect(verified(secret, message)).toEqual({
      type: 'webhook.test',
      timestamp: aTime,
      data: { developer: { id: ada.id }, endpointId: id },
    });
    expect(message.headers['webhook-id']).toBe(delivery.eventId);
    expect(other.inbox()).toHaveLength(0);
  });

  it('is tried once, and its failure is not held against the endpoint (D54)', async () => {
    const address = hooks.receiver.address(status(500));
    const ada = await hooks.service.anUnverifiedDeveloper();
    const { id } = await hooks.endpoint(ada, { url: address.url });
    await hooks.service.doors.must('testWebhookEndpoint', { id }, ada.token);
    expect(await hooks.delivery(ada, id, (each) => each.status === 'FAILED')).toMatchObject({
      attemptCount: 1,
    });
    expect((await hooks.endpointNow(ada, id))?.failingSince).toBeNull();
  });

  it('also tries one that is switched off, so that one knows before enabling it (D54)', async () => {
    const address = hooks.receiver.address(status(410));
    const ada = await hooks.service.anUnverifiedDeveloper();
    const { id } = await hooks.endpoint(ada, { url: address.url });
    const test = () => hooks.service.doors.must('testWebhookEndpoint', { id }, ada.token);
    await test();
    await eventually(async () => (await hooks.endpointNow(ada, id))?.status === 'DISABLED');
    address.behave(status(200));
    await test();
    await hooks.delivery(ada, id, (each) => each.status === 'DELIVERED');
    expect((await hooks.endpointNow(ada, id))?.status).toBe('DISABLED');
  });
});

describe('replayWebhookDelivery', () => {
  const replay = (token: string, id: string) =>
    hooks.service.doors.call<DeliveryJson>('graphql', 'replayWebhookDelivery', { id }, token);

  it('sends the same message again, at once, though its next attempt was far off (D37)', async () => {
    const address = hooks.receiver.address(status(500));
    const ada = await hooks.service.aDeveloper();
    const { id, secret } = await hooks.endpoint(ada, { url: address.url });
    await hooks.anEvent(ada);
    const waiting = await hooks.delivery(ada, id, (each) => each.attemptCount === 1);
    expect(Date.parse(String(waiting.nextAttemptAt))).toBeGreaterThan(Date.now() + 30_000);
    address.behave(status(200));
    expect((await replay(ada.token, waiting.id)).data).toMatchObject({ status: 'PENDING', attemptCount: 1 });
    const done = await hooks.delivery(ada, id, (each) => each.status === 'DELIVERED');
    expect(done.attempts.map(({ responseStatus }) => responseStatus)).toEqual([500, 200]);

    expect((await replay(ada.token, done.id)).data.status).toBe('PENDING');
    const again = await hooks.delivery(ada, id, (each) => each.attemptCount === 3);
    expect(again.status).toBe('DELIVERED');
    const messages = address.inbox();
    expect(messages).toHaveLength(3);
    for (const message of messages) verified(secret, message);
    expect(new Set(messages.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
  });

  it('has the schedule begin anew (D37)', async () => {
    const address = hooks.receiver.address(status(500));
    const ada = await hooks.service.aDeveloper();
    const { id } = await hooks.endpoint(ada, { url: address.url, events: ['key.created'] });
    await hooks.service.aKey(ada);
    const first = await hooks.delivery(ada, id, (each) => each.attemptCount === 1);
    await replay(ada.token, first.id);
    const second = await hooks.delivery(ada, id, (each) => each.attemptCount === 2);
    expect(second).toMatchObject({ status: 'PENDING', nextAttemptAt: aTime });
  });

  it('is refused while the endpoint is switched off (D54)', async () => {
    const address = hooks.receiver.address(status(410));
    const ada = await hooks.service.aDeveloper();
    const { id } = await hooks.endpoint(ada, { url: address.url, events: ['key.created'] });
    await hooks.service.aKey(ada);
    const failed = await hooks.delivery(ada, id, (each) => each.status === 'FAILED');
    expectRefusal(await replay(ada.token, failed.id), 'INVALID_TRANSITION');
    await hooks.service.doors.must('enableWebhookEndpoint', { id }, ada.token);
    address.behave(status(200));
    await replay(ada.token, failed.id);
    await hooks.delivery(ada, id, (each) => each.status === 'DELIVERED');
  });
});

describe('webhookDeliveries', () => {
  it('pages through the log, newest first, with two queries for all attempts of a page (D37)', async () => {
    const address = hooks.receiver.address();
    const ada = await hooks.service.anUnverifiedDeveloper();
    const { id } = await hooks.endpoint(ada, { url: address.url });
    const sent: string[] = [];
    for (let count = 0; count < 5; count += 1)
      sent.unshift(
        (await hooks.service.doors.must<DeliveryJson>('testWebhookEndpoint', { id }, ada.token)).id,
      );
    await eventually(async () =>
      (await hooks.deliveries(ada, id)).every((each) => each.status === 'DELIVERED'),
    );
    const page = (first: number, after: string | null) =>
      hooks.service.doors.must<ConnectionJson<DeliveryJson>>(
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

  it("is for its owner: somebody else's, a missing one and what is no id are the same 404 (D7)", async () => {
    const ada = await hooks.service.anUnverifiedDeveloper();
    const bob = await hooks.service.anUnverifiedDeveloper();
    const { id } = await hooks.endpoint(bob, { url: 'https://hooks.example/' });
    for (const endpointId of [id, nobody, 'x'])
      expectRefusal(
        await hooks.service.doors.call('graphql', 'webhookDeliveries', { endpointId }, ada.token),
        'NOT_FOUND',
      );
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
    expect(await hooks.deliveries(ada, id)).toMatchObject([
      { eventId: expect.not.stringMatching(old.eventId) },
    ]);
  });
});

describe('an endpoint', () => {
  it('that answers 410 is switched off at once, and gets nothing more, not even what was on its way (D37)', async () => {
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
      failure: 'The endpoint was disabled before it could be sent.',
    });
    await hooks.anEvent(ada);
    expect(address.inbox()).toHaveLength(sent);
    expect(await hooks.deliveries(ada, id)).toHaveLength(2);
  });
});
