import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { duringTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { anId, aTime } from '../../support/matchers.js';
import { status, verified } from './receiver.js';
import { startWebhooks } from './webhooks.js';

const hooks = duringTests(() => startWebhooks({ retryDelaysMs: [300, 300] }));

describe('a delivery', () => {
  it('posts the event, signed by Standard Webhooks, with public data only (D37)', async () => {
    const address = hooks.receiver.address(status(200, 'thanks'));
    const ada = await hooks.service.aDeveloper({ companyName: 'Analytical Engines' });
    const { id, secret } = await hooks.endpoint(ada, { url: address.url, events: ['app.submitted'] });
    const { appId, name, slug } = await hooks.anEvent(ada);
    const delivery = await hooks.delivery(ada, id, (each) => each.status === 'DELIVERED');

    const [message] = address.inbox();
    expect(address.inbox()).toHaveLength(1);
    expect(verified(secret, message!)).toEqual({
      type: 'app.submitted',
      timestamp: aTime,
      data: {
        developer: { id: ada.id, name: 'Ada', companyName: 'Analytical Engines', websiteUrl: null },
        app: { id: appId, slug, name },
      },
    });
    expect(message?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': delivery.eventId,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
    expect(delivery).toMatchObject({
      eventId: anId,
      type: 'app.submitted',
      requestBody: message?.body,
      attemptCount: 1,
      nextAttemptAt: null,
      deliveredAt: aTime,
      failure: null,
      attempts: [{ number: 1, url: address.url, responseStatus: 200, responseBody: 'thanks', error: null }],
    });
    expect(delivery.attempts[0]?.requestHeaders['webhook-signature']).toBe(
      message?.headers['webhook-signature'],
    );
  });

  it.each([410, 500])(
    'to a former URL that answers %s says nothing about the endpoint (D428)',
    async (code) => {
      const answers: (() => void)[] = [];
      const former = hooks.receiver.address(
        (response) => void answers.push(() => response.writeHead(code).end()),
      );
      const present = hooks.receiver.address();
      const ada = await hooks.service.aDeveloper();
      const { id } = await hooks.endpoint(ada, { url: former.url, events: ['app.submitted'] });
      await hooks.anEvent(ada);
      await until(() => answers.length > 0);
      await hooks.service.client.must('updateWebhookEndpoint', { id, url: present.url }, ada.token);
      for (const answer of answers) answer();
      await hooks.delivery(ada, id, (each) => each.status === 'DELIVERED');
      expect(await hooks.endpointNow(ada, id)).toMatchObject({ disabledReason: null, failingSince: null });
      expect(present.inbox()).toHaveLength(1);
    },
  );

  it('refuses to verify when a byte of the body, the id or the secret differs (D37)', async () => {
    const { ada, secret, address } = await hooks.anEndpoint();
    await hooks.anEvent(ada);
    const message = await until(() => address.inbox()[0]);
    expect(() => verified(secret, message)).not.toThrow();
    expect(() => verified(secret, { ...message, body: `${message.body} ` })).toThrow('No matching signature');
    const headers = { ...message.headers, 'webhook-id': 'another' };
    expect(() => verified(secret, { ...message, headers })).toThrow('No matching signature');
    expect(() => verified(`whsec_${randomBytes(32).toString('base64')}`, message)).toThrow();
  });

  it('contains the reasons and guidance of a rejection, and neither the administrator nor an e-mail address (D37)', async () => {
    const { ada, secret, address } = await hooks.anEndpoint({ events: ['app.rejected'] });
    await hooks.service.anApp(ada, 'REJECTED');
    const message = await until(() => address.inbox()[0]);
    expect(verified(secret, message).data).toMatchObject({
      reasons: [{ code: 'INCOMPLETE', field: 'description', message: 'It says too little.' }],
      guidance: 'Say what it does.',
    });
    expect(message.body).not.toMatch(/the-administrator|@example\.com|account/);
  });

  it("goes once to each endpoint that subscribed, and to no other developer's (D37)", async () => {
    const [all, some, others, foreign] = Array.from({ length: 4 }, () => hooks.receiver.address());
    const ada = await hooks.service.aDeveloper();
    const bob = await hooks.service.aDeveloper();
    await hooks.endpoint(ada, { url: all!.url, events: [] });
    await hooks.endpoint(ada, { url: some!.url, events: ['app.submitted', 'app.approved'] });
    await hooks.endpoint(ada, { url: others!.url, events: ['key.revoked'] });
    await hooks.endpoint(bob, { url: foreign!.url });
    await hooks.anEvent(ada);
    await until(() => all!.inbox().length === 1 && some!.inbox().length === 1);
    await hooks.anEvent(bob);
    await until(() => foreign!.inbox().some(({ body }) => body.includes(bob.id)));
    expect(foreign!.inbox().filter(({ body }) => body.includes(ada.id))).toHaveLength(0);
    expect([all, some, others, foreign].map((each) => each!.inbox().length)).toEqual([1, 1, 0, 1]);
    const [first, second] = [all!.inbox()[0]!, some!.inbox()[0]!];
    expect(first.headers['webhook-id']).toBe(second.headers['webhook-id']);
    expect(first.body).toBe(second.body);
    expect(first.headers['webhook-signature']).not.toBe(second.headers['webhook-signature']);
  });

  it('goes to the endpoints that were created before it, whatever the clocks said (D266)', async () => {
    const { service, receiver } = hooks;
    const [early, late, missed] = Array.from({ length: 3 }, () => receiver.address());
    const ada = await service.aDeveloper();
    const endpoints = [];
    for (const { url } of [early!, late!, missed!])
      endpoints.push((await hooks.endpoint(ada, { url, events: ['app.submitted', 'app.approved'] })).id);
    await service.sql("update webhook_endpoints set created_at = now() + interval '1 hour' where id = $1", [
      endpoints[0],
    ]);
    await service.sql(
      `update webhook_endpoints set created_at = now() - interval '1 hour',
         created_position = (select last_value + 1000 from audit_events_position) where id = $1`,
      [endpoints[2]],
    );
    await hooks.anEvent(ada);
    await until(() => early!.inbox().length === 1 && late!.inbox().length === 1);
    expect(missed!.inbox()).toEqual([]);
  });

  it('is retried with growing pauses, with the same webhook-id and body, until it succeeds (D37)', async () => {
    const { ada, id, secret, address } = await hooks.anEndpoint({ answer: status(503, 'not now') });
    await hooks.anEvent(ada);
    const waiting = await hooks.delivery(ada, id, (each) => each.attemptCount === 1);
    expect(waiting).toMatchObject({ status: 'PENDING', nextAttemptAt: aTime, deliveredAt: null });
    expect((await hooks.endpointNow(ada, id))?.failingSince).toEqual(aTime);
    await until(() => address.inbox().length === 2);
    address.behave(status(202));
    const done = await hooks.delivery(ada, id, (each) => each.status === 'DELIVERED');
    expect(done.attempts).toMatchObject([
      {
        number: 1,
        responseStatus: 503,
        responseBody: 'not now',
        error: 'The receiver responded with status 503.',
      },
      { number: 2, responseStatus: 503, error: 'The receiver responded with status 503.' },
      { number: 3, responseStatus: 202, error: null },
    ]);
    expect(address.inbox()).toHaveLength(3);
    expect(new Set(address.inbox().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(address.inbox().map(({ body }) => body)).size).toBe(1);
    for (const message of address.inbox()) verified(secret, message);
    expect((await hooks.endpointNow(ada, id))?.failingSince).toBeNull();
  });

  it('is given up after the last pause, and says why (D37)', async () => {
    const { ada, id } = await hooks.anEndpoint({ answer: status(500) });
    await hooks.anEvent(ada);
    const failed = await hooks.delivery(ada, id, (each) => each.status === 'FAILED');
    expect(failed).toMatchObject({
      attemptCount: 3,
      nextAttemptAt: null,
      failure: 'Every attempt failed. The last one: The receiver responded with status 500.',
    });
    expect((await hooks.endpointNow(ada, id))?.status).toBe('ENABLED');
  });

  it('is created and sent once, although a process died after its jobs and they run again (D37)', async () => {
    const { ada, id, address } = await hooks.anEndpoint({ events: ['key.created'] });
    await hooks.service.aKey(ada);
    const { eventId } = await hooks.delivery(ada, id, (each) => each.status === 'DELIVERED');
    const jobsOfIt = `name like 'webhook-%' and (data->>'eventId' = '${eventId}' or group_id = '${id}')`;
    const done = async () =>
      (await hooks.service.sql(`select from pgboss.job where ${jobsOfIt} and state = 'completed'`)).length ===
      2;
    await until(done);
    await hooks.service.sql(`update pgboss.job set state = 'retry', completed_on = null where ${jobsOfIt}`);
    await until(done);
    expect(await hooks.deliveries(ada, id)).toHaveLength(1);
    expect(address.inbox()).toHaveLength(1);
  });

  it('is dropped with its endpoint (D37)', async () => {
    const { ada, id, address } = await hooks.anEndpoint({ answer: status(500) });
    await hooks.anEvent(ada);
    await until(() => address.inbox().length === 1);
    await hooks.service.client.must('deleteWebhookEndpoint', { id }, ada.token);
    const before = address.inbox().length;
    await until(async () => {
      const [{ open }] = (await hooks.service.sql<{ open: string }>(
        "select count(*) as open from pgboss.job where name = 'webhook-deliveries' and state < 'completed' and group_id = $1",
        [id],
      )) as [{ open: string }];
      return open === '0';
    });
    expect(address.inbox()).toHaveLength(before);
  });
});
