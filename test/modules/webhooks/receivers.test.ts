import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Developer } from '../../support/actors.js';
import { eventually, startReceiver, status } from './receiver.js';
import { type DeliveryJson, startWebhooks, type Webhooks } from './webhooks.js';

let hooks: Webhooks;
let ada: Developer;
beforeAll(async () => {
  hooks = await startWebhooks();
  ada = await hooks.service.aDeveloper();
});
afterAll(() => hooks.close());

const is = (state: string) => (delivery: DeliveryJson) => delivery.status === state;

/** Sends one test event there, and tells what came of it. */
async function sendTo(url: string) {
  const developer = await hooks.service.anUnverifiedDeveloper();
  const { id } = await hooks.endpoint(developer, { url });
  await hooks.service.doors.must('testWebhookEndpoint', { id }, developer.token);
  const delivery = await hooks.delivery(developer, id, ({ status }) => status !== 'PENDING');
  return { ...delivery, attempt: delivery.attempts[0]! };
}

describe('a receiver', () => {
  it('that redirects has failed, and nobody is followed, not even to a decoy that listens (D37)', async () => {
    const decoy = await startReceiver();
    const target = decoy.address();
    for (const code of [301, 302, 303, 307, 308]) {
      const address = hooks.receiver.address(status(code, '', { location: target.url }));
      const { status: outcome, attempt } = await sendTo(address.url);
      expect({ outcome, error: attempt.error, responseStatus: attempt.responseStatus }).toEqual({
        outcome: 'FAILED',
        error: `It answered ${code}: redirects are not followed.`,
        responseStatus: code,
      });
    }
    expect(target.inbox()).toHaveLength(0);
    await decoy.close();
  });

  it('that never answers has failed when the time is over (D37)', async () => {
    const address = hooks.receiver.address(() => undefined);
    const { status: outcome, attempt } = await sendTo(address.url);
    expect(outcome).toBe('FAILED');
    expect(attempt).toMatchObject({
      responseStatus: null,
      responseBody: null,
      error: 'It did not answer completely in time.',
    });
    expect(attempt.durationMs).toBeGreaterThanOrEqual(650);
    expect(attempt.durationMs).toBeLessThan(3000);
  });

  it('that answers slowly, but in time, has taken it (D37)', async () => {
    const address = hooks.receiver.address((response) => {
      setTimeout(() => response.writeHead(200).end('at last'), 400);
    });
    const { status: outcome, attempt } = await sendTo(address.url);
    expect(outcome).toBe('DELIVERED');
    expect(attempt).toMatchObject({ responseStatus: 200, responseBody: 'at last', error: null });
    expect(attempt.durationMs).toBeGreaterThanOrEqual(380);
  });

  it('that answers an endless body is cut off at 4 KB, and its status counts (D37)', async () => {
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

  it('that says 200 and then dawdles with the body has taken it (D37)', async () => {
    const address = hooks.receiver.address((response) => {
      response.writeHead(200);
      response.write('one moment');
    });
    const { status: outcome, attempt } = await sendTo(address.url);
    expect(outcome).toBe('DELIVERED');
    expect(attempt).toMatchObject({ responseStatus: 200, responseBody: null, error: null });
  });

  it('may answer any bytes (D37)', async () => {
    const address = hooks.receiver.address((response) => {
      response.writeHead(500).end(Buffer.from([0, 255, 65, 0]));
    });
    const { attempt } = await sendTo(address.url);
    expect(attempt.responseBody).toBe('\uFFFD\uFFFDA\uFFFD');
  });

  it('that hangs up, or is not there, has failed, with a word on why (D37)', async () => {
    const address = hooks.receiver.address((_response, _message, request) => request.socket.destroy());
    expect((await sendTo(address.url)).attempt.error).toMatch(/^It could not be reached\. \(\w+\)$/);
  });

  it('that hangs holds up no other: fifty events reach a good one meanwhile (D37)', async () => {
    const hanging = hooks.receiver.address(() => undefined);
    const good = hooks.receiver.address();
    const bad = await hooks.endpoint(ada, { url: hanging.url, events: ['app.submitted'] });
    await hooks.endpoint(ada, { url: good.url, events: ['app.submitted'] });
    const started = performance.now();
    await Promise.all(Array.from({ length: 50 }, () => hooks.anEvent(ada)));
    await eventually(() => good.inbox().length === 50);
    const seconds = (performance.now() - started) / 1000;
    expect(new Set(good.inbox().map(({ headers }) => headers['webhook-id'])).size).toBe(50);
    // Fifty timeouts, four at a time, take longer than this.
    expect(hanging.inbox().length).toBeLessThan(50);
    expect(seconds).toBeLessThan(15);
    await hooks.service.doors.must('deleteWebhookEndpoint', { id: bad.id }, ada.token);
  });

  it('whose name leads to this machine is never reached, whatever was said at creation (D37)', async () => {
    const decoy = await startReceiver();
    const port = Number(decoy.host.split(':')[1]);
    const target = decoy.address();
    const eve = await hooks.service.anUnverifiedDeveloper();
    const { id } = await hooks.endpoint(eve, { url: 'https://hooks.example/inbox' });
    for (const url of [
      `http://127.0.0.1:${port}/hook-1`,
      `http://localhost:${port}/hook-1`,
      `http://[::ffff:127.0.0.1]:${port}/hook-1`,
      `http://2130706433:${port}/hook-1`,
    ]) {
      await hooks.service.sql('update webhook_endpoints set url = $2 where id = $1', [id, url]);
      const { id: deliveryId } = await hooks.service.doors.must<{ id: string }>(
        'testWebhookEndpoint',
        { id },
        eve.token,
      );
      const failed = await eventually(async () =>
        (await hooks.deliveries(eve, id)).find((each) => each.id === deliveryId && is('FAILED')(each)),
      );
      expect(failed.attempts[0]).toMatchObject({ responseStatus: null, error: expect.any(String) });
    }
    expect(target.inbox()).toHaveLength(0);
    await decoy.close();
  });
});
