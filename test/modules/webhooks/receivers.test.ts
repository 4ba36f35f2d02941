import { describe, expect, it } from '@jest/globals';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { startReceiver, status, verified } from './receiver.js';
import { type DeliveryJson, startWebhooks } from './webhooks.js';

// With the networks of production.
const hooks = duringTests(() => startWebhooks({ timeoutMs: 2_000, allowedNetworks: [] }));
const ada = beforeTests(() => hooks.service.aDeveloper());

const is = (state: string) => (delivery: DeliveryJson) => delivery.status === state;

/** Sends one test event there, and returns the delivery. */
async function sendTo(url: string) {
  const developer = await hooks.service.anUnverifiedDeveloper();
  const { id } = await hooks.endpoint(developer, { url });
  await hooks.service.client.must('testWebhookEndpoint', { id }, developer.token);
  const delivery = await hooks.delivery(developer, id, ({ status }) => status !== 'PENDING');
  return { ...delivery, attempt: delivery.attempts[0]! };
}

/** Queues deliveries to an endpoint. */
const queueTests = (endpointId: string, count: number) =>
  hooks.service.sql(
    `with sent as (
       insert into webhook_deliveries (id, created_at, endpoint_id, event_id, type, request_body, status,
         attempt_count, try_count, next_attempt_at, job_id)
       select gen_random_uuid(), now(), $1, gen_random_uuid(), 'webhook.test', '{}', 'PENDING', 0, 0, now(),
         gen_random_uuid() from generate_series(1, $2)
       returning *)
     insert into pgboss.job (id, name, data, group_id)
     select job_id, 'webhook-deliveries', jsonb_build_object('deliveryId', id), endpoint_id from sent`,
    [endpointId, count],
  );

describe('a receiver', () => {
  it('that redirects has failed, and the redirect is not followed (D37)', async () => {
    const decoy = await startReceiver();
    const target = decoy.address();
    const redirecting = async (code: number) => {
      const address = hooks.receiver.address(status(code, '', { location: target.url }));
      const { status: outcome, attempt } = await sendTo(address.url);
      expect({ outcome, error: attempt.error, responseStatus: attempt.responseStatus }).toEqual({
        outcome: 'FAILED',
        error: `The receiver responded with status ${code}. Redirects are not followed.`,
        responseStatus: code,
      });
    };
    await Promise.all([301, 302, 303, 307, 308].map(redirecting));
    expect(target.inbox()).toHaveLength(0);
    await decoy.close();
  });

  it('that never responds has failed after the timeout (D37)', async () => {
    const address = hooks.receiver.address(() => undefined);
    const { status: outcome, attempt } = await sendTo(address.url);
    expect(outcome).toBe('FAILED');
    expect(attempt).toMatchObject({
      responseStatus: null,
      responseBody: null,
      error: 'It did not answer completely in time.',
    });
    expect(attempt.durationMs).toBeGreaterThanOrEqual(1_900);
  });

  it('that responds slowly, but in time, has succeeded (D37)', async () => {
    const address = hooks.receiver.address((response) => {
      setTimeout(() => response.writeHead(200).end('at last'), 400);
    });
    const { status: outcome, attempt } = await sendTo(address.url);
    expect(outcome).toBe('DELIVERED');
    expect(attempt).toMatchObject({ responseStatus: 200, responseBody: 'at last', error: null });
    expect(attempt.durationMs).toBeGreaterThanOrEqual(380);
  });

  it('that sends an endless body is cut off at 4 KB, and its status counts (D37)', async () => {
    let written = 0;
    const address = hooks.receiver.address((response) => {
      response.writeHead(200);
      const chunk = 'x'.repeat(64 * 1024);
      const more = () => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length;
      };
      response.on('drain', more);
      more();
    });
    const { status: outcome, attempt } = await sendTo(address.url);
    expect(outcome).toBe('DELIVERED');
    expect(attempt.responseBody).toBe('x'.repeat(4096));
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  it('that responds 200 and then delays the body has succeeded (D37)', async () => {
    const address = hooks.receiver.address((response) => {
      response.writeHead(200);
      response.write('one moment');
    });
    const { status: outcome, attempt } = await sendTo(address.url);
    expect(outcome).toBe('DELIVERED');
    expect(attempt).toMatchObject({ responseStatus: 200, responseBody: null, error: null });
  });

  it('may respond with any bytes (D37)', async () => {
    const address = hooks.receiver.address((response) => {
      response.writeHead(500).end(Buffer.from([0, 255, 65, 0]));
    });
    const { attempt } = await sendTo(address.url);
    expect(attempt.responseBody).toBe('\uFFFD\uFFFDA\uFFFD');
  });

  it('that closes the connection, or cannot be reached, has failed, with the reason (D37)', async () => {
    const address = hooks.receiver.address((_response, _message, request) => request.socket.destroy());
    expect((await sendTo(address.url)).attempt.error).toMatch(/^It could not be reached\. \(\w+\)$/);
  });

  it('that hangs delays no other: later deliveries arrive first (D37)', async () => {
    const hanging = hooks.receiver.address(() => undefined);
    const good = hooks.receiver.address();
    const bad = await hooks.endpoint(ada, { url: hanging.url, events: ['app.featured'] });
    await hooks.endpoint(ada, { url: good.url, events: ['key.created'] });
    await queueTests(bad.id, 90);
    await hooks.service.aKey(ada);
    await until(() => good.inbox().length === 1);
    // Were they taken in turn, no more than the worker has hands for would still be open.
    const waiting = (await hooks.deliveries(ada, bad.id)).filter(is('PENDING'));
    expect(waiting.length).toBeGreaterThan(24);
    await hooks.service.client.must('deleteWebhookEndpoint', { id: bad.id }, ada.token);
  });

  it.each([false, true])(
    'waits for none of the ten receivers of another developer that hang, verified: %s (D428)',
    async (isVerified) => {
      const hanging = Array.from({ length: 10 }, () => hooks.receiver.address(() => undefined));
      const good = hooks.receiver.address();
      const eve = await (isVerified ? hooks.service.aDeveloper() : hooks.service.anUnverifiedDeveloper());
      const endpoints = await Promise.all(hanging.map(({ url }) => hooks.endpoint(eve, { url })));
      for (const { id } of endpoints) await queueTests(id, 30);
      // The worker has taken as many as it can.
      await until(() => hanging.flatMap((receiver) => receiver.inbox()).length >= 6);
      const grace = await hooks.service.aDeveloper();
      await hooks.endpoint(grace, { url: good.url, events: ['key.created'] });
      await hooks.service.aKey(grace);
      await until(() => good.inbox().length === 1);
      const ids = endpoints.map(({ id }) => id);
      const [left] = await hooks.service.sql<{ count: number }>(
        `select count(*)::int from webhook_deliveries where endpoint_id = any($1) and status = 'PENDING'`,
        [ids],
      );
      expect(left!.count).toBeGreaterThan(200);
      for (const id of ids) await hooks.service.client.must('deleteWebhookEndpoint', { id }, eve.token);
    },
  );

  it('gets fifty concurrent events, each once (D37)', async () => {
    const good = hooks.receiver.address();
    const { secret } = await hooks.endpoint(ada, { url: good.url, events: ['key.created'] });
    const keys = await Promise.all(Array.from({ length: 50 }, () => hooks.service.anIssuedKey(ada)));
    await until(() => good.inbox().length >= 50);
    const told = good.inbox().map((message) => verified(secret, message).data.keyId);
    expect(told.toSorted()).toEqual(keys.map(({ id }) => id).toSorted());
  });

  it('whose name resolves to this machine is never reached, whatever it was at creation (D37)', async () => {
    const decoy = await startReceiver();
    const port = Number(decoy.host.split(':')[1]);
    const target = decoy.address();
    const eve = await hooks.service.anUnverifiedDeveloper();
    const attack = async (host: string) => {
      const { id } = await hooks.endpoint(eve, { url: 'https://hooks.example/inbox' });
      const url = `http://${host}:${port}/hook-1`;
      await hooks.service.sql('update webhook_endpoints set url = $2 where id = $1', [id, url]);
      await hooks.service.client.must('testWebhookEndpoint', { id }, eve.token);
      const { attempts } = await hooks.delivery(eve, id, is('FAILED'));
      expect(attempts).toMatchObject([{ url, responseStatus: null, error: expect.any(String) }]);
    };
    const names = ['hooks.example', 'localhost'];
    const addresses = ['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '[::1]', '0'];
    await Promise.all([...names, ...addresses].map(attack));
    expect(target.inbox()).toHaveLength(0);
    await decoy.close();
  });
});
